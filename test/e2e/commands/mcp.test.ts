import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hearthProcess } from '../../support/server/hearth-process.ts';
import { configFileName, startServer, type RunningServer } from '../../support/server/start-server.ts';

const tools = fileURLToPath(new URL('../../support/fakes/mcp-server.mjs', import.meta.url));

let server: RunningServer;
beforeAll(async () => {
  const toy = { command: process.execPath, args: [tools], approval: { never: ['echo', 'child'] } };
  const gone = { command: '/no/such/program', accounts: ['somebody'] };
  server = await startServer({ modelsDirs: [], config: { mcp: { toy, gone } } });
});
afterAll(() => server.kill());

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const mcp = (...args: readonly string[]) =>
  hearthProcess(server.dataDir, [
    'mcp',
    ...args,
    '--config',
    join(server.dataDir, configFileName),
    '--data-dir',
    server.dataDir,
  ]);
const processes = () =>
  new Promise<string>((resolve) => {
    execFile('ps', ['-A', '-o', 'args'], (_error, stdout) => resolve(stdout));
  });

describe('hearth mcp', () => {
  it('lists the tools of each server, and says why one has none', async () => {
    const { code, stdout } = await mcp('list');
    expect(stdout).toMatch(/^toy +echo +no +Says the same\.$/m);
    expect(stdout).toMatch(/^toy +count +needed/m);
    expect(stdout).toMatch(/^gone +!! +- +does not start: it ended \(spawn \/no\/such\/program ENOENT\)$/m);
    expect(code).toBe(1);
  });

  it.for([
    { args: ['toy', 'echo', '{"text":"hi"}'], code: 0, out: 'hi\n', err: '' },
    { args: ['toy', 'fail'], code: 1, out: 'it is broken\n', err: '' },
    { args: ['toy', 'ecco'], code: 1, out: '', err: 'there is no tool "ecco" (did you mean "echo"?)' },
    { args: ['toy', 'echo', '{'], code: 1, out: '', err: 'the arguments are no JSON' },
    { args: ['toy', 'echo', '[]'], code: 1, out: '', err: 'must be a JSON object' },
    { args: ['gone', 'echo'], code: 1, out: '', err: 'the server "gone" does not start' },
  ])('tries a tool: $args', async ({ args, code, out, err }) => {
    const end = await mcp('try', ...args);
    expect(end.stderr).toContain(err);
    expect({ code: end.code, out: end.stdout }).toEqual({ code, out });
  });
});

describe('the demo', () => {
  const ask = async (name: string) => {
    const client = new OpenAI({ baseURL: server.baseUrl, apiKey: server.apiKey, maxRetries: 0 });
    const stream = client.responses.stream({
      model: 'hearth-demo',
      input: 'Please echo "good morning".',
      max_output_tokens: 120,
      tools: [
        { type: 'mcp', server_label: 'toy', allowed_tools: [name], require_approval: 'never' },
      ] as OpenAI.Responses.Tool[],
      tool_choice: { type: 'mcp', server_label: 'toy' },
    });
    return await stream.finalResponse();
  };

  it('calls a tool and goes on with its result', async () => {
    const { output, output_text: text, usage } = await ask('echo');
    const call = output.find((item) => item.type === 'mcp_call');
    const { text: said } = JSON.parse(call?.arguments ?? '{}') as { text: string };
    expect(call).toMatchObject({ status: 'completed', output: said, error: null });
    expect(text).not.toBe('');
    expect(usage?.input_tokens_details.cached_tokens).toBeGreaterThan(0);
  });

  it('leaves no child of a tool behind when hearth is killed', async () => {
    const { output } = await ask('child');
    const call = output.find((item) => item.type === 'mcp_call');
    const pid = Number(call?.output);
    expect(isAlive(pid)).toBe(true);
    await server.kill();
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
    expect(await processes()).not.toContain(`keeper-program.ts ${process.execPath} ${tools}`);
  });
});
