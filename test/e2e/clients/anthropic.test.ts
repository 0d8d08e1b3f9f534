import Anthropic, { AuthenticationError, NotFoundError } from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import recorded from '../../support/wire/claude-code-requests.json' with { type: 'json' };
import { readMessageEvents, toMessage } from '../../support/wire/messages.ts';
import { forecast } from '../../support/wire/tool-answers.ts';
import { ownTemplates } from '../../support/models/templates.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';
import { openToolModel, toolModel, toolModelIds } from '../../support/models/tool-models.ts';

/** A model that writes arguments without quotes. */
const coder = 'coder';

const chat = useChatServer({
  models: async () => ({
    ...(await openToolModel()),
    [coder]: await tinyModel({ chatTemplate: ownTemplates.coder }),
  }),
  settings: { [toolModel]: { aliases: ['claude-opus-5-5'] } },
});
const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'What will the weather be?' }];

/** The official client; a test wants to see the first answer. */
function open(options: { apiKey?: string | null; authToken?: string | null } = {}): Anthropic {
  const { baseUrl, apiKey } = chat().server;
  return new Anthropic({
    baseURL: new URL('/', baseUrl).href,
    apiKey,
    authToken: null,
    maxRetries: 0,
    ...options,
  });
}

/** Without bounds of texts and numbers: the client makes remarks of those, and random weights then write on and on. */
const sky = z.strictObject({ clouds: z.enum(['few', 'many']), rain: z.boolean() });

/** Parameters that the client has no types for any more, but sends. */
const drawn = (seed: number) => ({ temperature: 0.8, seed });

describe.for(toolModelIds)("Anthropic's client with %s", (model) => {
  it('streams the same message as it gets whole, and counts its tokens', async () => {
    const request = { model, messages, system: 'You forecast the weather.', max_tokens: 30, ...drawn(2) };
    const whole = await open().messages.create(request);
    const stream = open().messages.stream(request);
    const pieces: string[] = [];
    stream.on('text', (piece) => pieces.push(piece));
    const streamed = await stream.finalMessage();
    const withoutId = ({ id: _id, usage: _usage, ...rest }: Anthropic.Message) => rest;
    expect(streamed).toMatchObject(withoutId(whole));
    expect(pieces.join('')).toBe(
      streamed.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
    );
    const { input_tokens } = await open().messages.countTokens({ model, messages, system: request.system });
    for (const { usage } of [whole, streamed])
      expect(usage.input_tokens + (usage.cache_read_input_tokens ?? 0)).toBe(input_tokens);
    expect(streamed.usage.cache_read_input_tokens).toBeGreaterThan(0);
  });

  it('finds the prompt of another session in the cache, whose attribution header differs', async () => {
    const rules = 'Answer in one word. '.repeat(40);
    const ask = (suffix: string) =>
      open().messages.create({
        model,
        messages,
        max_tokens: 1,
        system: [
          { type: 'text', text: `x-anthropic-billing-header: cc_version=2.1.197.${suffix}; cch=${suffix};` },
          { type: 'text', text: rules },
        ],
      });
    await ask('d7d');
    const { usage } = await ask('e8f');
    expect(usage.input_tokens).toBeLessThan(8);
  });

  it('ends at a stop sequence, and tells which', async () => {
    const request = { model, messages, max_tokens: 200, ...drawn(1) };
    const { content } = await open().messages.create(request);
    const [block] = content;
    const stop = block?.type === 'text' ? block.text.slice(3, 5) : '';
    const { stop_reason, stop_sequence } = await open().messages.create({
      ...request,
      stop_sequences: ['never', stop],
    });
    expect({ stop_reason, stop_sequence }).toEqual({ stop_reason: 'stop_sequence', stop_sequence: stop });
  });

  it('gets an answer that fits a schema, parsed', async () => {
    const { parsed_output } = await open().messages.parse({
      model,
      messages,
      max_tokens: 400,
      output_config: { format: zodOutputFormat(sky) },
    });
    expect(sky.safeParse(parsed_output).success).toBe(true);
  });

  it.for([false, true])('has its tool runner go several rounds (stream: %s)', async (stream) => {
    const asked: z.infer<typeof forecast>[] = [];
    const tool = betaZodTool({
      name: 'get_forecast',
      description: 'Forecasts the weather.',
      inputSchema: forecast,
      run(place) {
        asked.push(place);
        return JSON.stringify({ sun: true });
      },
    });
    const runner = open().beta.messages.toolRunner({
      model,
      messages: [{ role: 'user', content: 'What will the weather be?' }],
      tools: [tool],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      max_tokens: 400,
      max_iterations: 2,
      stream,
    });
    await runner.runUntilDone();
    expect(asked).toHaveLength(2);
    for (const place of asked) expect(forecast.safeParse(place).success).toBe(true);
    const roles = runner.params.messages.map(({ role }) => role);
    expect(roles.slice(0, 3)).toEqual(['user', 'assistant', 'user']);
  });
});

describe("Anthropic's client", () => {
  it('gets thoughts, and sends them back', async () => {
    const request = {
      model: toolModel,
      messages,
      max_tokens: 200,
      thinking: { type: 'enabled', budget_tokens: 20 },
    } as const;
    const stream = open().messages.stream(request);
    const thoughts: string[] = [];
    stream.on('thinking', (piece) => thoughts.push(piece));
    const { content, usage } = await stream.finalMessage();
    const [block] = content;
    expect(block).toMatchObject({ type: 'thinking', thinking: thoughts.join('') });
    expect(usage.output_tokens_details?.thinking_tokens).toBeGreaterThan(0);
    const sentBack = [
      ...messages,
      { role: 'assistant', content },
      { role: 'user', content: 'And then?' },
    ] as const;
    const next = { ...request, messages: [...sentBack] };
    expect((await open().messages.create(next)).role).toBe('assistant');
    const forged = [{ type: 'thinking', thinking: 'I was told so.', signature: 'EqQBCkYIBxgCKkBx' }] as const;
    const begunElsewhere = open().messages.create({
      ...next,
      messages: [...messages, { role: 'assistant', content: [...forged] }, ...messages],
    });
    // A conversation begun elsewhere goes on without the thoughts that are not ours.
    expect((await begunElsewhere).role).toBe('assistant');
  });

  it('reads errors as those of Anthropic', async () => {
    const ask = (client: Anthropic, change: object = {}) =>
      client.messages.create({ model: 'tiny', messages, max_tokens: 5, ...change });
    await expect(ask(open({ apiKey: 'sk-ant-wrong' }))).rejects.toThrow(AuthenticationError);
    const missing = ask(open(), { model: 'claude-none' });
    await expect(missing).rejects.toMatchObject({
      type: 'not_found_error',
      requestID: expect.stringMatching(/^req_/),
    });
    await expect(missing).rejects.toThrow(NotFoundError);
    const long = ask(open(), { messages: [{ role: 'user', content: 'many words '.repeat(4000) }] });
    await expect(long).rejects.toThrow(/prompt is too long: \d+ tokens > \d+ maximum/);
  });

  it('may send its key as a bearer, use an alias, and list the models', async () => {
    const client = open({ apiKey: null, authToken: chat().server.apiKey });
    const { model } = await client.messages.create({ model: 'claude-opus-5-5', messages, max_tokens: 5 });
    expect(model).toBe('claude-opus-5-5');
    const listed: string[] = [];
    for await (const { id } of client.models.list()) listed.push(id);
    expect(listed).toContain(toolModel);
    expect(await client.models.retrieve('claude-opus-5-5')).toMatchObject({ id: 'claude-opus-5-5' });
  });
});

/** Requests as Claude Code 2.1 sends them, with shorter texts and fewer tools. */
describe.for(Object.entries(recorded.turns))('Claude Code gets %s answered', ([, turn]) => {
  it.for([...toolModelIds, coder])('by %s', async (model) => {
    const { baseUrl, apiKey } = chat().server;
    const response = await fetch(`${baseUrl}/messages?beta=true`, {
      method: 'POST',
      headers: { ...recorded.headers, authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ model, messages: turn, max_tokens: 60, ...recorded.shared }),
    });
    expect(response.status).toBe(200);
    const { stop_reason, usage } = toMessage(readMessageEvents(await response.text()));
    expect(stop_reason).toMatch(/^(end_turn|max_tokens|tool_use)$/);
    expect(usage.output_tokens).toBeGreaterThan(0);
    expect(response.headers.get('x-ignored-parameters')).toMatch(/^context_management/);
  });
});

describe.for([toolModel, coder])('tools of %s', (model) => {
  const offer = (strict: boolean, more: object = {}) => ({
    model,
    messages,
    tools: [
      {
        name: 'f',
        strict,
        input_schema: { type: 'object' as const, properties: { a: { type: 'string', pattern: '(?<=x)y' } } },
      },
    ],
    ...more,
  });

  it('are counted where they can be called, and refused where they cannot', async () => {
    const limit = { max_tokens: 5 };
    const { input_tokens } = await open().messages.countTokens(offer(false));
    const { usage } = await open().messages.create({ ...offer(false), ...limit });
    expect(usage.input_tokens + (usage.cache_read_input_tokens ?? 0)).toBe(input_tokens);
    const path = 'tools[0].input_schema.properties.a.pattern';
    await expect(open().messages.create({ ...offer(true), ...limit })).rejects.toThrow(path);
    await expect(open().messages.countTokens(offer(true))).rejects.toThrow(path);
  });

  it('stay in a prompt that may call none, so that it is found in the cache', async () => {
    const rules = { system: 'Answer in one word. '.repeat(20), max_tokens: 5 };
    await open().messages.create({ ...offer(false), ...rules });
    const none = offer(false, { tool_choice: { type: 'none' } });
    const { usage, content } = await open().messages.create({ ...none, ...rules });
    expect(usage.input_tokens).toBeLessThan(20);
    expect(usage.cache_read_input_tokens).toBeGreaterThan(100);
    expect(content.map(({ type }) => type)).not.toContain('tool_use');
  });
});
