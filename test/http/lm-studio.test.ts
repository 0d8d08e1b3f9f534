import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors/errors.ts';
import { expectOllamaError } from '../support/wire/error-envelope.ts';
import { userKey } from '../support/fakes/http-service.ts';
import { listenWithStore, strangerKey, type ResponsesService } from '../support/fakes/responses-service.ts';

let service: ResponsesService;
beforeEach(async () => {
  service = await listenWithStore();
});
afterEach(() => service.close());

const chat = (body: object, key = userKey) =>
  fetch(`${service.origin}/api/v1/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'tiny', input: 'Hi', ...body }),
  });
const answerOf = async (body: object) => (await (await chat(body)).json()) as Answer;

interface Answer {
  readonly output: readonly { readonly content: string }[];
  readonly response_id?: string;
}

const prompt = () => service.engine.lastCall.request.prompt;
const stats = { input_tokens: 7, total_output_tokens: 2, reasoning_output_tokens: 0 };

describe('a chat of LM Studio', () => {
  it('is answered in one piece', async () => {
    service.engine.script = { steps: [{ reasoning: 'Hm.' }, { text: 'Yes' }] };
    const body = { model: 'thinker', system_prompt: 'Be kind.', reasoning: 'on', temperature: 0.5, max_output_tokens: 9 };
    expect(await answerOf({ ...body, store: false })).toEqual({
      model_instance_id: 'thinker',
      output: [{ type: 'reasoning', content: 'Hm.' }, { type: 'message', content: 'Yes' }],
      stats: {
        ...stats,
        reasoning_output_tokens: 1,
        tokens_per_second: expect.any(Number) as number,
        time_to_first_token_seconds: expect.any(Number) as number,
      },
    });
    const { sampling, maxTokens, reasoning, tellsProgress } = service.engine.lastCall.request;
    expect({ sampling, maxTokens, reasoning, tellsProgress }).toMatchObject({
      sampling: { temperature: 0.5 }, maxTokens: 9, reasoning: { enabled: true }, tellsProgress: undefined,
    });
    expect(prompt()).toEqual({ kind: 'messages', messages: [{ role: 'system', content: 'Be kind.' }, { role: 'user', content: 'Hi' }] });
    expect(service.limiter.admitted.at(-1)).toMatchObject({ route: '/api/v1/chat', modelId: 'thinker' });
    expect(service.limiter.lastSettlement).toMatchObject({ promptTokens: 7, completionTokens: 2 });
  }); // prettier-ignore

  it('tells in a stream how far the prompt is, and ends with the whole answer', async () => {
    service.engine.script = {
      cachedTokens: 2,
      queued: [{ progress: 2 }, { progress: 7 }],
      steps: [{ reasoning: 'Hm.' }, { text: 'Hel' }, { text: 'lo' }],
    };
    const events = await eventsOf(await chat({ model: 'thinker', stream: true }));
    expect(events.slice(0, -1)).toEqual([
      { type: 'chat.start', model_instance_id: 'thinker' },
      { type: 'prompt_processing.start' },
      { type: 'prompt_processing.progress', progress: 2 / 7 },
      { type: 'prompt_processing.progress', progress: 1 },
      { type: 'prompt_processing.end' },
      { type: 'reasoning.start' },
      { type: 'reasoning.delta', content: 'Hm.' },
      { type: 'reasoning.end' },
      { type: 'message.start' },
      { type: 'message.delta', content: 'Hel' },
      { type: 'message.delta', content: 'lo' },
      { type: 'message.end' },
    ]);
    expect(events.at(-1)).toMatchObject({
      type: 'chat.end',
      result: { output: [{ content: 'Hm.' }, { content: 'Hello' }], response_id: expect.stringMatching(/^resp_/) as string },
    });
  }); // prettier-ignore

  it('tells an error in a stream, and what there is of the answer', async () => {
    const error = new AppError('engine_error', 'The engine failed.', { cause: new Error('secret path') });
    service.engine.script = { steps: [{ text: 'Hel' }, { fail: error }] };
    const events = await eventsOf(await chat({ stream: true }));
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', error: { message: 'The engine failed.', code: 'engine_error' } },
      {
        type: 'chat.end',
        result: { output: [{ type: 'message', content: 'Hel' }], stats: { total_output_tokens: 1 } },
      },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/response_id|secret/);
  });

  it('is continued here and as a response, by its own account, unless it is not kept', async () => {
    const { response_id: first } = await answerOf({});
    const { response_id: second } = await answerOf({ input: 'More', previous_response_id: first });
    const contents = () => (prompt() as { messages?: readonly { content: string }[] }).messages?.map(({ content }) => content);
    expect(contents()).toEqual(['Hi', 'Hello there', 'More']);
    await service.post({ input: 'And', previous_response_id: second });
    expect(contents()).toEqual(['Hi', 'Hello there', 'More', 'Hello there', 'And']);
    const words = 'previous';
    await expectOllamaError(await chat({ previous_response_id: first }, strangerKey), 'previous_response_not_found', words);
    expect(await answerOf({ store: false })).not.toHaveProperty('response_id');
  }); // prettier-ignore

  it('takes texts in parts, and says by its own names what it does not', async () => {
    const parts = [
      { type: 'text', content: 'One' },
      { type: 'message', content: 'Two' },
    ];
    const response = await chat({ input: parts, context_length: 8000, integrations: [] });
    expect(response.headers.get('x-ignored-parameters')).toBe('context_length');
    expect(JSON.stringify(prompt())).toMatch(/One.*Two/);
    const picture = { type: 'image', data_url: 'data:image/png;base64,AAAA' };
    const refused = [
      [{ input: [...parts, picture] }, "'input[2]"],
      [{ reasoning: 'high' }, "'reasoning'"],
      [{ integrations: ['mcp/files'] }, '/v1/responses'],
      [{ input: [{ type: 'image', data_url: '' }] }, 'input[0]'],
      [{ input: 5 }, "'input'"],
      [{ model: 'vectors' }, "'vectors' cannot chat"],
    ] as const;
    for (const [body, words] of refused) {
      const answer = await chat(body);
      expect(answer.status).toBe(400);
      expect(((await answer.json()) as { error: string }).error).toContain(words);
    }
    expect((await chat({}, 'hk-wrong')).status).toBe(401);
  });
});

async function eventsOf(response: Response): Promise<readonly object[]> {
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  return (await response.text())
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [, name, data = ''] = /^event: (\S+)\ndata: ([^\n]*)$/.exec(block) ?? [];
      const event = JSON.parse(data) as { type: string };
      expect(event.type).toBe(name);
      return event;
    });
}
