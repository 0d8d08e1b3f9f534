import { toFile } from 'openai';
import { describe, expect, it } from 'vitest';
import { openClient, streamChat, textOf, tokensByChunk } from '../../support/server/chat-client.ts';
import { canTranscribe, demoSpeech } from '../../support/models/demo-speech.ts';
import { engineErrorCases } from '../../support/wire/engine-errors.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { tinyEncoder, tinyModel } from '../../support/models/tiny-model.ts';
import { readCalls, tools } from '../../support/wire/tool-answers.ts';
import { upstreamModel, useUpstream } from '../../support/upstream/upstream-fixture.ts';
import { tone, writeWav } from '../../support/audio/wav.ts';
import { ledgerOf } from '../../support/watch/ledger.ts';
import type { RunningServer } from '../../support/server/start-server.ts';

// Two real hearths, one in front of the other: the answers of the one in front must be those of the one behind.
const both = useUpstream({
  models: async () => ({
    tiny: await tinyModel(),
    encoder: await tinyEncoder(),
    ...(canTranscribe && { ears: await demoSpeech() }),
  }),
  inFront: (url) => [
    upstreamModel('tiny', url),
    upstreamModel('org/other', url, { model: 'tiny' }, { aliases: ['gpt-4o-mini'], context: 512 }),
    upstreamModel('encoder', url, {}, { kind: 'embedding' }),
    upstreamModel('ears', `${url}/`, {}, { kind: 'speech' }),
  ],
});

const clients = () => [openClient(both().behind), openClient(both().front)] as const;
const messages = [{ role: 'user' as const, content: 'Grüße, once upon a time \u{1f525}' }];
const greedy = { temperature: 0, max_tokens: 40, ignore_eos: true };

/** The answers of both servers, asked one after the other, the one behind first. */
async function askBoth<Answer>(
  ask: (client: ReturnType<typeof openClient>) => PromiseLike<Answer>,
): Promise<[Answer, Answer]> {
  const [behind, front] = clients();
  return [await ask(behind), await ask(front)];
}

/** Without the parts that differ from answer to answer. */
const withoutHead = (answer: object): unknown =>
  JSON.parse(
    JSON.stringify(answer, (key, value: unknown) =>
      ['id', 'created', 'system_fingerprint', '_request_id', 'cached_tokens'].includes(key)
        ? undefined
        : value,
    ),
  );

/** An expectation of answers like `answer`. Logarithms differ a little with the work beside. */
function alike(answer: unknown): unknown {
  if (typeof answer === 'number') return Number.isInteger(answer) ? answer : expect.closeTo(answer, 1);
  if (typeof answer !== 'object' || answer === null) return answer;
  if (Array.isArray(answer)) return answer.map(alike);
  return Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, alike(value)]));
}

const ollamaGreedy = { temperature: 0, num_predict: 16 };

/** A server's answer at a route that the client of OpenAI does not know. */
async function post(server: RunningServer, path: string, body: object): Promise<Response> {
  return await fetch(new URL(path, server.baseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.apiKey}` },
    body: JSON.stringify(body),
  });
}

async function postJson(server: RunningServer, path: string, body: object) {
  const response = await post(server, path, body);
  return { status: response.status, answer: await response.json() };
}

/** Without ids, times, and cached tokens. */
const comparable = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (key, value: unknown) =>
      /^(?:id|created_at|context|.*_duration|cache_.*|input_tokens)$/.test(key) ? undefined : value,
    ),
  );

describe('a model that another hearth runs', () => {
  it('answers a chat in one piece and as a stream, with the usage of the hearth behind', async () => {
    const [behind, front] = await askBoth((client) =>
      client.chat.completions.create({ model: 'tiny', messages, ...greedy }),
    );
    expect(withoutHead(front)).toEqual(alike(withoutHead(behind)));
    const streamed = await streamChat(both().client, 'tiny', messages, {
      ...greedy,
      stream_options: { include_usage: true, continuous_usage_stats: true },
    });
    const tokens = tokensByChunk(streamed);
    expect(tokens).toEqual(tokens.toSorted((a, b) => a - b));
    // Chunks that arrive together all tell the tokens so far, so that all of them may tell of 40.
    expect(tokens.at(-1)).toBe(40);
    expect(streamed.text).toBe(textOf(behind));
    expect(streamed.finishReason).toBe('length');
    expect(streamed.chunks.at(-1)?.usage).toMatchObject({
      completion_tokens: 40,
      prompt_tokens: behind.usage?.prompt_tokens,
    });
  });

  it('gives log-probabilities, tool calls and documents that fit a schema', async () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer' } },
      required: ['n'],
      additionalProperties: false,
    };
    const wishes = [
      { logprobs: true, top_logprobs: 3, ...greedy },
      {
        tools,
        tool_choice: 'required' as const,
        parallel_tool_calls: false,
        temperature: 0,
        max_tokens: 300,
      },
      {
        response_format: { type: 'json_schema' as const, json_schema: { name: 'n', schema } },
        temperature: 0,
      },
      { stop: ['e', 'a'], temperature: 0, min_tokens: 4, max_tokens: 40, seed: 7 },
    ];
    for (const wish of wishes) {
      const [behind, front] = await askBoth((client) =>
        client.chat.completions.create({ model: 'tiny', messages, ...wish }),
      );
      const calls = [behind, front].map((answer) => (wish.tools ? readCalls(answer) : []));
      expect(calls[1]?.map((call) => call.function)).toEqual(calls[0]?.map((call) => call.function));
      expect(withoutHead(front)).toEqual(alike(withoutHead(behind)));
    }
  });

  it('continues texts and tokens, several at once, repeated and with log-probabilities', async () => {
    const wishes = [
      { prompt: ['Once', 'upon', 'a time'], logprobs: 2 },
      { prompt: [5, 6, 7] },
      { prompt: 'Once upon', echo: true },
    ];
    for (const wish of wishes) {
      const [behind, front] = await askBoth((client) =>
        client.completions.create({ model: 'tiny', ...greedy, ...wish }),
      );
      expect(withoutHead(front)).toEqual(alike(withoutHead(behind)));
    }
    const refused = await fetch(`${both().front.baseUrl}/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${both().front.apiKey}` },
      body: JSON.stringify({ model: 'tiny', prompt: [5, 6], echo: true }),
    });
    await expectError(refused, 'unsupported_value', 'echo');
  });

  it('serves responses, under an alias and under another name than behind', async () => {
    const response = await both().client.responses.create({
      model: 'gpt-4o-mini',
      input: 'Hello',
      temperature: 0,
      max_output_tokens: 16,
    });
    const [behind] = await askBoth((client) =>
      client.chat.completions.create({
        model: 'tiny',
        messages: [{ role: 'user', content: 'Hello' }],
        temperature: 0,
        max_tokens: 16,
      }),
    );
    expect(response.output_text).toBe(textOf(behind));
    expect(response.usage?.output_tokens).toBe(behind.usage?.completion_tokens);
  });

  it('counts the tokens of a prompt, about', async () => {
    const response = await fetch(`${both().front.baseUrl}/responses/input_tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${both().front.apiKey}` },
      body: JSON.stringify({ model: 'tiny', input: 'twelve bytes' }),
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ input_tokens: 3 });
  });

  it.each([
    ['/v1/messages', { max_tokens: 16, messages: [{ role: 'user', content: 'Hello' }], temperature: 0 }],
    ['/api/chat', { messages: [{ role: 'user', content: 'Hello' }], stream: false, options: ollamaGreedy }],
    ['/api/generate', { prompt: 'Hello', stream: false, options: ollamaGreedy }],
    ['/api/embed', { model: 'encoder', input: ['the fox', '42'] }],
  ])('answers %s as the hearth behind does', async (path, body) => {
    const [behind, front] = [
      await postJson(both().behind, path, { model: 'tiny', ...body }),
      await postJson(both().front, path, { model: 'tiny', ...body }),
    ];
    expect([behind.status, front.status]).toEqual([200, 200]);
    expect(comparable(front.answer)).toEqual(comparable(behind.answer));
  });

  it('streams messages, and counts their tokens about', async () => {
    const message = { model: 'tiny', messages: [{ role: 'user', content: 'twelve bytes' }] };
    const counted = await postJson(both().front, '/v1/messages/count_tokens', message);
    expect(counted).toMatchObject({ status: 200, answer: { input_tokens: 3 } });
    const response = await post(both().front, '/v1/messages', { ...message, max_tokens: 8, stream: true });
    const events = [...(await response.text()).matchAll(/^event: (\w+)$/gm)].map(([, type]) => type);
    expect(events.at(0)).toBe('message_start');
    expect(events.at(-1)).toBe('message_stop');
  });

  it('names the stop sequence that ended a message', async () => {
    const message = {
      model: 'tiny',
      temperature: 0,
      max_tokens: 32,
      messages: [{ role: 'user', content: 'Hi' }],
    };
    const { answer } = await postJson(both().behind, '/v1/messages', message);
    const { content } = answer as { readonly content: readonly [{ readonly text: string }] };
    const wish = { ...message, stop_sequences: ['never written', Array.from(content[0].text).at(2)] };
    const end = { stop_reason: 'stop_sequence', stop_sequence: wish.stop_sequences[1] };
    for (const server of [both().behind, both().front])
      expect((await postJson(server, '/v1/messages', wish)).answer).toMatchObject(end);
  });

  it.each(['/v1/rerank', '/v1/tokenize'])(
    'refuses %s, which servers have no common way for',
    async (path) => {
      const wish = { model: 'tiny', query: 'a', documents: ['b'], content: 'text' };
      const { status, answer } = await postJson(both().front, path, wish);
      expect(status).toBe(400);
      expect(answer).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
    },
  );

  it('computes embeddings, bit for bit', async () => {
    for (const [model, wish] of [
      ['encoder', {}],
      ['tiny', {}],
      ['encoder', { dimensions: 48 }],
    ] as const) {
      const [behind, front] = await askBoth((client) =>
        client.embeddings.create({ model, input: ['the fox', '42', 'the fox'], ...wish }),
      );
      expect(front).toEqual(behind);
    }
    const shortened = both().client.embeddings.create({ model: 'encoder', input: 'fox', dimensions: 8 });
    await expect(shortened).rejects.toMatchObject({ status: 400, param: 'dimensions' });
  });

  it.runIf(canTranscribe)('transcribes speech', async () => {
    const file = await toFile(writeWav(tone(440, 12)), 'a.wav');
    const [behind, front] = await askBoth((client) =>
      client.audio.transcriptions.create({ file, model: 'ears', response_format: 'verbose_json' }),
    );
    expect(front).toEqual(behind);
    expect(front.segments).toHaveLength(2);
  });

  it('is charged what the hearth behind reports, and the ledger says so', async () => {
    const answer = await both().client.chat.completions.create({ model: 'tiny', messages, ...greedy });
    expect(ledgerOf(both().front).at(-1)).toMatchObject({
      modelId: 'tiny',
      usageSource: 'reported',
      promptTokens: answer.usage?.prompt_tokens,
      completionTokens: 40,
    });
    expect(ledgerOf(both().behind).at(-1)).toMatchObject({ usageSource: 'counted' });
  });

  it('is listed like any other model', async () => {
    const windows = async () => {
      const models = await askBoth((client) => client.models.retrieve('tiny'));
      return models.map((model) => (model as { context_window?: number | null }).context_window);
    };
    // The one behind tells its size once it has read the file, and is asked for it every 30 s.
    await expect.poll(windows, { timeout: 45_000 }).toEqual([2048, 2048]);
    const models = await both().client.models.list();
    const other = models.data.find(({ id }) => id === 'org/other');
    expect(other).toMatchObject({
      context_window: 512,
      kind: 'chat',
      state: 'loaded',
      parameters_number: 'unknown',
    });
  });
});

describe.each(engineErrorCases)('through another hearth: $name', ({ path, body, code, wireParam }) => {
  it.each([false, true])('is refused at the parameter that the client sent (stream: %s)', async (stream) => {
    const { baseUrl, apiKey } = both().front;
    const response = await fetch(new URL(path, baseUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'tiny', stream, ...body }),
    });
    const message = await expectError(response, code, wireParam);
    expect(message).not.toMatch(/127\.0\.0\.1|hk-behind/);
  });
});
