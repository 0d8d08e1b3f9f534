import { fc } from '../support/properties.ts';
import { expect, it } from 'vitest';
import { readError } from '../support/wire/error-envelope.ts';
import { buildApp, chatRequest, hello } from '../support/fakes/http-service.ts';

const { app, engine, limiter } = buildApp();
const json = fc.jsonValue({ maxDepth: 3 });

/** Values that come near to those of parameters, mixed with anything. */
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
    'low',
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

const functionName = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('f', 'g', 'h') }, nearly);
const functionTool = fc.record(
  {
    type: fc.oneof({ weight: 6, arbitrary: fc.constant('function') }, nearly),
    function: fc.record(
      { name: functionName, description: nearly, parameters: nearly, strict: nearly },
      { requiredKeys: ['name'] },
    ),
  },
  { requiredKeys: ['type', 'function'] },
);
const reference = fc.record({ type: fc.constant('function'), function: fc.record({ name: functionName }) });
const toolChoice = fc.oneof(
  nearly,
  fc.constantFrom('none', 'auto', 'required'),
  reference,
  fc.record({
    type: fc.constant('allowed_tools'),
    allowed_tools: fc.record({ mode: fc.constantFrom('auto', 'required', 'x'), tools: fc.array(reference) }),
  }),
);
const toolCall = fc.record({
  id: fc.constantFrom('call_1', 'call_2', ''),
  type: fc.constant('function'),
  function: fc.record({ name: functionName, arguments: fc.oneof(fc.json(), nearly) }),
});
const responseFormat = fc.oneof(
  nearly,
  fc.record(
    {
      type: fc.constantFrom('text', 'json_object', 'json_schema', 'x'),
      json_schema: fc.record({ name: functionName, schema: nearly }, { requiredKeys: [] }),
    },
    { requiredKeys: ['type'] },
  ),
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
    tool_calls: fc.oneof(nearly, fc.array(toolCall)),
    tool_call_id: fc.oneof(nearly, fc.constantFrom('call_1', 'call_2')),
    reasoning_content: nearly,
    function_call: nearly,
    name: nearly,
  },
  { requiredKeys: [] },
);

const names = [
  'stream', 'stream_options', 'n', 'temperature', 'top_p', 'top_k', 'min_p', 'seed', 'frequency_penalty',
  'presence_penalty', 'repeat_penalty', 'logit_bias', 'stop', 'max_tokens', 'max_completion_tokens', 'min_tokens',
  'ignore_eos', 'logprobs', 'top_logprobs', 'tools', 'tool_choice', 'parallel_tool_calls', 'response_format',
  'functions', 'function_call', 'reasoning_effort', 'reasoning_enabled', 'keep_alive', 'user', 'store', 'metadata', 'service_tier',
  'repetition_penalty', 'xtc_probability', 'dry_multiplier', 'reasoning', 'thinking', 'chat_template_kwargs', 'guided_json',
  'guided_regex', 'guided_choice', 'structured_outputs', 'json_schema', 'grammar', 'include_reasoning',
] as const; // prettier-ignore

const parameters = fc.record(
  {
    model: fc.oneof({ weight: 6, arbitrary: fc.constant('tiny') }, nearly),
    messages: fc.oneof({ weight: 6, arbitrary: fc.array(message, { minLength: 1, maxLength: 4 }) }, nearly),
    ...Object.fromEntries(names.map((name) => [name, nearly])),
    tools: fc.array(functionTool, { maxLength: 3 }),
    tool_choice: toolChoice,
    response_format: responseFormat,
  },
  { requiredKeys: [] },
);

/** One parameter changed on an otherwise good request: reaches the last checks. */
const oneChange = fc.oneof(
  fc.tuple(fc.constantFrom(...names), nearly).map(([name, value]) => ({ [name]: value })),
  fc.record({ tools: fc.array(functionTool, { maxLength: 3 }), tool_choice: toolChoice }),
  responseFormat.map((format) => ({ response_format: format })),
  fc.array(message, { minLength: 1, maxLength: 4 }).map((messages) => ({ messages })),
).map((change) => ({ ...hello, ...change })); // prettier-ignore

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
    { numRuns: 2000 },
  );
  // Both sides of the door were tried, and whoever got through was settled.
  expect(answered).toBeGreaterThan(200);
  expect(engine.calls).toHaveLength(answered);
  expect(limiter.settlements).toHaveLength(answered);
});
