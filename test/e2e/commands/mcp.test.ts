import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledgerOf } from '../../support/watch/ledger.ts';
import { writeWav } from '../../support/audio/wav.ts';
import { canTranscribe } from '../../support/models/demo-speech.ts';
import { hearthProcess } from '../../support/server/hearth-process.ts';
import { configFileName, startServer, type RunningServer } from '../../support/server/start-server.ts';

const cliPath = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));
const oddTools = fileURLToPath(new URL('../../support/fakes/programs/odd-mcp-server.mjs', import.meta.url));
const tools = fileURLToPath(new URL('../../support/fakes/programs/mcp-server.mjs', import.meta.url));

/** A folder in which npm has installed the protocol's own servers. */
const { HEARTH_TEST_MCP_SERVERS: installed = '' } = process.env;
const programOf = (name: string) =>
  join(installed, 'node_modules/@modelcontextprotocol', name, 'dist/index.js');
const hasServers = ['server-everything', 'server-filesystem'].every((name) => existsSync(programOf(name)));

let papers: string;
let server: RunningServer;
beforeAll(async () => {
  papers = mkdtempSync(join(realpathSync(tmpdir()), 'hearth-papers-'));
  writeFileSync(join(papers, 'tides.txt'), 'Twice a day.');
  const toy = { command: process.execPath, args: [tools], approval: { never: ['echo', 'child'] } };
  const gone = { command: '/no/such/program', accounts: ['somebody'] };
  const everything = { command: process.execPath, args: [programOf('server-everything')], approval: 'never' };
  const files = {
    command: process.execPath,
    args: [programOf('server-filesystem'), papers],
    approval: 'never',
  };
  const odd = { command: process.execPath, args: [oddTools], approval: 'never' };
  const mcp = { toy, gone, odd, ...(hasServers && { everything, files }) };
  server = await startServer({ modelsDirs: [], config: { mcp } });
});
afterAll(async () => {
  await server.kill();
  rmSync(papers, { recursive: true });
});

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
/** The processes that keep the tools of the server `serverPid`. */
const keepersOf = (serverPid: number) =>
  new Promise<number[]>((resolve) => {
    execFile('ps', ['-A', '-o', 'pid=,ppid=,args='], (_error, stdout) => {
      const lines = stdout.split('\n').filter((line) => line.includes('keeper-program'));
      const pids = lines.map((line) => line.trim().split(/\s+/, 2).map(Number));
      resolve(pids.flatMap(([pid = 0, parent]) => (parent === serverPid ? [pid] : [])));
    });
  });

describe('the models as tools of an agent', () => {
  const overHttp = (key: string) =>
    new StreamableHTTPClientTransport(new URL('/mcp', server.baseUrl), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    });
  const transports: Readonly<Record<string, () => Transport>> = {
    HTTP: () => overHttp(server.apiKey),
    'standard input and output': () =>
      new StdioClientTransport({
        command: process.execPath,
        args: [cliPath, 'mcp', 'serve', '--data-dir', server.dataDir],
        stderr: 'inherit',
      }),
  };

  it.for(Object.keys(transports))('answer, count and say what is wrong, by %s', async (kind) => {
    const client = new Client({ name: 'test', version: '1' });
    const transport = transports[kind]?.();
    if (transport === undefined) return;
    await client.connect(transport);
    const call = async (name: string, args: Record<string, unknown>) => {
      const { isError = false, content } = (await client.callTool({
        name,
        arguments: args,
      })) as CallToolResult;
      return { isError, text: content.map((part) => (part.type === 'text' ? part.text : '')).join('') };
    };

    const { tools: offered } = await client.listTools();
    expect(offered.map(({ name }) => name)).toEqual(['list_models', 'ask', 'embed', 'rerank', 'transcribe']);
    expect((await call('list_models', {})).text).toContain('hearth-demo: it writes text');
    const asked = await call('ask', { prompt: 'Hello', system: 'Be kind.', max_tokens: 5 });
    expect(asked).toMatchObject({ isError: false, text: expect.stringMatching(/./) as string });
    expect(ledgerOf(server).at(-1)).toMatchObject({ modelId: 'hearth-demo', completionTokens: 5 });
    const vectors = JSON.parse((await call('embed', { texts: ['a', 'b'] })).text) as number[][];
    expect(vectors.map(({ length }) => length > 10)).toEqual([true, true]);

    const ranked = await call('rerank', { query: 'a', documents: ['b'] });
    expect(ranked).toEqual({
      isError: true,
      text: 'No model here ranks texts. Get one with: hearth models pull',
    });
    const unknown = await call('ask', { prompt: 'Hi', model: 'nope' });
    expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining('nope') as string });
    expect((await call('ask', { prompt: 7 })).isError).toBe(true);
    expect((await call('transcribe', { audio: 'nothing' })).isError).toBe(true);
    const silence = Buffer.from(writeWav(new Float32Array(16_000)));
    const file = join(papers, 'silence.wav');
    writeFileSync(file, silence);
    const audio = kind === 'HTTP' ? silence.toString('base64') : file;
    if (canTranscribe) expect(await call('transcribe', { audio })).toEqual({ isError: false, text: '' });
    await client.close();
  });

  it('are for those who have a key', async () => {
    const client = new Client({ name: 'test', version: '1' });
    await expect(client.connect(overHttp('hk-wrong') as Transport)).rejects.toThrow(/401|key/i);
  });

  it('need a server', async () => {
    const folder = join(papers, 'nobody');
    const { code, stderr } = await hearthProcess(server.dataDir, ['mcp', 'serve', '--data-dir', folder]);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no server runs on this data folder') as string,
    });
  });
});

describe('hearth mcp', () => {
  it('lists the tools of each server, and says why one has none', async () => {
    const { code, stdout } = await mcp('list');
    expect(stdout).toMatch(/^toy +echo +no +Says the same\.$/m);
    expect(stdout).toMatch(/^toy +count +needed/m);
    expect(stdout).toMatch(/^gone +!! +- +does not start: it ended \(spawn \/no\/such\/program ENOENT\)$/m);
    expect(stdout).toMatch(/^odd +bad_pattern +no/m);
    expect(stdout).toMatch(/^odd +deep_schema +- +left out: it is faulty/m);
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

describe.skipIf(!hasServers)(
  "the protocol's own servers (skipped where HEARTH_TEST_MCP_SERVERS names no folder in which npm has installed @modelcontextprotocol/server-everything and server-filesystem)",
  () => {
    it('tell their tools, without those that ask for a person or for a model', async () => {
      const { stdout } = await mcp('list');
      expect(stdout).toMatch(/^everything +get-sum +no /m);
      expect(stdout).toMatch(/^files +read_text_file +no /m);
      expect(stdout).not.toMatch(/trigger-elicitation|trigger-sampling/);
    });

    it.for([
      { args: ['everything', 'get-sum', '{"a":2,"b":3}'], code: 0, out: /5/ },
      { args: ['everything', 'get-tiny-image'], code: 0, out: /\[a picture of the type image\/png\]/ },
      {
        args: ['everything', 'get-structured-content', '{"location":"Chicago"}'],
        code: 0,
        out: /temperature/,
      },
      { args: ['everything', 'get-sum', '{"a":"two"}'], code: 1, out: /invalid/i },
      { args: ['files', 'read_text_file', '{"path":"PAPERS/tides.txt"}'], code: 0, out: /^Twice a day\.\n$/ },
      { args: ['files', 'read_text_file', '{"path":"/etc/passwd"}'], code: 1, out: /outside allowed/ },
    ])('answer: $args', async ({ args, code, out }) => {
      const end = await mcp('try', ...args.map((text) => text.replace('PAPERS', papers)));
      expect(end.stdout).toMatch(out);
      expect(end.code).toBe(code);
    });
  },
);

describe('the demo', () => {
  const ask = async (name: string, label = 'toy') => {
    const client = new OpenAI({ baseURL: server.baseUrl, apiKey: server.apiKey, maxRetries: 0 });
    const stream = client.responses.stream({
      model: 'hearth-demo',
      input: 'Please echo "good morning".',
      max_output_tokens: 120,
      tools: [
        { type: 'mcp', server_label: label, allowed_tools: [name], require_approval: 'never' },
      ] as OpenAI.Responses.Tool[],
      tool_choice: { type: 'mcp', server_label: label },
    });
    return await stream.finalResponse();
  };

  it('calls a tool whose schema it cannot be held to', async () => {
    const { output } = await ask('bad_pattern', 'odd');
    const call = output.find((item) => item.type === 'mcp_call');
    expect(call).toMatchObject({ status: 'completed', error: null });
  });

  it('calls a tool and goes on with its result', async () => {
    const { output, output_text: text, usage } = await ask('echo');
    const call = output.find((item) => item.type === 'mcp_call');
    const { text: said } = JSON.parse(call?.arguments ?? '{}') as { text: string };
    expect(call).toMatchObject({ status: 'completed', output: said, error: null });
    expect(text).not.toBe('');
    expect(usage?.input_tokens_details.cached_tokens).toBeGreaterThan(0);
  });

  it.skipIf(!hasServers)(
    "calls a tool of the protocol's own server (skipped as the ones below)",
    async () => {
      const { output } = await ask('echo', 'everything');
      const call = output.find((item) => item.type === 'mcp_call');
      const { message } = JSON.parse(call?.arguments ?? '{}') as { message: string };
      expect(call).toMatchObject({ status: 'completed', output: `Echo: ${message}`, error: null });
    },
  );

  it('leaves no child of a tool behind when hearth is killed', async () => {
    const { output } = await ask('child');
    const call = output.find((item) => item.type === 'mcp_call');
    const pid = Number(call?.output);
    expect(isAlive(pid)).toBe(true);
    const keepers = await keepersOf(server.pid);
    expect(keepers.length).toBeGreaterThan(0);
    await server.kill();
    for (const one of [pid, ...keepers]) await expect.poll(() => isAlive(one)).toBe(false);
  });
});
