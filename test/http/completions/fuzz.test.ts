import { fc } from '../../support/properties.ts';
import { expect, it } from 'vitest';
import { readError } from '../../support/wire/error-envelope.ts';
import { buildApp, jsonRequest } from '../../support/fakes/http-service.ts';

const { app, engine, limiter } = buildApp();
const json = fc.jsonValue({ maxDepth: 3 });

/** Values that come near to those of parameters, mixed with anything. */
const nearly = fc.oneof(
  { weight: 2, arbitrary: json },
  fc.constantFrom(0, 1, -1, 2, 0.5, 1e308, -0, 2 ** 31, 2 ** 53, '', 'a', 'none', 'auto', true, null, [], [[]], {}),
  fc.string({ unit: 'binary' }),
); // prettier-ignore
const token = fc.oneof({ weight: 8, arbitrary: fc.nat() }, nearly);
const text = fc.oneof({ weight: 8, arbitrary: fc.string({ unit: 'binary' }) }, nearly);
const inputs = fc.oneof(text, fc.array(token), fc.array(text), fc.array(fc.oneof(text, fc.array(token))));

const names = {
  '/v1/completions': [
    'suffix', 'echo', 'stream', 'stream_options', 'n', 'best_of', 'temperature', 'top_p', 'top_k', 'min_p', 'seed',
    'frequency_penalty', 'presence_penalty', 'repeat_penalty', 'logit_bias', 'stop', 'max_tokens', 'min_tokens',
    'ignore_eos', 'logprobs', 'tools', 'tool_choice', 'keep_alive', 'user', 'guided_regex', 'structured_outputs',
    'xtc_probability', 'dry_multiplier',
  ],
  '/v1/tokenize': ['content', 'messages', 'tools', 'add_special', 'with_pieces', 'return_token_strs', 'parse_special'],
  '/v1/detokenize': ['prompt'],
  '/api/chat': ['stream', 'think', 'format', 'tools', 'options', 'keep_alive'],
  '/api/generate': ['stream', 'think', 'format', 'system', 'suffix', 'raw', 'template', 'context', 'images', 'options'],
  '/api/embed': ['truncate', 'dimensions', 'keep_alive', 'options'],
  '/api/embeddings': ['keep_alive', 'options'],
  '/v1/rerank': ['query', 'top_n', 'return_documents', 'keep_alive', 'user'],
  '/v1/embeddings': ['encoding_format', 'dimensions', 'user'],
} as const; // prettier-ignore

const ollamaMessage = fc.record(
  {
    role: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom('user', 'assistant', 'system') },
      fc.constant('tool'),
      nearly,
    ),
    content: text,
    images: fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, nearly),
    thinking: text,
    tool_calls: fc.oneof(
      { weight: 4, arbitrary: fc.constant(null) },
      nearly,
      fc.array(
        fc.record({ function: fc.record({ name: text, arguments: fc.dictionary(fc.string(), json) }) }),
      ),
    ),
    tool_name: fc.oneof({ weight: 6, arbitrary: fc.constantFrom('f', 'g', null) }, nearly),
  },
  { requiredKeys: ['role'] },
);
const arbitraries: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  '/v1/tokenize': text,
  '/v1/rerank': fc.oneof(
    { weight: 3, arbitrary: fc.array(fc.string({ minLength: 1 }), { minLength: 1 }) },
    nearly,
    fc.array(fc.record({ text }, { requiredKeys: [] })),
  ),
  '/api/embeddings': text,
  '/api/generate': text,
  '/api/chat': fc.array(ollamaMessage, { maxLength: 3 }),
};

it.each([
  ['/v1/completions', 'prompt'],
  ['/v1/embeddings', 'input'],
  ['/v1/tokenize', 'prompt'],
  ['/v1/detokenize', 'tokens'],
  ['/api/chat', 'messages'],
  ['/api/generate', 'prompt'],
  ['/api/embed', 'input'],
  ['/api/embeddings', 'prompt'],
  ['/v1/rerank', 'documents'],
] as const)('any body to %s gets an answer or a whole error envelope, never a 5xx', async (path, input) => {
  const change = fc.tuple(fc.constantFrom(...names[path]), nearly);
  const goodInputs: Readonly<Record<string, unknown>> = {
    tokens: [1, 2],
    messages: [{ role: 'user', content: 'Hi' }],
    documents: ['one', { text: 'two' }],
  };
  const isRanked = path === '/v1/rerank';
  const good = {
    model: isRanked ? 'judge' : 'tiny',
    ...(isRanked && { query: 'which?' }),
    [input]: goodInputs[input] ?? 'Once',
  };
  const given = arbitraries[path] ?? inputs;
  const body = fc.oneof(
    given.map((value) => ({ ...good, [input]: value })),
    fc
      .array(change, { minLength: 1, maxLength: 2 })
      .map((changes) => ({ ...good, ...Object.fromEntries(changes) })),
    fc.record({ model: nearly, [input]: given }, { requiredKeys: [] }),
  );
  const before = limiter.settlements.length;
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(body, async (value) => {
      const response = await app.request(...jsonRequest(path, value));
      if (response.status === 200) {
        answered += 1;
        await response.text();
      } else {
        expect(response.status).toBeLessThan(500);
        if (!path.startsWith('/api/')) await readError(response);
        else expect(await response.json()).toEqual({ error: expect.any(String) as string });
      }
    }),
    { numRuns: 1200 },
  );
  // Both sides of the door were tried, and whoever got through was settled.
  expect(answered).toBeGreaterThan(200);
  expect(limiter.settlements.length - before).toBe(answered);
  for (const { request } of engine.calls)
    if (request.prompt.kind === 'tokens')
      expect(request.prompt.tokens.every((id) => Number.isInteger(id) && id >= 0 && id < 2 ** 31)).toBe(true);
});
