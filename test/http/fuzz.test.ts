import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readError } from '../support/error-envelope.ts';
import { buildApp, chatRequest, hello } from '../support/http-service.ts';

const { app, engine, limiter } = buildApp();
const json = fc.jsonValue({ maxDepth: 3 });

/** Values that come near to what parameters take, mixed with anything. */
const nearly = fc.oneof(
  { weight: 2, arbitrary: json },
  fc.constantFrom(
    0,
    1,
    -1,
    2,
    0.5,
    1e308,
    -0,
    2 ** 53,
    '',
    'auto',
    'text',
    'tiny',
    'user',
    true,
    false,
    null,
    [],
    {},
  ),
  fc.double({ noNaN: true }),
  fc.maxSafeInteger(),
  fc.string({ unit: 'binary' }),
  fc.array(fc.string({ unit: 'binary' })),
  fc.dictionary(fc.string(), json),
);

const role = fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool');
const part = fc.record(
  { type: fc.constantFrom('text', 'image_url', 'input_audio', 'x'), text: nearly },
  { requiredKeys: [] },
);
const message = fc.record(
  {
    role: fc.oneof({ weight: 6, arbitrary: role }, nearly),
    content: fc.oneof({ weight: 4, arbitrary: fc.string({ unit: 'binary' }) }, nearly, fc.array(part)),
    tool_calls: nearly,
    tool_call_id: nearly,
    name: nearly,
  },
  { requiredKeys: [] },
);

const names = [
  'stream', 'stream_options', 'n', 'temperature', 'top_p', 'top_k', 'min_p', 'seed', 'frequency_penalty',
  'presence_penalty', 'repeat_penalty', 'logit_bias', 'stop', 'max_tokens', 'max_completion_tokens', 'min_tokens',
  'ignore_eos', 'logprobs', 'top_logprobs', 'tools', 'tool_choice', 'parallel_tool_calls', 'response_format',
  'reasoning_effort', 'reasoning_enabled', 'keep_alive', 'user', 'store', 'metadata', 'service_tier',
] as const; // prettier-ignore

const parameters = fc.record(
  {
    model: fc.oneof({ weight: 6, arbitrary: fc.constant('tiny') }, nearly),
    messages: fc.oneof({ weight: 6, arbitrary: fc.array(message, { minLength: 1, maxLength: 4 }) }, nearly),
    ...Object.fromEntries(names.map((name) => [name, nearly])),
  },
  { requiredKeys: [] },
);

/** One parameter changed on an otherwise good request: reaches what is checked last. */
const oneChange = fc
  .tuple(fc.constantFrom(...names), nearly)
  .map(([name, value]) => ({ ...hello, [name]: value }));

const body = fc.oneof(
  { weight: 4, arbitrary: parameters.map((value) => JSON.stringify(value)) },
  { weight: 4, arbitrary: oneChange.map((value) => JSON.stringify(value)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.string(), nearly)
      .map(([name, value]) => JSON.stringify({ ...hello, [name]: value })),
  },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);

it('any body gets an answer or a whole error envelope, never a 5xx', async () => {
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(body, async (text) => {
      const response = await app.request(...chatRequest(text));
      if (response.status === 200) {
        answered += 1;
        expect(await response.text()).toMatch(/"finish_reason":"stop"/);
      } else {
        expect(response.status).toBeLessThan(500);
        expect(response.status).toBeGreaterThanOrEqual(400);
        await readError(response);
      }
    }),
    { numRuns: 4000 },
  );
  // Both sides of the door were tried, and whoever got through was settled.
  expect(answered).toBeGreaterThan(200);
  expect(engine.calls).toHaveLength(answered);
  expect(limiter.settlements).toHaveLength(answered);
});
