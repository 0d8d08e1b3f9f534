import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  response as responseSchema,
  type ResponseObject,
} from '../../../src/api/responses/response-schema.ts';
import { McpServers } from '../../../src/mcp/mcp-servers.ts';
import type { McpServerSpec } from '../../../src/mcp/server-spec.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import {
  listenWithStore,
  strangerKey,
  type ResponsesService,
} from '../../support/fakes/responses-service.ts';
import { fakeCatalog, fakeModel } from '../../support/fakes/fake-services.ts';
import { userKey } from '../../support/fakes/http-service.ts';
import {
  calling,
  free,
  itemOf,
  messagesOf,
  textOf,
  toolServer,
  types,
} from '../../support/fakes/tool-calls.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { finalResponse, readResponseEvents } from '../../support/wire/response-events.ts';

const program = fileURLToPath(new URL('../../support/fakes/programs/mcp-server.mjs', import.meta.url));
const lines: string[] = [];
const log = createLog({ level: 'info', pretty: false, destination: { write: (line) => lines.push(line) } });
const workingDir = mkdtempSync(path.join(tmpdir(), 'hearth-mcp-'));

const spec = (label: string, changes: Partial<McpServerSpec> = {}) => toolServer(label, [program], changes);

let service: ResponsesService;
let servers: McpServers;
const web = spawn(process.execPath, [program, '--http'], { stdio: ['ignore', 'pipe', 'inherit'] });

beforeAll(async () => {
  const [port] = (await once(web.stdout, 'data')) as [Buffer];
  const url = `http://127.0.0.1:${port.toString().trim()}/mcp`;
  servers = new McpServers(
    [
      spec('tools'),
      spec('fragile'),
      spec('bursting'),
      spec('brooding'),
      spec('careful', { approval: { never: ['echo'] } }),
      spec('short', { timeoutMs: 300, tools: ['hang', 'echo'] }),
      spec('gone', { transport: { kind: 'command', command: '/no/such/program', args: [], env: {} } }),
      // Too large an output ends the call at once.
      spec('distant', {
        transport: { kind: 'http', url, headers: { 'x-key': { env: 'KEY' } } },
      }),
      spec('web', { transport: { kind: 'http', url, headers: { 'x-key': { env: 'KEY' } } } }),
      spec('locked', { transport: { kind: 'http', url, headers: { 'x-key': 'wrong' } } }),
    ],
    { workingDir, readSetting: (value) => (typeof value === 'string' ? value : 'open sesame'), log },
  );
  const senses = { audio: false, image: true, functionCalling: true, reasoning: false };
  const catalog = fakeCatalog([fakeModel('tiny'), fakeModel('eyes', { capabilities: senses })]);
  service = await listenWithStore({}, { mcp: servers, catalog });
});
afterAll(async () => {
  web.kill();
  await service.close();
  await servers.close();
  rmSync(workingDir, { recursive: true });
});

const asked = () => service.engine.lastCall.request;

const ask = async (body: object): Promise<ResponseObject> => {
  const answer = await service.post({ input: 'Hi', tools: [free('tools')], ...body });
  const json: unknown = await answer.json();
  expect(answer.status, JSON.stringify(json)).toBe(200);
  return responseSchema.parse(json);
};
describe('a tool of a server', () => {
  it('is listed, called, and its result goes to the model; all that was computed counts', async () => {
    service.engine.script = calling(['tools__echo', { text: 'one' }], ['tools__echo', { text: 'two' }]);
    const answer = await ask({ store: true });
    expect(types(answer.output)).toEqual(['mcp_list_tools', 'message', 'mcp_call', 'message', 'mcp_call', 'message']);
    expect(itemOf(answer, 'mcp_list_tools').tools[0]).toMatchObject({ name: 'echo', description: 'Says the same.' });
    expect(itemOf(answer, 'mcp_call')).toMatchObject({
      server_label: 'tools', name: 'echo', arguments: '{"text":"two"}', output: 'two', error: null, status: 'completed', approval_request_id: null,
    });
    expect(textOf(answer)).toBe('It says: two');
    expect(answer.usage).toMatchObject({ input_tokens: 21, output_tokens: 7 });
    expect(service.limiter.lastSettlement).toMatchObject({ promptTokens: 21, completionTokens: 7 });
    const before = messagesOf(asked());
    expect(before.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
    // A later request shows the model the same, and the list is not shown again.
    service.engine.script = { steps: [{ text: 'Fine.' }] };
    const next = await ask({ previous_response_id: answer.id, input: 'Thanks' });
    expect(types(next.output)).toEqual(['message']);
    expect(messagesOf(asked()).slice(0, before.length)).toEqual(before);
    expect(await (await service.get(`${answer.id}?stream=true`)).text().then(readResponseEvents)).toContainEqual(
      expect.objectContaining({ type: 'response.mcp_call.completed' }),
    );
    expect(service.logLines.join('')).toContain('"tool":"echo","outcome":"completed"');
    expect(service.logLines.join('')).not.toContain('two');
    expect(await service.metrics.render()).toContain('hearth_tool_calls_total{server="tools",tool="echo",outcome="completed"}');
  }); // prettier-ignore

  it.each([['estimated', 'reported'], ['reported', 'estimated'], ['tokenized', 'estimated'], [undefined, 'reported']] as const)('is charged as surely as the less sure of two turns: %s, %s', async (first, second) => {
    const script = calling(['tools__echo', { text: 'one' }]);
    service.engine.script = (request) => {
      const source = messagesOf(request).some(({ role }) => role === 'tool') ? second : first;
      return { ...script(request), ...(source && { source }) };
    };
    await ask({});
    const sources = [first, second];
    expect(service.limiter.lastSettlement?.source).toBe(sources.includes('estimated') ? 'estimated' : 'reported');
    // Two prompts of one request are summed the same way.
    service.engine.script = (request) => {
      const source = request.prompt.kind === 'text' && request.prompt.text === 'a' ? first : second;
      return { steps: [{ text: 'x' }], ...(source && { source }) };
    };
    await service.client.completions.create({ model: 'tiny', prompt: ['a', 'b'] });
    expect(service.limiter.lastSettlement?.source).toBe(sources.includes('estimated') ? 'estimated' : 'reported');
  }); // prettier-ignore

  it('streams its events, which the official client reads', async () => {
    service.engine.script = calling(['tools__echo', { text: 'one' }]);
    const answer = await service.post({ input: 'Hi', tools: [free('tools')], stream: true });
    const events = readResponseEvents(await answer.text());
    const names = events.map(({ type }) => type).filter((type) => type.includes('mcp'));
    expect(names.map((name) => name.replace('response.mcp_', ''))).toEqual([
      'list_tools.in_progress', 'list_tools.completed', 'call.in_progress', 'call_arguments.delta', 'call_arguments.done', 'call.completed',
    ]); // prettier-ignore
    const tools = [free('tools')] as OpenAI.Responses.Tool[];
    const stream = service.client.responses.stream({ model: 'tiny', input: 'Hi', tools });
    const final = await stream.finalResponse();
    expect(final.output.map(({ type }) => type)).toEqual(types(finalResponse(events).output));
    expect(final.output_text).toContain('It says: one');
  });

  it('answers with a picture, which a model that sees gets', async () => {
    service.engine.script = calling(['tools__picture', {}]);
    const output = '[a picture of the type image/png]\na dot';
    for (const [model, attachments] of [['tiny', undefined], ['eyes', [{ kind: 'picture', offset: output.indexOf('\n'), file: expect.anything() as unknown }]]] as const) {
      const answer = await ask({ model });
      expect(itemOf(answer, 'mcp_call').output).toBe(output);
      const told = messagesOf(asked()).at(-1);
      expect(told?.content).toBe(output);
      expect(told?.attachments).toEqual(attachments);
    }
  }); // prettier-ignore

  it('answers with control tokens, which are no more than its text', async () => {
    service.engine.script = calling(['tools__control', {}]);
    expect(itemOf(await ask({}), 'mcp_call').output).toContain('<|im_end|>');
    expect(messagesOf(asked()).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  it.each([
    { case: 'that fails', call: ['tools__fail', {}], error: { type: 'mcp_tool_execution_error', content: [{ type: 'text', text: 'it is broken' }] }, told: 'The tool failed. it is broken' },
    { case: 'with arguments that are no JSON', call: ['tools__echo', '{"text":'], error: { code: -32_602 }, told: 'no JSON object' },
    { case: 'with arguments that do not fit', call: ['tools__echo', { text: 5 }], error: { code: -32_602 }, told: 'do not fit' },
    { case: 'with a result of 10 MB', call: ['bursting__huge', { bytes: 1e7 }], error: { message: 'The server sent more than 8 MiB, or more than 130,000 objects and lists, at once.' }, told: '8 MiB' },
    { case: 'with a result of 200,000 lists', call: ['brooding__huge', { bytes: 1, lists: 200_000 }], error: { message: expect.stringContaining('130,000 objects and lists') as string }, told: 'lists' },
    { case: 'with a result of 200,000 lists from afar', call: ['distant__huge', { bytes: 1, lists: 200_000 }], error: { message: expect.stringContaining('130,000 objects and lists') as string }, told: 'lists' },
    { case: 'that takes too long', call: ['short__hang', {}], error: { code: -32_001, message: 'The server did not answer in time.' }, told: 'in time' },
    { case: 'that ends its server', call: ['fragile__crash', {}], error: { message: 'The server ended.' }, told: 'ended' },
  ] as const)('$case', async ({ call, error, told }) => {
    service.engine.script = calling([call[0], call[1]]);
    const answer = await ask({ tools: [free(call[0].split('__')[0] ?? '')] });
    expect(itemOf(answer, 'mcp_call')).toMatchObject({ status: 'failed', output: null, error });
    expect(textOf(answer)).toContain(told);
  }); // prettier-ignore
});

describe('a server', () => {
  it('that has ended is started again, after a while', async () => {
    const tools = [free('fragile')];
    service.engine.script = calling(['fragile__crash', {}]);
    const isCalled = async () => types((await ask({ tools })).output).includes('mcp_call');
    await expect.poll(isCalled, { interval: 300 }).toBe(true);
    expect(itemOf(await ask({ tools }), 'mcp_list_tools').error).toMatch(
      /^The server has ended, and is started again in \d+ s at the earliest\.$/,
    );
    service.engine.script = calling(['fragile__echo', { text: 'back' }]);
    await expect.poll(async () => textOf(await ask({ tools })), { interval: 300 }).toBe('It says: back');
  });

  it('runs in a folder of its own, without a variable of this process', async () => {
    process.env['HEARTH_API_KEY'] = 'hk-secret';
    const tools = [free('tools')];
    service.engine.script = calling(['tools__place', {}]);
    const shown = itemOf(await ask({ tools }), 'mcp_call').output ?? '';
    const { cwd, env } = JSON.parse(shown) as { cwd: string; env: object };
    delete process.env['HEARTH_API_KEY'];
    expect(cwd).toBe(path.join(workingDir, 'tools'));
    const names = Object.keys(env);
    expect(names).toEqual(expect.arrayContaining(['GREETING', 'PATH']));
    const isExpected = (name: string) => /^(?:GREETING|PATH|HOME|LOGNAME|SHELL|TERM|USER|_.*)$/.test(name);
    expect(names.filter((name) => !isExpected(name))).toEqual([]);
  });

  it.each(['sampling/createMessage', 'elicitation/create', 'roots/list'])(
    'that asks for %s is refused, which the log says',
    async (method) => {
      service.engine.script = calling(['tools__ask', { method }]);
      expect(textOf(await ask({}))).toContain(`hearth does not answer ${method}`);
      expect(lines.join('')).toContain(`"method":"${method}"`);
    },
  );

  it('has names and descriptions that are bounded and plain', async () => {
    service.engine.script = { steps: [{ text: 'Hello' }] };
    await ask({});
    const names = asked().tools?.definitions.map(({ name }) => name) ?? [];
    expect(names.every((name) => /^[\w-]{1,64}$/.test(name))).toBe(true);
    const evil = names.find((name) => name.startsWith('tools__evil')) ?? '';
    service.engine.script = calling([evil, {}]);
    expect(textOf(await ask({}))).toBe('It says: evil');
    for (const { description = '' } of asked().tools?.definitions ?? []) {
      expect(description.length).toBeLessThan(2100);
      expect(description).not.toContain('\u001B');
    }
  });

  it('is reached at its address, with the headers of its settings', async () => {
    service.engine.script = calling(['web__echo', { text: 'afar' }], ['web__huge', { bytes: 5000 }]);
    const answer = await ask({ tools: [free('web')] });
    expect(itemOf(answer, 'mcp_call').output).toMatch(
      /^x{1000}\n\[cut here: 5,000 bytes came, and 1,000 are shown\]$/,
    );
  });

  it.each([
    { label: 'gone', error: /^The server does not start: it / },
    { label: 'locked', error: /^The server does not start: it cannot be reached\.$/ },
  ])('that cannot be used says so: $label', async ({ label, error }) => {
    service.engine.script = { steps: [{ text: 'Hello' }] };
    const answer = await ask({ tools: [free(label), { type: 'function', name: 'own' }] });
    const list = { tools: [], error: expect.stringMatching(error) as string };
    expect(itemOf(answer, 'mcp_list_tools')).toMatchObject(list);
    expect(asked().tools?.definitions).toHaveLength(1);
  });

  it('answers twenty at once', async () => {
    service.engine.script = calling(['tools__slow', { ms: 50 }], ['tools__echo', { text: 'x' }]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask({})));
    expect(answers.map(textOf)).toEqual(Array.from({ length: 20 }, () => 'It says: x'));
  });
});

describe('what a request says of servers', () => {
  it.each([
    { tool: { server_label: 'nobody' }, code: 'invalid_value', param: 'tools[0].server_label', says: '"tools"' },
    { tool: {}, code: 'missing_required_parameter', param: 'tools[0].server_label', says: 'server_label' },
    { tool: { server_label: 'x', server_url: 'http://10.0.0.1' }, code: 'unsupported_value', param: 'tools[0].server_url', says: '"careful"' },
    { tool: { server_label: 'tools', headers: { a: 'b' } }, code: 'unsupported_value', param: 'tools[0].headers', says: 'operator' },
    { tool: { server_label: 'tools', allowed_tools: ['echo', 'rm'] }, code: 'invalid_value', param: 'tools[0].allowed_tools', says: '"rm"' },
    { tool: { server_label: 'short', allowed_tools: ['count'] }, code: 'invalid_value', param: 'tools[0].allowed_tools', says: '"count"' },
    { tool: { server_label: 'tools', require_approval: 'sometimes' }, code: 'invalid_value', param: 'tools[0].require_approval', says: 'always' },
  ] as const)('is refused: $tool', async ({ tool, code, param, says }) => {
    const answer = await service.post({ input: 'Hi', tools: [{ type: 'mcp', ...tool }] });
    const message = await expectError(answer, code, param);
    expect(message).toContain(says);
  }); // prettier-ignore

  it('is refused to a key that may use none, which learns no labels', async () => {
    for (const tool of [free('tools'), free('nobody'), free('x', { server_url: 'http://10.0.0.1' })]) {
      const answer = await service.post({ input: 'Hi', tools: [tool] }, { key: strangerKey });
      const message = await expectError(answer, 'insufficient_permissions', 'tools[0]');
      expect(message).toBe('This key may use no MCP servers.');
    }
  });

  it('is told before, by server', async () => {
    const list = async (key: string): Promise<unknown> => (await service.get('../mcp_servers', { key })).json();
    const gone = { object: 'mcp_server', server_label: 'gone', tools: [], error: expect.any(String) as string };
    expect(await list(userKey)).toMatchObject({ data: expect.arrayContaining([gone]) as unknown });
    expect(await list(strangerKey)).toEqual({ object: 'list', data: [] });
  }); // prettier-ignore

  it('chooses its tools', async () => {
    service.engine.script = calling(['tools__echo', { text: 'x' }]);
    const only = free('tools', { allowed_tools: { tool_names: ['echo', 'count'] }, server_description: 'For trials.' });
    const answer = await ask({ tools: [only], tool_choice: { type: 'mcp', server_label: 'tools', name: 'echo' } });
    const [first, second] = service.engine.calls.slice(-2).map(({ request }) => request.tools);
    expect(first).toMatchObject({ allowed: ['tools__echo'], required: true });
    expect(second).toMatchObject({ required: false });
    expect(first?.definitions.map(({ name, description }) => [name, description?.split('\n')[0]])).toEqual([
      ['tools__echo', 'For trials.'],
      ['tools__count', expect.stringContaining('im_start')],
    ]);
    expect(answer.tools).toEqual([
      { type: 'mcp', server_label: 'tools', server_description: 'For trials.', allowed_tools: ['echo', 'count'], require_approval: 'never' },
    ]);
    expect(answer.tool_choice).toEqual({ type: 'mcp', server_label: 'tools', name: 'echo' });
  }); // prettier-ignore

  it('bounds the calls: then the model has to answer', async () => {
    service.engine.script = calling(['tools__count', {}], ['tools__count', {}], ['tools__count', {}]);
    const answer = await ask({ max_tool_calls: 2 });
    expect(types(answer.output).filter((type) => type === 'mcp_call')).toHaveLength(2);
    expect(types(answer.output).at(-1)).toBe('message');
  });

  it('leaves calls of own functions to the client', async () => {
    service.engine.script = { steps: [{ call: 'own' }, { arguments: '{}' }, { call: 'tools__count' }, { arguments: '{}' }], finishReason: 'tool_calls' };
    const before = service.engine.calls.length;
    const answer = await ask({ tools: [{ type: 'function', name: 'own' }, free('tools')] });
    expect(types(answer.output)).toEqual(['mcp_list_tools', 'function_call', 'mcp_call']);
    expect(service.engine.calls).toHaveLength(before + 1);
  }); // prettier-ignore
});

describe('a call that a person has to allow', () => {
  const tools = [{ type: 'mcp', server_label: 'tools' }];
  const wanted = async (body: object = {}) => {
    service.engine.script = calling(['tools__count', {}]);
    const answer = await ask({ tools, store: true, ...body });
    expect(types(answer.output).at(-1)).toBe('mcp_approval_request');
    return { answer, request: itemOf(answer, 'mcp_approval_request') };
  };
  const given = { type: 'mcp_approval_response' };
  const allowing = (id: string, approve = true) => ({ ...given, approval_request_id: id, approve });

  it('is asked for in the stream, and made once it is allowed', async () => {
    service.engine.script = calling(['tools__count', {}]);
    const answer = await service.post({ input: 'Hi', tools, stream: true, store: true });
    const first = finalResponse(readResponseEvents(await answer.text()));
    const { id, ...request } = itemOf(first, 'mcp_approval_request');
    expect(request).toMatchObject({ server_label: 'tools', name: 'count', arguments: '{}' });
    const answered = { previous_response_id: first.id, tools, input: [allowing(id)] };
    const next = await service.post({ ...answered, stream: true });
    const made = finalResponse(readResponseEvents(await next.text()));
    expect(types(made.output)).toEqual(['mcp_call', 'message']);
    expect(itemOf(made, 'mcp_call')).toMatchObject({ approval_request_id: id, status: 'completed' });
    expect(messagesOf(asked()).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    await expectError(await service.post(answered), 'invalid_value', 'input[0].approval_request_id');
  });

  it('is allowed in a conversation that the client keeps', async () => {
    const { answer, request } = await wanted({ store: false });
    const input = [{ role: 'user', content: 'Hi' }, ...answer.output, allowing(request.id)];
    const made = await ask({ tools, input });
    const later = [...input, ...made.output, { role: 'user', content: 'And?' }];
    service.engine.script = { steps: [{ text: 'Well.' }] };
    expect(types((await ask({ tools, input: later })).output)).toEqual(['message']);
    const roles = messagesOf(asked()).map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
  });

  it('is not made where it is refused, or nobody answers', async () => {
    const { answer, request } = await wanted();
    const refusal = { ...allowing(request.id, false), reason: 'Too dear.' };
    await ask({ tools, previous_response_id: answer.id, input: [refusal] });
    expect(messagesOf(asked()).at(-1)?.content).toBe('The user does not allow this call. Too dear.');
    await ask({ tools, previous_response_id: answer.id, input: 'Never mind' });
    expect(messagesOf(asked()).at(-2)?.content).toContain('nobody has said whether it is allowed');
  });

  it.each(['made up', 'changed', 'of another account', 'answered twice', 'whose tool is not offered'])(
    'is refused: %s',
    async (what) => {
      const { answer, request } = await wanted();
      const yes = allowing(request.id);
      const bodies: Record<string, object> = {
        'made up': { input: [allowing('mcpr_0')] },
        changed: { input: [{ ...request, arguments: '{"force":true}' }, yes] },
        'of another account': { input: [request, yes] },
        'answered twice': { previous_response_id: answer.id, input: [yes, yes] },
        'whose tool is not offered': { input: [request, yes], tools: [free('short')] },
      };
      const isOther = what === 'of another account';
      const body = { tools: isOther ? [] : tools, ...bodies[what] };
      const refused = await service.post(body, isOther ? { key: strangerKey } : {});
      await expectError(refused, 'invalid_value', `input[${what === 'made up' ? 0 : 1}].approval_request_id`);
    },
  );

  it('is one that the operator wants allowed, whatever the request says', async () => {
    service.engine.script = calling(['careful__echo', { text: 'x' }], ['careful__count', {}]);
    const answer = await ask({ tools: [free('careful')] });
    expect(types(answer.output).filter((type) => type.startsWith('mcp_'))).toEqual(['mcp_list_tools', 'mcp_call', 'mcp_approval_request']);
  }); // prettier-ignore
});
