import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReasoningRequest } from '../../../src/engine/types.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { AppError } from '../../../src/errors/errors.ts';
import { chatRequest, hello, jsonRequest, limitedKey, listen } from '../../support/fakes/http-service.ts';
import type { Service } from '../../support/fakes/http-service.ts';
import { toChunks, toDeltas } from '../../support/wire/wire-events.ts';

let service: Service;
beforeEach(async () => {
  service = await listen();
});
afterEach(() => service.close());

const post = (extra: object, init: RequestInit = {}): Promise<Response> => {
  const [path, request] = chatRequest({ ...hello, model: 'thinker', ...extra }, init);
  return fetch(service.origin + path, request);
};

const off: ReasoningRequest = { enabled: false };
const on = (maxTokens: number, effort?: ReasoningRequest['effort']): ReasoningRequest => ({
  enabled: true,
  maxTokens,
  ...(effort && { effort }),
});

describe('what the engine is asked to think', () => {
  it.each<{ extra: object; expected: ReasoningRequest }>([
    { extra: {}, expected: off },
    { extra: { reasoning_effort: null, reasoning_enabled: null }, expected: off },
    { extra: { reasoning_enabled: true }, expected: on(2048) },
    { extra: { reasoning_effort: 'low' }, expected: on(512, 'low') },
    { extra: { reasoning_effort: 'medium' }, expected: on(2048, 'medium') },
    { extra: { reasoning_effort: 'high' }, expected: on(8192, 'high') },
    { extra: { reasoning_effort: 'minimal' }, expected: on(512, 'minimal') },
    { extra: { reasoning_effort: 'xhigh' }, expected: on(8192, 'xhigh') },
    { extra: { reasoning_effort: 'none' }, expected: off },
    { extra: { reasoning_effort: 'none', reasoning_enabled: true }, expected: off },
    { extra: { reasoning_effort: 'high', reasoning_enabled: true }, expected: on(8192, 'high') },
    { extra: { reasoning_effort: 'high', reasoning_enabled: false }, expected: off },

    { extra: { model: 'thinker-r' }, expected: on(2048) },
    { extra: { model: 'o4-mini-r' }, expected: on(2048) },
    { extra: { model: 'thinker-r', reasoning_enabled: true }, expected: on(2048) },
    { extra: { model: 'thinker-r', reasoning_effort: 'low' }, expected: on(512, 'low') },
    { extra: { model: 'thinker-r', reasoning_effort: 'none' }, expected: off },
    { extra: { model: 'thinker-r', reasoning_enabled: false }, expected: off },
    { extra: { model: 'thinker-r', reasoning_enabled: false, reasoning_effort: 'high' }, expected: off },

    { extra: { reasoning: {} }, expected: off },
    { extra: { reasoning: { effort: 'high' } }, expected: on(8192, 'high') },
    { extra: { reasoning: { effort: 'high' }, reasoning_effort: 'low' }, expected: on(512, 'low') },
    { extra: { reasoning: { enabled: true, exclude: true } }, expected: on(2048) },
    { extra: { reasoning: { max_tokens: 100 } }, expected: on(100) },
    { extra: { reasoning: { max_tokens: 100, enabled: false } }, expected: off },
    { extra: { reasoning: { effort: 'none' }, model: 'thinker-r' }, expected: off },
    { extra: { thinking: { type: 'enabled' } }, expected: on(2048) },
    { extra: { thinking: { type: 'enabled', budget_tokens: 77 } }, expected: on(77) },
    { extra: { thinking: { type: 'disabled' }, model: 'thinker-r' }, expected: off },
    { extra: { thinking: { type: 'auto' } }, expected: off },
    { extra: { thinking: { type: 'auto' }, model: 'thinker-r' }, expected: on(2048) },
    { extra: { chat_template_kwargs: { enable_thinking: true } }, expected: on(2048) },
    { extra: { chat_template_kwargs: { thinking: false }, model: 'thinker-r' }, expected: off },
    { extra: { chat_template_kwargs: { reasoning_effort: 'low' } }, expected: on(512, 'low') },
    { extra: { chat_template_kwargs: { reasoning_effort: 'low' }, reasoning_enabled: false }, expected: off },

    // Room is left for an answer.
    { extra: { reasoning: { max_tokens: 5000 }, max_tokens: 4096 }, expected: on(3584) },
    { extra: { reasoning_effort: 'high', max_tokens: 4096 }, expected: on(3584, 'high') },
    { extra: { reasoning_effort: 'high', max_tokens: 4096, max_completion_tokens: 100 }, expected: on(50, 'high') },
    { extra: { reasoning_effort: 'low', max_tokens: 4096 }, expected: on(512, 'low') },
    { extra: { reasoning_enabled: true, max_tokens: 1 }, expected: on(1) },
  ])('for $extra', async ({ extra, expected }) => {
    expect((await post(extra)).status).toBe(200);
    expect(service.engine.lastCall.request.reasoning).toEqual(expected);
  }); // prettier-ignore

  it('with what else the template may read', async () => {
    const given = { enable_thinking: true, reasoning_effort: 'extreme', today: '1 May', days: 3, none: null };
    await post({ chat_template_kwargs: given });
    expect(service.engine.lastCall.request).toMatchObject({
      reasoning: { enabled: true },
      templateVariables: { reasoning_effort: 'extreme', today: '1 May', days: 3 },
    });
    service.engine.script = {
      steps: [{ text: 'a' }],
      ignored: ['templateVariables.days', 'templateVariables.today'],
    };
    const response = await post({ chat_template_kwargs: given });
    expect(response.headers.get('x-ignored-parameters')).toBe(
      'chat_template_kwargs.days, chat_template_kwargs.today',
    );
    // Of a model that cannot reason, the template may still read them.
    expect((await post({ model: 'tiny', chat_template_kwargs: { enable_thinking: true } })).status).toBe(200);
    expect(service.engine.lastCall.request.templateVariables).toEqual({ enable_thinking: true });
    expect(service.engine.lastCall.request.reasoning).toBeUndefined();
  });

  it.each([
    [{ reasoning: { effort: 'much' } }, 'invalid_value', 'reasoning.effort'],
    [{ reasoning: { max_tokens: 0 } }, 'invalid_value', 'reasoning.max_tokens'],
    [{ reasoning: 'high' }, 'invalid_type', 'reasoning'],
    [{ thinking: { type: 'on' } }, 'invalid_value', 'thinking.type'],
    [{ thinking: true }, 'invalid_type', 'thinking'],
    [{ chat_template_kwargs: [] }, 'invalid_type', 'chat_template_kwargs'],
    [{ chat_template_kwargs: { a: {} } }, 'invalid_value', 'chat_template_kwargs.a'],
    [{ chat_template_kwargs: { a: 'x'.repeat(16_385) } }, 'invalid_value', 'chat_template_kwargs.a'],
    [{ model: 'tiny', thinking: { type: 'enabled' } }, 'unsupported_value', 'thinking.type'],
    [{ model: 'tiny', reasoning: { enabled: true } }, 'unsupported_value', 'reasoning.enabled'],
    [{ model: 'tiny', reasoning: { effort: 'low' } }, 'unsupported_value', 'reasoning.effort'],
    [{ model: 'tiny', reasoning: { max_tokens: 9 } }, 'unsupported_value', 'reasoning.max_tokens'],
  ] as const)('not for %j', async (extra, code, param) => {
    await expectError(await post(extra), code, param);
  });

  it('and does not tell it where the request leaves it out', async () => {
    service.engine.script = { steps: [{ reasoning: 'Hm.' }, { text: 'Yes.' }] };
    for (const extra of [{ reasoning: { enabled: true, exclude: true } }, { include_reasoning: false }]) {
      expect(await (await post(extra)).json()).toMatchObject({
        choices: [{ message: { content: 'Yes.' } }],
        usage: { completion_tokens_details: { reasoning_tokens: 1 } },
      });
      expect(await (await post({ ...extra, stream: true })).text()).not.toContain('Hm.');
    }
  });

  it('with the tokens that the operator set', async () => {
    await service.close();
    service = await listen({ reasoningTokens: { low: 1, medium: 2, high: 3 } });
    for (const [effort, maxTokens] of [['low', 1], ['medium', 2], ['high', 3]] as const) {
      await post({ reasoning_effort: effort });
      expect(service.engine.lastCall.request.reasoning).toEqual(on(maxTokens, effort));
    } // prettier-ignore
  });

  it.each([{}, { reasoning_enabled: false }, { reasoning_effort: 'none' }, { reasoning_effort: 'high', reasoning_enabled: false }])(
    'by a model that cannot, for %o',
    async (extra) => {
      for (const model of ['tiny', 'native-r']) {
        expect((await post({ model, ...extra })).status).toBe(200);
        expect(service.engine.lastCall.request).not.toHaveProperty('reasoning');
      }
    },
  ); // prettier-ignore
});

it.each([
  ['/v1/chat/completions', { reasoning_effort: 'max' }, 'reasoning_effort'],
  ['/v1/chat/completions', { reasoning: { effort: 'max' } }, 'reasoning.effort'],
  [
    '/v1/messages',
    { max_tokens: 9, thinking: { type: 'adaptive' }, output_config: { effort: 'max' } },
    'output_config.effort',
  ],
  ['/v1/responses', { messages: undefined, input: 'Hi', reasoning: { effort: 'max' } }, 'reasoning.effort'],
  ['/api/chat', { think: 'max' }, undefined],
] as const)(
  'an effort that the model does not know is refused by its name: %s %j',
  async (path, extra, param) => {
    const message = "This model does not know the effort 'max'. Use one of: low, medium, high.";
    const fail = new AppError('unsupported_value', message, { param: 'reasoning.effort' });
    service.engine.script = { before: [{ fail }], steps: [] };
    const answer = await fetch(
      service.origin + path,
      jsonRequest(path, { ...hello, model: 'thinker', ...extra })[1],
    );
    expect(answer.status).toBe(400);
    expect(service.engine.lastCall.request.reasoning).toMatchObject({ enabled: true, effort: 'max' });
    const body = await answer.text();
    expect(body).toContain('Use one of: low, medium, high.');
    if (param !== undefined) expect(body).toContain(param);
  },
);

describe('a model that cannot reason refuses', () => {
  it.each([
    { extra: { reasoning_enabled: true }, param: 'reasoning_enabled' },
    { extra: { reasoning_enabled: true, reasoning_effort: 'low' }, param: 'reasoning_enabled' },
    { extra: { reasoning_effort: 'low' }, param: 'reasoning_effort' },
    { extra: { reasoning_effort: 'minimal' }, param: 'reasoning_effort' },
    { extra: { model: 'native-r', reasoning_effort: 'high' }, param: 'reasoning_effort' },
    { extra: { model: 'tiny-r' }, param: 'model' },
    { extra: { model: 'gpt-4o-mini-r' }, param: 'model' },
  ])('$extra', async ({ extra, param }) => {
    await expectError(await post({ model: 'tiny', ...extra }), 'unsupported_value', param);
    expect(service.engine.calls).toEqual([]);
    expect(service.limiter.admitted).toEqual([]);
  });
});

describe('an id that ends in -r', () => {
  it('is answered under that id and counted on its model', async () => {
    const completion = await service.client.chat.completions.create({ ...hello, model: 'o4-mini-r' });
    expect(completion.model).toBe('o4-mini-r');
    expect(service.engine.lastCall.request.modelId).toBe('thinker');
    expect(service.limiter.admitted[0]?.modelId).toBe('thinker');
  });

  it.each(['nothing-r', 'thinker-r-r', 'ears-r', '-r', 'r'])(
    'of no model, %s, is not found',
    async (model) => {
      await expectError(await post({ model }), 'model_not_found', 'model');
    },
  );

  it.each(['thinker-r', 'tiny-r'])('%s is closed to a key that may not use its model', async (model) => {
    const init = { headers: { authorization: `Bearer ${limitedKey}` } };
    await expectError(await post({ model }, init), 'insufficient_permissions', 'model');
  });
});

describe('a thought', () => {
  beforeEach(() => {
    service.engine.script = {
      steps: [
        { reasoning: 'Hm' },
        { reasoning: '' },
        { reasoning: ', data: [DONE]\n\n<think>' },
        { text: 'Yes.' },
      ],
    };
  });

  it('is told beside the content, under both names', async () => {
    const body = (await (await post({ reasoning_enabled: true })).json()) as {
      choices: { message: object }[];
    };
    const thought = 'Hm, data: [DONE]\n\n<think>';
    expect(body.choices[0]?.message).toEqual({
      role: 'assistant',
      content: 'Yes.',
      refusal: null,
      reasoning_content: thought,
      reasoning: thought,
    });
    expect(body).toMatchObject({
      usage: { completion_tokens: 4, completion_tokens_details: { reasoning_tokens: 3 } },
    });
  });

  it('is streamed so too', async () => {
    const text = await (await post({ stream: true, stream_options: { include_usage: true } })).text();
    const thought = (piece: string) => ({ reasoning_content: piece, reasoning: piece });
    expect(toDeltas(text)).toEqual([
      { role: 'assistant', content: '' },
      thought('Hm'),
      thought(', data: [DONE]\n\n<think>'),
      { content: 'Yes.' },
      {},
    ]);
    expect(toChunks(text).at(-1)?.usage).toMatchObject({
      completion_tokens_details: { reasoning_tokens: 3 },
    });
  });

  it('may be all there is', async () => {
    service.engine.script = { steps: [{ reasoning: 'Hm' }], finishReason: 'length' };
    const body = (await (await post({})).json()) as { choices: { message: object }[] };
    expect(body.choices[0]?.message).toMatchObject({ content: '', reasoning: 'Hm' });
  });

  it('may end in a call', async () => {
    service.engine.script = { steps: [{ reasoning: 'Hm' }, { call: 'f' }], finishReason: 'tool_calls' };
    const body = (await (await post({})).json()) as { choices: { message: object }[] };
    expect(body.choices[0]?.message).toMatchObject({ content: null, reasoning: 'Hm', tool_calls: [{}] });
  });

  it('is output: what fails after it is not given back', async () => {
    service.engine.script = { steps: [{ reasoning: 'Hm' }, { waitMs: 5 }, { fail: new Error('boom') }] };
    await (await post({ stream: true })).text();
    expect(service.limiter.lastSettlement).toMatchObject({ refundRequest: false, reasoningTokens: 1 });
  });
});
