import { fc } from '../../support/properties.ts';
import { expect, it } from 'vitest';
import { buildApp } from '../../support/fakes/http-service.ts';
import { helloMessage, messageRequest, readAnthropicError } from '../../support/wire/messages.ts';

const { app, engine, limiter } = buildApp();
const json = fc.jsonValue({ maxDepth: 3 });

/** Values that come near to those of parameters, mixed with anything. */
const nearly = fc.oneof(
  { weight: 2, arbitrary: json },
  fc.constantFrom(
    0,
    1,
    -1,
    0.5,
    1e308,
    2 ** 53,
    '',
    'auto',
    'low',
    'text',
    'tiny',
    true,
    false,
    null,
    [],
    {},
  ),
  fc.string({ unit: 'binary' }),
  fc.dictionary(fc.string(), json),
);
const text = fc.oneof({ weight: 3, arbitrary: fc.string({ unit: 'binary' }) }, nearly);
const id = fc.constantFrom('toolu_1', 'toolu_2', '');
const source = fc.record(
  { type: fc.constantFrom('text', 'content', 'base64', 'url', 'x'), data: text, content: nearly },
  { requiredKeys: ['type'] },
);
const block: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  block: fc.record(
    {
      type: fc.constantFrom(
        'text', 'text', 'text', 'image', 'document', 'search_result', 'thinking', 'redacted_thinking', 'tool_use', 'tool_result', 'tool_reference', 'x',
      ), // prettier-ignore
      text,
      source: fc.oneof(source, text),
      content: fc.oneof({ depthSize: 'small' }, text, fc.array(tie('block'), { maxLength: 2 })),
      thinking: text,
      signature: fc.oneof(
        fc.constantFrom('', 'hearth2.', 'hearth2..', 'hearth2.a.SG0', 'hearth1.a.SG0'),
        text,
      ),
      id,
      tool_use_id: id,
      name: fc.constantFrom('f', 'g', ''),
      tool_name: text,
      input: fc.oneof(fc.dictionary(fc.string(), json), nearly),
      is_error: nearly,
      citations: nearly,
      cache_control: nearly,
    },
    { requiredKeys: ['type', 'text', 'name', 'id', 'tool_use_id', 'input', 'content'] },
  ),
})).block;
const message = fc.record(
  {
    role: fc.oneof({ weight: 6, arbitrary: fc.constantFrom('user', 'user', 'assistant', 'system') }, nearly),
    content: fc.oneof({ weight: 2, arbitrary: text }, fc.array(block, { maxLength: 3 })),
  },
  { requiredKeys: ['role', 'content'] },
);
const messages = fc
  .array(message, { maxLength: 3 })
  .map((given) => [...given, { role: 'user', content: 'Hi' }]);
const tool = fc.record(
  {
    type: fc.constantFrom('custom', null, 'web_search_20250305', 'function'),
    name: fc.constantFrom('f', 'g', 'h i'),
    description: text,
    input_schema: fc.oneof(fc.constant({ type: 'object' }), nearly),
    strict: nearly,
  },
  { requiredKeys: ['name'] },
);
const toolChoice = fc.record(
  { type: fc.constantFrom('auto', 'any', 'tool', 'none', 'x'), name: fc.constantFrom('f', 'x'), disable_parallel_tool_use: nearly },
  { requiredKeys: ['type'] },
); // prettier-ignore
const thinking = fc.record(
  { type: fc.constantFrom('enabled', 'adaptive', 'between_tools', 'disabled', 'x'), budget_tokens: nearly, display: fc.constantFrom('omitted', 'summarized', 'x') },
  { requiredKeys: ['type'] },
); // prettier-ignore
const format = fc.record({ type: fc.constantFrom('json_schema', 'x'), schema: nearly });

const parameters = {
  messages,
  system: fc.oneof(text, fc.array(block, { maxLength: 2 })),
  tools: fc.array(tool, { maxLength: 3 }),
  tool_choice: toolChoice,
  thinking,
  output_config: fc.oneof(fc.record({ effort: fc.constantFrom('low', 'max', 'x'), format }), nearly),
  output_format: format,
  model: fc.constantFrom('tiny', 'thinker', 'nope'),
  max_tokens: nearly,
  stop_sequences: nearly,
  stream: fc.boolean(),
  temperature: nearly,
  top_k: nearly,
  metadata: nearly,
  cache_control: nearly,
};
const changes = fc.oneof(
  { weight: 4, arbitrary: fc.record(parameters, { requiredKeys: [] }) },
  // One parameter changed on an otherwise good request: reaches the last checks.
  { weight: 6, arbitrary: fc.oneof(...Object.entries(parameters).map(([name, value]) => value.map((given) => ({ [name]: given })))) },
  { weight: 1, arbitrary: fc.tuple(fc.string(), nearly).map(([name, value]) => ({ [name]: value })) },
); // prettier-ignore
const body = fc.oneof(
  { weight: 10, arbitrary: changes.map((change) => JSON.stringify({ ...helloMessage, ...change })) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);

it('any body gets an answer or a whole error of Anthropic, never a 5xx', async () => {
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const response = await app.request(...messageRequest(sent));
      if (response.status === 200) {
        answered += 1;
        expect(await response.text()).toMatch(/"stop_reason":"end_turn"/);
      } else {
        expect(response.status).toBeLessThan(500);
        expect(response.status).toBeGreaterThanOrEqual(400);
        await readAnthropicError(response);
      }
    }),
    { numRuns: 1000 },
  );
  // Both sides of the door were tried, and whoever got through was settled.
  expect(answered).toBeGreaterThan(200);
  expect(engine.calls).toHaveLength(answered);
  expect(limiter.settlements).toHaveLength(answered);
});
