import type OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ResponseEvent } from '../../../src/api/responses/events/event-schema.ts';
import type { FinishReason } from '../../../src/engine/generation/generation.ts';
import { AppError } from '../../../src/errors/errors.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import type { Step } from '../../support/fakes/fake-engine.ts';
import { expectLegalEvents, finalResponse, readResponseEvents } from '../../support/wire/response-events.ts';
import { listenWithStore } from '../../support/fakes/responses-service.ts';
import type { ResponsesService } from '../../support/fakes/responses-service.ts';

let service: ResponsesService;
beforeEach(async () => {
  service = await listenWithStore();
});
afterEach(() => service.close());

const stream = async (body: object = {}): Promise<readonly ResponseEvent[]> => {
  const answer = await service.post({ input: 'Hi', stream: true, ...body });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  return readResponseEvents(await answer.text());
};

/** The same answer in one piece, but for ids, which are new each time. */
const comparable = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/"(resp|msg|fc|rs|call)_\w{24}"/g, '"$1"'));

interface Told {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly finishReason?: FinishReason;
  /** Between the first two and the last, without the events with which each item begins and ends. */
  readonly deltas: readonly string[];
}

const token = { token: 'a', logprob: -1, bytes: [97], topLogprobs: [] };
const answers: readonly Told[] = [
  { name: 'text', steps: [{ text: 'Hel' }, { text: '' }, { text: 'lo\n\n"\u2028🎉' }], deltas: ['Hel', 'lo\n\n"\u2028🎉'] },
  { name: 'nothing', steps: [], deltas: [] },
  { name: 'a thought and text', steps: [{ reasoning: 'H' }, { reasoning: 'm' }, { text: 'So.' }], deltas: ['H', 'm', 'So.'] },
  { name: 'a thought alone', steps: [{ reasoning: 'Hm' }], deltas: ['Hm'] },
  { name: 'a cut thought', steps: [{ reasoning: 'Hm' }], finishReason: 'length', deltas: ['Hm'] },
  { name: 'cut text', steps: [{ text: 'Hel' }], finishReason: 'length', deltas: ['Hel'] },
  { name: 'calls', steps: [{ call: 'f' }, { arguments: '{"a"' }, { arguments: '' }, { arguments: ':1}' }, { call: 'g' }, { call: 'f' }, { arguments: '{}' }], finishReason: 'tool_calls', deltas: ['{"a"', ':1}', '{}', '{}'] },
  { name: 'text, a call and text', steps: [{ text: 'a' }, { call: 'f' }, { arguments: '{}' }, { text: '' }, { text: 'b' }], finishReason: 'tool_calls', deltas: ['a', '{}', 'b'] },
  { name: 'a cut call', steps: [{ call: 'f' }, { arguments: '{"a' }], finishReason: 'length', deltas: ['{"a'] },
  { name: 'a call that was cut at once', steps: [{ call: 'f' }], finishReason: 'length', deltas: [] },
  { name: 'log-probabilities', steps: [{ text: '', logprobs: [token] }, { text: 'a', logprobs: [token, token] }], deltas: ['', 'a'] },
]; // prettier-ignore

describe.each(answers)('a stream of $name', ({ steps, finishReason = 'stop', deltas }) => {
  it('is a legal sequence of legal events, with all deltas', async () => {
    service.engine.script = { steps, finishReason };
    const events = await stream({ include: ['reasoning.encrypted_content', 'message.output_text.logprobs'] });
    expect(events.flatMap((event) => ('delta' in event ? [event.delta] : []))).toEqual(deltas);
    const status = finishReason === 'length' ? 'incomplete' : 'completed';
    expect(events.at(-1)?.type).toBe(`response.${status}`);
  });

  it('adds up to what comes without a stream', async () => {
    service.engine.script = { steps, finishReason };
    const events = await stream();
    const whole = await (await service.post({ input: 'Hi' })).json();
    expect(comparable(finalResponse(events))).toEqual(comparable(whole));
  });

  it.each([undefined, 'detailed'] as const)(
    'is what the openai client takes it for (summary: %s)',
    async (summary) => {
      service.engine.script = { steps, finishReason };
      const reasoning = summary && { summary };
      const runner = service.client.responses.stream({
        model: 'tiny',
        input: 'Hi',
        ...(reasoning && { reasoning }),
      });
      const events: ResponseEvent[] = [];
      for await (const event of runner) events.push(event as ResponseEvent);
      expectLegalEvents(events);
      const final = await runner.finalResponse();
      expect(final.id).toBe(finalResponse(events).id);
      expect(final.output_text).toBe(steps.map((step) => ('text' in step ? step.text : '')).join(''));
    },
  );
});

it('events have the types that the openai package declares', async () => {
  type Declared = OpenAI.Responses.ResponseStreamEvent;
  /** Without fields that clients add themselves, and where the Open Responses specification wants null for absent. */
  type Sent<Event> = Event extends { response: infer Response }
    ? Omit<Event, 'response'> & { response: Omit<Response, 'output_text' | 'user' | 'text' | 'usage'> }
    : Event;
  const events = await stream();
  const declared: readonly Sent<Declared>[] = events;
  expect(declared).toHaveLength(events.length);
});

it.each([undefined, false, true])('tells how far the prompt is where it is asked to (%s)', async (asked) => {
  service.engine.script = {
    queued: asked === true ? [{ progress: 2 }, { progress: 7 }] : [],
    cachedTokens: 2,
    steps: [{ text: 'Hi' }],
  };
  const events = await stream({ return_progress: asked });
  expect(service.engine.lastCall.request.tellsProgress).toBe(asked === true ? true : undefined);
  const told = events.filter(({ type }) => type === 'response.in_progress').slice(1);
  const of = (processed: number) => ({
    progress: processed / 7,
    prompt_progress: { total: 7, cache: 2, processed, time_ms: 2 },
  });
  expect(told).toMatchObject(asked === true ? [of(2), of(7)] : []);
  const whole = await service.post({ input: 'Hi', return_progress: asked });
  expect(whole.headers.get('x-ignored-parameters')).toBe(asked === true ? 'return_progress' : null);
  expect(service.engine.lastCall.request.tellsProgress).toBeUndefined();
});

describe('a failure after the first event', () => {
  const fail = async (error: Error, body: object = {}) => {
    service.engine.script = {
      steps: [{ reasoning: 'Hm.' }, { text: 'Hel' }, { waitMs: 5 }, { fail: error }],
    };
    return stream(body);
  };

  it('is an error, flat and nested, and a failed response with what there is', async () => {
    const cause = new Error('secret path');
    const events = await fail(new AppError('engine_error', 'The engine failed.', { cause }), { store: true });
    const flat = { message: 'The engine failed.', code: 'engine_error', param: null };
    expect(events.at(-2)).toMatchObject({ type: 'error', ...flat, error: { type: 'server_error', ...flat } });
    const response = finalResponse(events);
    expect(response).toMatchObject({
      status: 'failed',
      error: { code: 'server_error', message: 'The engine failed.' },
      output: [
        { type: 'reasoning', status: 'completed' },
        { type: 'message', status: 'incomplete', content: [{ text: 'Hel' }] },
      ],
      usage: { output_tokens: 2 },
      store: false,
    });
    expect(service.logLines.join('')).toContain('secret path');
    await expectError(await service.get(response.id), 'not_found');
    expect(service.limiter.lastSettlement).toMatchObject({ status: 200, completionTokens: 2 });
  });

  it('hides what is not public', async () => {
    const events = await fail(new Error('secret path'));
    expect(events.at(-2)).toMatchObject({ code: 'internal_error' });
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  it('is an error to the openai client', async () => {
    service.engine.script = { steps: [{ text: 'a' }, { fail: new Error('boom') }] };
    const runner = service.client.responses.stream({ model: 'tiny', input: 'Hi' });
    await expect(runner.finalResponse()).rejects.toThrow(/failed to handle/);
  });
});

it('what fails before the first event has an ordinary status', async () => {
  const error = new AppError('invalid_json_schema', 'No.', { param: 'schema.properties.a' });
  service.engine.script = { before: [{ fail: error }], steps: [] };
  const body = { input: 'Hi', stream: true };
  await expectError(await service.post(body), 'invalid_json_schema', 'text.format.schema.properties.a');
  const other = new AppError('invalid_json_schema', 'No.', { param: 'tools[1].parameters.properties' });
  service.engine.script = { before: [{ fail: other }], steps: [] };
  await expectError(await service.post(body), 'invalid_json_schema', 'tools[1].parameters.properties');
});

it.each([true, false])('a client that leaves ends its generation, stores nothing and pays (stream: %s)', async (streamed) => {
  service.engine.script = { steps: [{ text: 'first' }, { waitMs: 60_000 }, { text: 'second' }] };
  const leaving = new AbortController();
  const body = { input: 'Hi', store: true, stream: streamed };
  const asked = service.post(body, { signal: leaving.signal });
  if (streamed) {
    const reader = (await asked).body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    while (!seen.includes('first')) seen += (await reader?.read())?.value ?? '';
    leaving.abort();
    expect(seen).toContain('response.output_text.delta');
    const id = /resp_\w{24}/.exec(seen)?.[0] ?? '';
    await service.engine.lastCall.end;
    await expectError(await service.get(id), 'not_found');
  } else {
    await expect.poll(() => service.engine.calls.length).toBe(1);
    leaving.abort();
    await expect(asked).rejects.toThrow();
  }
  expect((await service.engine.lastCall.end).outcome).toBe('aborted');
  await expect.poll(() => service.limiter.lastSettlement).toMatchObject({ completionTokens: 1 });
}); // prettier-ignore
