import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { oneThread } from '../../support/server/chat-fixture.ts';
import { hearthCli } from '../../support/server/hearth-cli.ts';
import { makeAccount } from '../../support/server/make-accounts.ts';
import { compiledCode, hearthProcess } from '../../support/server/hearth-process.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';
import { ownTemplates } from '../../support/models/templates.ts';
import { createModelsDir, tinyModel } from '../../support/models/tiny-model.ts';

const agentNames = [
  'claude',
  'codex',
  'opencode',
  'qwen',
  'copilot',
  'pi',
  'kimi',
  'droid',
  'cline',
] as const;
const cliPath = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));

interface Seen {
  readonly baseUrl: string;
  readonly secret: string;
  readonly model: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Of the first answer. */
  readonly status: number;
  readonly last: { readonly status: number; readonly error?: { readonly code: string } };
}

let folder: string;
let dataDir: string;
let modelsDir: string;
let seenFile: string;
let server: RunningServer;
let env: Record<string, string>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-launch-'));
  dataDir = join(folder, 'data');
  const bin = join(folder, 'bin');
  for (const made of [dataDir, bin]) mkdirSync(made);
  for (const name of agentNames) {
    copyFileSync(
      fileURLToPath(new URL('../../support/fakes/programs/fake-agent.mjs', import.meta.url)),
      join(bin, name),
    );
    chmodSync(join(bin, name), 0o755);
  }
  seenFile = join(folder, 'seen.json');
  env = {
    PATH: `${bin}${delimiter}${process.env['PATH']}`,
    SEEN_FILE: seenFile,
    HOME: folder,
    ...compiledCode,
  };
  const chatTemplate = ownTemplates.hermes;
  modelsDir = await createModelsDir({
    large: await tinyModel({ chatTemplate, contextTokens: 40_000 }),
    larger: await tinyModel({ chatTemplate, contextTokens: 40_000, layers: 3 }),
    small: await tinyModel({ chatTemplate, contextTokens: 2048, layers: 4 }),
    medium: await tinyModel({ chatTemplate, contextTokens: 10_000 }),
    plain: await tinyModel({ contextTokens: 40_000 }),
  });
  const models = ['large', 'larger', 'small', 'medium', 'plain'].map((id) => ({
    id,
    ...oneThread,
    parallel: 1,
  }));
  server = await startServer({ modelsDirs: [modelsDir], dataDir, config: { models } });
});
afterAll(async () => {
  await server.stop();
  for (const made of [folder, modelsDir]) rmSync(made, { recursive: true });
});
beforeEach(() => rmSync(seenFile, { force: true }));

const seen = () => JSON.parse(readFileSync(seenFile, 'utf8')) as Seen;
const launch = (...args: readonly string[]) =>
  hearthProcess(folder, ['launch', '--data-dir', dataDir, ...args], env);
const statusOf = async (secret: string) =>
  (await fetch(`${server.baseUrl}/models`, { headers: { authorization: `Bearer ${secret}` } })).status;

describe('hearth launch', () => {
  it.for(agentNames)('has %s ask this server with a key that dies with it', async (name) => {
    const { code, stderr } = await launch(name, '--', 'one', '--two');
    expect(stderr).toMatch(
      new RegExp(`^hearth: ${name} made 1 request: \\d+ tokens in \\(\\d+ of them cached\\), \\d out\n$`),
    );
    expect(code).toBe(0);
    const { baseUrl, secret, model, args, cwd, status } = seen();
    expect({ baseUrl, model, cwd, status }).toEqual({
      baseUrl: server.baseUrl,
      model: 'larger',
      cwd: folder,
      status: 200,
    });
    expect(args.slice(-2)).toEqual(['one', '--two']);
    const { FACTORY_RUNTIME_SETTINGS_PATH: droid, CLINE_PROVIDER_SETTINGS_PATH: cline } = seen().env;
    for (const file of [droid, cline]) if (file !== undefined) expect(existsSync(file)).toBe(false);
    expect(await statusOf(secret)).toBe(401);
  });

  it('tells Claude Code the context of the model, and has all of its agents ask that one', async () => {
    await launch('claude', '--model', 'large');
    const { env: set } = seen();
    expect(set).toMatchObject({
      CLAUDE_CODE_MAX_CONTEXT_TOKENS: '40000',
      CLAUDE_CODE_AUTO_COMPACT_WINDOW: '40000',
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: '8192',
      CLAUDE_CODE_TOTAL_TOKENS_REMINDER: 'off',
      CLAUDE_CODE_ATTRIBUTION_HEADER: '0',
    });
    const models = Object.entries(set).filter(([variable]) =>
      /^(?:ANTHROPIC|CLAUDE).*_MODEL$/.test(variable),
    );
    expect(models.length).toBeGreaterThanOrEqual(7);
    expect(new Set(models.map(([, model]) => model))).toEqual(new Set(['large']));
  });

  it('makes one key per agent, which later runs use again', async () => {
    await launch('qwen');
    // Another run of it came before: the test of all agents.
    const keys = await hearthCli<{ name: string; state: string }[]>(server, 'keys', 'list');
    const ofQwen = keys.filter((key) => key.name === 'hearth launch qwen');
    expect(ofQwen).toMatchObject([{ state: 'expired' }]);
  });

  it('passes the exit code on, and takes away what would send the agent elsewhere', async () => {
    const elsewhere = ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_USE_GATEWAY', 'CLAUDE_CODE_WORKFLOW_SUBAGENT_MODEL'];
    for (const variable of elsewhere) env[variable] = 'sk-of-somebody';
    const { code } = await launch('claude', '--model', 'large', '--', 'fail');
    for (const variable of elsewhere) delete env[variable];
    expect(code).toBe(7);
    expect(Object.values(seen().env)).not.toContain('sk-of-somebody');
    expect(seen().model).toBe('large');
  });

  it('lets another account pay', async () => {
    makeAccount(server, 'alice');
    const { code } = await launch('qwen', '--account', 'alice');
    expect(code).toBe(0);
    const used = await hearthCli<{ requests: number }[]>(server, 'usage', '--account', 'alice');
    expect(used).toMatchObject([{ requests: 1 }]);
  });

  it('gives the agent a budget of tokens, which ends with the command', async () => {
    const { stderr } = await launch('opencode', '--limit', '5', '--', 'twice');
    expect(stderr).toMatch(/opencode made 1 request: .*; its limit of 5 is used up\n$/);
    const { status, last } = seen();
    expect({ status, last }).toMatchObject({ status: 200, last: { status: 402, error: { code: 'insufficient_quota' } } });
    const find = async () =>
      (await hearthCli<{ name: string; tokensLeft: number | null }[]>(server, 'keys', 'list')).find(({ name }) => name === 'hearth launch opencode');
    expect((await find())?.tokensLeft).toBeLessThan(0);
    const more = await launch('opencode', '--limit', '100000', '--', 'twice');
    expect(more.stderr).toMatch(/2 requests: .*; 99,\d{3} of its 100,000 are left\n$/);
    await launch('opencode', '--', 'twice');
    expect(seen().last.status).toBe(200);
    expect((await find())?.tokensLeft).toBeNull();
  }); // prettier-ignore

  it('prints what it would set, and neither starts the agent nor shows a key', async () => {
    const { code, stdout, stderr } = await launch(
      'claude',
      '--print',
      '--limit',
      '9',
      '--',
      '-p',
      'two words',
    );
    expect(code).toBe(0);
    expect(stderr).toMatch(/a key of yours: .* keys create --account local --limit 9 --data-dir/);
    expect(stdout).toContain(`export ANTHROPIC_BASE_URL=${new URL(server.baseUrl).origin}\n`);
    expect(stdout).toContain('export ANTHROPIC_AUTH_TOKEN="$HEARTH_API_KEY"\n');
    expect(stdout).toMatch(/\nclaude -p 'two words'\n$/);
    expect(existsSync(seenFile)).toBe(false);
  });

  it.for(['droid', 'cline', 'kimi'])('prints for %s what a shell has to do, the file of its settings too', async (name) => {
    const { stdout } = await launch(name, '--print', '--', 'one', '--two');
    const shell = spawn('sh', ['-eu'], { cwd: folder, env: { ...env, HEARTH_API_KEY: server.apiKey } });
    shell.stdin.end(stdout);
    expect(await once(shell, 'exit')).toEqual([0, null]);
    const { baseUrl, secret, model, status, args } = seen();
    expect({ baseUrl, secret, model, status }).toEqual({ baseUrl: server.baseUrl, secret: server.apiKey, model: 'larger', status: 200 });
    expect(args.slice(-2)).toEqual(['one', '--two']);
  }); // prettier-ignore

  it('ends the agent when it is told to end, and the key with it', async () => {
    const command = [cliPath, 'launch', 'codex', '--data-dir', dataDir, '--', 'wait'];
    const child = spawn(process.execPath, command, { cwd: folder, env, stdio: 'ignore' });
    await vi.waitFor(() => expect(existsSync(seenFile)).toBe(true), 30_000);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([143, null]);
    expect(await statusOf(seen().secret)).toBe(401);
  });

  it.for([
    [
      ['claude', '--model', 'small'],
      /"small" has a context of 2,048 tokens.*19,000.*32,768.*context: 32768/su,
    ],
    [['claude', '--model', 'hearth-demo'], /context of 2,048 tokens.*hearth models pull/su],
    [['claude', '--model', 'plain'], /"plain" cannot use tools/u],
    [['claude', '--model', 'larg'], /there is no chat model "larg".*large/su],
    [['claude', '--account', 'nobody'], /nobody/u],
    [['claude', '--limit', '0'], /--limit: must be a whole number of tokens/u],
    [['cursor'], /claude, codex, opencode, qwen/u],
  ] as const)('refuses %j', async ([args, message]) => {
    const { code, stderr } = await launch(...args);
    expect(stderr).toMatch(message);
    expect(code).toBe(1);
    expect(existsSync(seenFile)).toBe(false);
  });

  it('warns where the context holds the first prompt and little more', async () => {
    const { code, stderr } = await launch('opencode', '--model', 'medium');
    expect(stderr).toMatch(/"medium" has a context of 10,000 tokens/);
    expect(code).toBe(0);
  });

  it('tells how to install an agent that is not there', async () => {
    const args = ['launch', 'claude', '--data-dir', dataDir];
    const { code, stderr } = await hearthProcess(folder, args, { PATH: join(folder, 'nowhere') });
    expect(stderr).toMatch(/"claude" is not installed.*npm install --global @anthropic-ai\/claude-code/su);
    expect(code).toBe(1);
  });

  it('starts a server where none runs, for as long as the agent runs', async () => {
    const own = join(folder, 'own');
    const args = ['launch', 'qwen', '--data-dir', own, '--models-dir', modelsDir, '--model', 'large'];
    const { code, stderr } = await hearthProcess(folder, args, { ...env, HEARTH_PORT: '0' });
    expect(stderr).toMatch(/qwen made 1 request:/);
    expect(code).toBe(0);
    expect(seen().baseUrl).not.toBe(server.baseUrl);
    await expect(fetch(`${seen().baseUrl}/models`)).rejects.toThrow('fetch failed');
  });
});
