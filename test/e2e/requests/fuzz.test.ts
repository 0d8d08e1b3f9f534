import { readFileSync } from 'node:fs';
import { fc } from '../../support/properties.ts';
import { expect, it } from 'vitest';
import { completeChat, postChat } from '../../support/server/chat-client.ts';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';

const chat = useChatServer({
  // A short context bounds the cost of a body without max_tokens.
  models: async () => ({ small: await tinyModel({ contextTokens: 128 }) }),
  // With room V8 lets garbage lie for long: a small heap tells it from a leak.
  env: { NODE_OPTIONS: '--max-old-space-size=64' },
});
const bodiesAtOnce = 4;
const warmUpRounds = 50;
const rounds = 100;
const allowedGrowthBytes = 20 * 2 ** 20;

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('<|im_end|>', '\u0000', '\uD800', 'user', 'Once upon a time', 'é👩‍👧'),
);
const anyNumber = fc.oneof(
  fc.double(),
  fc.integer({ min: -3, max: 20 }),
  fc.constantFrom(0, -1, 2 ** 31, 2 ** 32, 2 ** 53, 1e308, 0.5),
);
const anyValue = fc.oneof(fc.jsonValue({ maxDepth: 3 }), anyNumber, anyText, fc.boolean(), fc.array(anyText));

const share = fc.double({ min: 0, max: 1, noNaN: true });
const penalty = fc.double({ min: -2, max: 2, noNaN: true });
const tokenCount = fc.integer({ min: 4, max: 12 });
const textPart = fc.record({ type: fc.constant('text'), text: anyText });
const message = fc.record({
  role: fc.constantFrom('system', 'user', 'assistant', 'developer'),
  content: fc.oneof(anyText, fc.array(textPart, { minLength: 1, maxLength: 3 })),
});
const tokenId = fc.integer({ min: 0, max: 500 }).map(String);

/** For each parameter values that it may have; alone or together they may still be refused. */
const parameters = {
  messages: fc.array(message, { minLength: 1, maxLength: 4 }),
  temperature: fc.double({ min: 0, max: 2, noNaN: true }),
  top_p: share,
  top_k: fc.oneof(fc.integer({ min: 0, max: 600 }), fc.maxSafeNat()),
  min_p: share,
  seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  max_tokens: tokenCount,
  max_completion_tokens: tokenCount,
  min_tokens: fc.integer({ min: 0, max: 4 }),
  ignore_eos: fc.boolean(),
  stop: fc.oneof(anyText, fc.array(anyText, { maxLength: 16 })),
  n: fc.constant(1),
  stream: fc.boolean(),
  frequency_penalty: penalty,
  presence_penalty: penalty,
  repeat_penalty: fc.double({ min: 0.5, max: 2, noNaN: true }),
  logit_bias: fc.dictionary(tokenId, fc.integer({ min: -100, max: 100 }), { maxKeys: 5 }),
  logprobs: fc.constant(true),
  top_logprobs: fc.integer({ min: 0, max: 20 }),
  user: anyText,
  metadata: fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }),
  other_vendors_switch: anyValue,
};
const furtherNames =
  `model stream_options functions function_call reasoning_effort reasoning_enabled keep_alive
  __proto__ constructor temprature`.split(/\s+/);
const wildNames = [...Object.keys(parameters), ...furtherNames, ''];
const anyMessage = fc.oneof(
  message,
  fc.record(
    { role: anyText, content: anyValue, name: anyText, tool_call_id: anyText, tool_calls: anyValue },
    { requiredKeys: [] },
  ),
  anyValue,
);

const plausible = fc
  .record(parameters, { requiredKeys: ['messages'] })
  .map((chosen) => ({ model: 'small', max_tokens: 4, logprobs: true, ...chosen }));
const schema = fc.oneof(
  fc.constantFrom(
    {},
    { type: 'object' },
    { properties: { a: { type: 'integer', minimum: -5 }, b: { enum: ['x', null] } }, required: ['b'] },
    { type: 'array', items: { type: 'string', maxLength: 3 } },
    { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/a' }] } } },
  ),
  fc.dictionary(fc.constantFrom('type', 'enum', 'pattern', 'items', 'properties', '$ref', 'x'), anyValue),
);
const functionOf = (name: string) =>
  fc.record({
    type: fc.constant('function'),
    function: fc.record({ name: fc.constant(name), parameters: schema }),
  });
const shapes = fc.record(
  {
    tools: fc.oneof(fc.tuple(functionOf('f')), fc.tuple(functionOf('f'), functionOf('g'))),
    tool_choice: fc.constantFrom('auto', 'none'),
    parallel_tool_calls: fc.boolean(),
    response_format: fc.oneof(
      fc.record({ type: fc.constantFrom('text', 'json_object') }),
      schema.map((given) => ({ type: 'json_schema', json_schema: { name: 'x', schema: given } })),
    ),
  },
  { requiredKeys: [] },
);
/** Plausible bodies with tools and formats, which need the room of a longer context. */
const shaped = fc.tuple(plausible, shapes).map(([body, more]) => ({ ...body, ...more, model: 'tiny' }));
/** Plausible bodies of which some parameters are replaced by anything. */
const nearlyRight = fc
  .tuple(plausible, fc.dictionary(fc.constantFrom(...wildNames), anyValue, { minKeys: 1, maxKeys: 3 }))
  .map(([body, changes]) => ({ ...body, ...changes }));
const strangeMessages = fc
  .tuple(plausible, fc.array(anyMessage, { maxLength: 4 }))
  .map(([body, messages]) => ({ ...body, messages }));
const anyBody = fc.oneof(
  { weight: 5, arbitrary: plausible.map((body) => JSON.stringify(body)) },
  { weight: 3, arbitrary: shaped.map((body) => JSON.stringify(body)) },
  { weight: 5, arbitrary: nearlyRight.map((body) => JSON.stringify(body)) },
  { weight: 2, arbitrary: strangeMessages.map((body) => JSON.stringify(body)) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);

it('whatever the JSON body: 2xx or 4xx, and the process lives on', { timeout: 300_000 }, async () => {
  const { server, client } = chat();
  let served = 0;
  const send = async (body: string): Promise<void> => {
    const response = await postChat(server, body);
    const text = await response.text();
    expect(response.status, text).toSatisfy(
      (status: number) => (status >= 200 && status < 300) || (status >= 400 && status < 500),
    );
    expect(text).not.toContain('event: error');
    if (response.status < 300) served += 1;
    else {
      const { error } = JSON.parse(text) as { error: Record<string, unknown> };
      expect(Object.keys(error).toSorted()).toEqual(['code', 'message', 'param', 'type']);
    }
  };
  const property = fc.asyncProperty(
    fc.array(anyBody, { minLength: bodiesAtOnce, maxLength: bodiesAtOnce }),
    async (bodies) => {
      await Promise.all(bodies.map(send));
    },
  );
  // The first rounds, which come again, fill caches and compile code; memory is compared from there on.
  await fc.assert(property, { numRuns: warmUpRounds });
  const rssBeforeBytes = rssBytes(server.pid);
  await fc.assert(property, { numRuns: rounds });
  expect((await completeChat(client, 'small', 'Hello', { max_tokens: 2 })).object).toBe('chat.completion');
  // Otherwise the bodies were too wild to get past validation, and the engine saw none of them.
  expect(served).toBeGreaterThan(120);
  const rssAfterBytes = rssBytes(server.pid);
  if (rssBeforeBytes !== undefined && rssAfterBytes !== undefined) {
    expect(rssAfterBytes - rssBeforeBytes).toBeLessThan(allowedGrowthBytes);
  }
});

/** Resident memory; undefined where there is no /proc. */
function rssBytes(pid: number): number | undefined {
  try {
    const kibibytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}
