import { fc } from '../../support/properties.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { response as responseSchema } from '../../../src/api/responses/response-schema.ts';
import { readError } from '../../support/wire/error-envelope.ts';
import { userKey } from '../../support/fakes/http-service.ts';
import { listenWithStore } from '../../support/fakes/responses-service.ts';
import type { ResponsesService } from '../../support/fakes/responses-service.ts';
import { finalResponse, readResponseEvents } from '../../support/wire/response-events.ts';

let service: ResponsesService;
beforeAll(async () => {
  service = await listenWithStore();
});
afterAll(() => service.close());

/** Values that come near to those of parameters, mixed with anything. */
const nearly = fc.oneof(
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  fc.constantFrom(0, 1, -1, 0.5, 1e308, 2 ** 53, '', 'auto', 'none', 'low', 'text', 'user', true, false, null, [], {}),
  fc.string({ unit: 'binary' }),
); // prettier-ignore

/** `fields` with most of them good, some missing and some replaced by anything. */
const roughly = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(
    Object.fromEntries(
      Object.entries(fields).map(([name, good]) => [
        name,
        fc.oneof({ weight: 60, arbitrary: good }, { weight: 1, arbitrary: nearly }),
      ]),
    ),
    { requiredKeys: Object.keys(fields).slice(0, 2) },
  );

const text = fc.string({ unit: 'binary', maxLength: 10 });
const id = fc.constantFrom('msg_1', 'call_1', 'call_2');
const part = roughly({ type: fc.constantFrom('input_text', 'output_text'), text, annotations: nearly });
const content = fc.oneof(text, fc.array(part, { maxLength: 3 }));
const grammar = roughly({
  type: fc.constant('grammar'),
  syntax: fc.constantFrom('regex', 'lark'),
  definition: fc.string({ minLength: 1 }),
});
const name = fc.constantFrom('f', 'g');
const callable = fc.oneof(
  roughly({ type: fc.constant('function'), name, parameters: nearly }),
  roughly({ type: fc.constant('custom'), name, format: grammar }),
);
const tool = fc.oneof(
  { weight: 3, arbitrary: callable },
  roughly({ type: fc.constant('namespace'), name, tools: fc.array(callable, { maxLength: 2 }) }),
  roughly({ type: fc.constant('tool_search'), execution: fc.constantFrom('client', 'server') }),
  roughly({ type: fc.constantFrom('web_search', 'mcp') }),
);
const item = fc.oneof(
  roughly({ role: fc.constantFrom('user', 'assistant', 'system', 'developer'), content, id, status: nearly }),
  roughly({ type: fc.constant('function_call'), call_id: id, name: text, arguments: fc.constant('{}') }),
  roughly({ type: fc.constant('function_call_output'), call_id: id, output: content }),
  roughly({ type: fc.constant('reasoning'), summary: fc.constant([]), content: fc.array(part), encrypted_content: text }),
  roughly({ type: fc.constant('item_reference'), id }),
  roughly({ type: fc.constant('custom_tool_call'), call_id: id, name: text, input: text, namespace: text }),
  roughly({ type: fc.constant('custom_tool_call_output'), call_id: id, output: content }),
  roughly({ type: fc.constant('tool_search_call'), call_id: id, arguments: fc.dictionary(text, nearly) }),
  roughly({ type: fc.constant('tool_search_output'), call_id: id, tools: fc.array(tool, { maxLength: 2 }) }),
  roughly({ type: fc.constant('additional_tools'), role: fc.constant('developer'), tools: fc.array(tool, { maxLength: 2 }) }),
  roughly({ type: fc.constant('compaction'), encrypted_content: fc.constantFrom('hearth-summary1.SGk', 'hearth1.SGk') }),
); // prettier-ignore
const body = roughly({
  model: fc.constantFrom('thinker', 'o4-mini'),
  input: fc.oneof(text, fc.array(item, { minLength: 1, maxLength: 5 })),
  instructions: text,
  tools: fc.array(tool, { maxLength: 2 }),
  tool_choice: fc.constantFrom('auto', 'none', { type: 'function', name: 'f' }),
  text: roughly({ format: fc.constant({ type: 'json_object' }), verbosity: fc.constant('low') }),
  reasoning: roughly({ effort: fc.constantFrom('low', 'none', null), summary: fc.constant('auto') }),
  include: fc.subarray(['reasoning.encrypted_content', 'message.output_text.logprobs']),
  metadata: fc.dictionary(text, text, { maxKeys: 3 }),
  truncation: fc.constantFrom('auto', 'disabled'),
  max_output_tokens: fc.nat(100),
  user: text,
  store: fc.boolean(),
  stream: fc.boolean(),
});

it('any body gets a legal answer, which can be had again where it was stored, or a whole error envelope', async () => {
  service.engine.script = { steps: [{ reasoning: 'Hm.' }, { text: 'Hi \ud83c' }, { call: 'f' }] };
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(body, async (value) => {
      const answer = await service.post(value);
      if (answer.status !== 200) {
        expect(answer.status).toBeLessThan(500);
        await readError(answer);
        return;
      }
      answered += 1;
      const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream');
      if (isStream) readResponseEvents(await answer.text());
      else {
        const whole = responseSchema.parse(await answer.json());
        if (!whole.store) return;
        expect(await (await service.get(whole.id)).json()).toEqual(whole);
        const replay = await service.get(`${whole.id}?stream=true`);
        expect(finalResponse(readResponseEvents(await replay.text()))).toEqual(whole);
      }
    }),
    { numRuns: 400 },
  );
  // Both sides of the door were tried, and whoever got through was settled.
  expect(answered).toBeGreaterThan(40);
  expect(service.limiter.settlements).toHaveLength(answered);
});

it.each(['compact', 'input_tokens'])('and so does any body of %s', async (path) => {
  service.engine.script = { steps: [{ text: 'A summary.' }] };
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(body, async (value) => {
      const answer = await fetch(`${service.origin}/v1/responses/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${userKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(value),
      });
      if (answer.status === 200) answered += 1;
      else expect(answer.status).toBeLessThan(500);
      if (answer.status === 200) expect(await answer.json()).toHaveProperty('object', path === 'compact' ? 'response.compaction' : 'response.input_tokens');
      else await readError(answer);
    }),
    { numRuns: 150 },
  );
  expect(answered).toBeGreaterThan(15);
}); // prettier-ignore
