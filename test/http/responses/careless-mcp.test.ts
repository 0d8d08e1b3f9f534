import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  response as responseSchema,
  type ResponseObject,
} from '../../../src/api/responses/response-schema.ts';
import { AppError } from '../../../src/errors/errors.ts';
import { McpServers } from '../../../src/mcp/mcp-servers.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { listenWithStore, type ResponsesService } from '../../support/fakes/responses-service.ts';
import { calling, free, itemOf, toolServer } from '../../support/fakes/tool-calls.ts';
import { expectError } from '../../support/wire/error-envelope.ts';

const program = fileURLToPath(new URL('../../support/fakes/programs/odd-mcp-server.mjs', import.meta.url));
const lines: string[] = [];
const log = createLog({ level: 'info', pretty: false, destination: { write: (line) => lines.push(line) } });
const workingDir = mkdtempSync(path.join(tmpdir(), 'hearth-mcp-'));
const web = spawn(process.execPath, [program, '--http'], { stdio: ['ignore', 'pipe', 'inherit'] });
let servers: McpServers;
let service: ResponsesService;
beforeAll(async () => {
  const [port] = (await once(web.stdout, 'data')) as [Buffer];
  const origin = `http://127.0.0.1:${port.toString().trim()}`;
  const byHttp = ['json', 'events', 'flood', 'flooded', 'endless'].map((way) =>
    toolServer(`http_${way}`, [], { transport: { kind: 'http', url: `${origin}/${way}`, headers: {} } }),
  );
  const byCommand = [toolServer('odd', [program]), toolServer('flood', [program, 'flood'])];
  const readSetting = (value: unknown) => (typeof value === 'string' ? value : undefined);
  servers = new McpServers([...byCommand, ...byHttp], { workingDir, readSetting, log });
  service = await listenWithStore({}, { mcp: servers });
});
afterAll(async () => {
  await service.close();
  await servers.close();
  web.kill();
  rmSync(workingDir, { recursive: true });
});

const ask = async (body: object): Promise<ResponseObject> => {
  const answer = await service.post({ input: 'Hi', ...body });
  const json: unknown = await answer.json();
  expect(answer.status, JSON.stringify(json)).toBe(200);
  return responseSchema.parse(json);
};
const asked = () => service.engine.lastCall.request;

describe('a careless server', () => {
  const good = ['echo', 'nulls', 'inner_null', 'list_of_properties', 'no_type', 'bad_type', 'elsewhere', 'bad_ref', 'bad_pattern', 'deep_result']; // prettier-ignore
  const faulty = ['of_a_list', 'no_schema', 'full_list', 'deep_schema', 'number_42'];

  const labels = ['odd', 'http_json', 'http_events'];

  it.each(labels)(
    'offers its good tools; the log and the command line name the others: %s',
    async (label) => {
      lines.length = 0;
      service.engine.script = { steps: [{ text: 'Hello' }] };
      const { tools: listed } = itemOf(await ask({ tools: [free(label)] }), 'mcp_list_tools');
      expect(listed.map(({ name }) => name)).toEqual(good);
      const schemas = Object.fromEntries(listed.map(({ name, input_schema: schema }) => [name, schema]));
      expect(schemas).toMatchObject({
        nulls: { type: 'object' },
        inner_null: { type: 'object', properties: { a: { type: 'string', default: null } } },
        list_of_properties: { type: 'object', properties: {} },
      });
      expect(lines.join('')).toContain(JSON.stringify(faulty));
    },
  );

  it.each([
    ['echo', 'a'],
    ['nulls', '[a part of the type "text", which cannot be read]'],
    ['inner_null', ''],
    ['list_of_properties', ''],
    ['no_type', 'plain'],
    ['bad_type', 'a'],
    ['elsewhere', '[a picture]'],
    ['bad_ref', 'a\n[a part of the type "video", which cannot be read]'],
    ['bad_pattern', 'a\n[a part that cannot be read]'],
    ['deep_result', '[an answer that is nested too deep to be shown]'],
  ])(
    'gets the calls that it is made, and what can be read of the result is told: %s',
    async (name, output) => {
      for (const label of labels) {
        service.engine.script = calling([`${label}__${name}`, {}]);
        const call = itemOf(await ask({ tools: [free(label)] }), 'mcp_call');
        expect(call, label).toMatchObject({ status: 'completed', output, error: null });
      }
    },
  );

  it('has schemas that cannot be held held loosely, which only the log says', async () => {
    const refused = ['bad_type', 'bad_pattern'].map((name) => `odd__${name}`);
    service.engine.script = (request) => {
      const { definitions = [] } = request.tools ?? {};
      const index = definitions.findIndex(
        ({ name, parameters }) => refused.includes(name) && parameters?.['properties'] !== undefined,
      );
      const param = `tools[${index}].parameters.properties.a`;
      const error = new AppError('invalid_json_schema', 'It cannot be honoured.', { param });
      if (index >= 0) return { before: [{ fail: error }], steps: [] };
      return calling(['odd__bad_type', { a: 1 }])(request);
    };
    const answer = await ask({ tools: [free('odd')] });
    expect(itemOf(answer, 'mcp_call')).toMatchObject({ status: 'completed', arguments: '{"a":1}' });
    const { description } = asked().tools?.definitions.find(({ name }) => name === refused[0]) ?? {};
    expect(description).toContain('{"a":{"type":"any"}}');
    expect(service.logLines.join('')).toContain('"tool":"bad_pattern","reason":"It cannot be honoured."');
    // A client's own schema is still refused.
    service.engine.script = {
      before: [{ fail: new AppError('invalid_json_schema', 'No.', { param: 'tools[0].parameters' }) }],
      steps: [],
    };
    const own = { type: 'function', name: 'own', parameters: { type: 'object' } };
    const refusal = await service.post({ input: 'Hi', tools: [own, free('odd')] });
    await expectError(refusal, 'invalid_json_schema', 'tools[0].parameters');
  });

  it('has no more pages read than is said, and the log names that', async () => {
    service.engine.script = { steps: [{ text: 'Hello' }] };
    const { tools: listed } = itemOf(await ask({ tools: [free('http_endless')] }), 'mcp_list_tools');
    expect(listed.map(({ name }) => name)).toEqual(['of_page_128']);
    expect(lines.join('')).toContain('"server":"http_endless","tools":["those of further pages"]');
    const docs = readFileSync(new URL('../../../docs/agents.md', import.meta.url), 'utf8');
    expect(docs).toContain('Up to 128 tools of up to 128 pages are read.');
  });

  it.each(['flood', 'http_flood', 'http_flooded'])(
    'that floods is ended, with one line: %s',
    async (label) => {
      service.engine.script = { steps: [{ text: 'Hello' }] };
      const list = async () => itemOf(await ask({ tools: [free(label)] }), 'mcp_list_tools').error;
      await expect.poll(list, { timeout: 10_000 }).toMatch(/sent too much|has ended/);
      const about = () => lines.filter((line) => line.includes(`"server":"${label}"`));
      await expect.poll(() => about().join('')).toContain('ended an MCP server');
      expect(about().filter((line) => line.includes('ended an MCP')).length).toBe(1);
      expect(about().filter((line) => line.includes('refused what')).length).toBe(1);
    },
  );
});
