import { describe, expect, it } from 'vitest';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { chatModelIds } from '../../support/models/chat-models.ts';
import { readMetrics } from '../../support/watch/metrics.ts';
import { tinyEncoder } from '../../support/models/tiny-model.ts';

const contextTokens = 96;
const chat = useChatServer({
  models: async () => {
    const encoder = await tinyEncoder({ contextTokens });
    return { encoder, cut: encoder };
  },
  settings: { cut: { dimensions: true } },
});
const embeddingModelIds = [...chatModelIds, 'encoder'];

const texts = ['the fox slept in the snow', 'a fire that never went out', '42', 'the fox slept in the snow'];
const embed = (model: string, options: Record<string, unknown>) =>
  chat().client.embeddings.create({ model, input: texts, ...options });

const vectorsOf = ({ data }: Awaited<ReturnType<typeof embed>>) => data.map(({ embedding }) => embedding);
const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

it('take memory that is counted, once a chat model is asked for some', async () => {
  const memory = async () =>
    (await readMetrics(chat().server)).get('hearth_model_memory_bytes{model="tiny",device="ram"}') ?? 0;
  await chat().client.completions.create({ model: 'tiny', prompt: 'a', max_tokens: 1 });
  const before = await memory();
  await embed('tiny', {});
  expect(before).toBeGreaterThan(0);
  expect(await memory()).toBeGreaterThan(before);
});

it('are cut to fewer dimensions, and of length 1 again, where the operator says so', async () => {
  const whole = vectorsOf(await embed('encoder', {}));
  const [size = 0, fewer] = [whole[0]?.length, 5];
  for (const [at, vector] of vectorsOf(await embed('cut', { dimensions: fewer })).entries()) {
    const part = whole[at]?.slice(0, fewer) ?? [];
    expect(vector).toHaveLength(fewer);
    const length = Math.sqrt(dot(part, part));
    for (const [index, value] of vector.entries()) expect(value).toBeCloseTo((part[index] ?? 0) / length, 5);
  }
  expect(vectorsOf(await embed('cut', { dimensions: size }))).toEqual(vectorsOf(await embed('cut', {})));
  await expect(embed('cut', { dimensions: size + 1 })).rejects.toMatchObject({
    status: 400,
    param: 'dimensions',
  });
  const ollama = await fetch(new URL('/api/embed', chat().server.baseUrl), {
    method: 'POST',
    headers: { authorization: `Bearer ${chat().server.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'cut', input: 'fox', dimensions: fewer }),
  });
  expect(((await ollama.json()) as { embeddings: number[][] }).embeddings[0]).toHaveLength(fewer);
});

describe.for(embeddingModelIds)('embeddings of %s', (model) => {
  it('come in order, of length 1, with the tokens that were counted', async () => {
    const answer = await embed(model, {});
    expect(answer).toMatchObject({ object: 'list', model });
    expect(answer.data.map(({ object, index }) => [object, index])).toEqual(
      texts.map((_, index) => ['embedding', index]),
    );
    const vectors = vectorsOf(answer);
    for (const vector of vectors) expect(dot(vector, vector)).toBeCloseTo(1, 5);
    const [fox = [], fire = [], , again = []] = vectors;
    expect(dot(fox, again)).toBeCloseTo(1, 5);
    expect(dot(fox, fire)).toBeLessThan(0.999);
    let promptTokens = 0;
    for (const input of texts) promptTokens += (await embed(model, { input })).usage.prompt_tokens;
    expect(answer.usage).toEqual({ prompt_tokens: promptTokens, total_tokens: promptTokens });
  });

  it('are the same numbers in base64, which the client asks for by itself, and as numbers', async () => {
    const [byDefault, floats, base64] = [
      await embed(model, {}),
      await embed(model, { encoding_format: 'float' }),
      await embed(model, { encoding_format: 'base64' }),
    ];
    const decoded = base64.data.map(({ embedding }) => {
      const bytes = Buffer.from(embedding as unknown as string, 'base64');
      return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(4 * index));
    });
    expect(vectorsOf(floats)).toEqual(decoded);
    expect(vectorsOf(byDefault).map((vector) => [...vector])).toEqual(decoded);
  });

  it('do not depend on what else is asked', async () => {
    const alone = vectorsOf(await embed(model, { input: texts[0] }))[0] ?? [];
    const many = await Promise.all([embed(model, {}), embed(model, { input: texts.toReversed() })]);
    for (const answer of many) expect(dot(alone, vectorsOf(answer)[0] ?? [])).toBeCloseTo(1, 5);
  });

  it('take dimensions only where they change nothing', async () => {
    const size = vectorsOf(await embed(model, {}))[0]?.length ?? 0;
    expect(vectorsOf(await embed(model, { dimensions: size }))[0]).toHaveLength(size);
    await expect(embed(model, { dimensions: size - 1 })).rejects.toMatchObject({
      status: 400,
      code: 'unsupported_value',
      param: 'dimensions',
      message: expect.stringContaining('dimensions: true') as string,
    });
  });

  it('refuse tokens that are none of the model', async () => {
    await expect(
      embed(model, {
        input: [
          [5, 6],
          [7, 100_000],
        ],
      }),
    ).rejects.toMatchObject({
      status: 400,
      code: 'invalid_value',
      param: 'input[1][1]',
    });
    expect((await embed(model, { input: [[5, 6], [7]] })).data).toHaveLength(2);
  });
});

describe('an encoder', () => {
  it('gives a text and its tokens the same vector', async () => {
    // [CLS] and [SEP] are added where they are missing: ids 2 and 3; then characters at the beginning of words.
    const [text = [], bare = [], enclosed = []] = [
      ...vectorsOf(await embed('encoder', { input: 'a b c' })),
      ...vectorsOf(
        await embed('encoder', {
          input: [
            [5, 7, 9],
            [2, 5, 7, 9, 3],
          ],
        }),
      ),
    ];
    expect(bare).toEqual(text);
    expect(enclosed).toEqual(text);
  });

  it('takes texts as long as its context and no longer', async () => {
    const words = (count: number) => Array.from({ length: count }, () => 'sea').join(' ');
    const { usage } = await embed('encoder', { input: words(contextTokens - 2) });
    expect(usage.prompt_tokens).toBe(contextTokens);
    for (const count of [contextTokens - 1, 5000]) {
      await expect(embed('encoder', { input: ['short', words(count)] })).rejects.toMatchObject({
        status: 400,
        code: 'context_length_exceeded',
        param: 'input[1]',
        message: expect.stringMatching(/ \d+ tokens.* 96 /) as string,
      });
    }
  });

  it('chats and writes not, and says so', async () => {
    const { client } = chat();
    const refusal = { status: 400, code: 'unsupported_value', param: 'model' };
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    await expect(client.chat.completions.create({ model: 'encoder', messages })).rejects.toMatchObject(
      refusal,
    );
    await expect(client.completions.create({ model: 'encoder', prompt: 'Hi' })).rejects.toMatchObject(
      refusal,
    );
  });

  it('is listed', async () => {
    expect((await chat().client.models.list()).data.map(({ id }) => id)).toContain('encoder');
  });
});

it('embeds beside a chat on the same model', async () => {
  const { client } = chat();
  const lasting = { max_tokens: 1500, ignore_eos: true };
  const stream = await client.chat.completions.create({
    ...lasting,
    model: 'tiny',
    messages: [{ role: 'user', content: 'Tell me a story' }],
    stream: true,
  });
  let chunks = 0;
  let embedded = 0;
  for await (const _ of stream) {
    if (++chunks === 5) void embed('tiny', {}).then(({ data }) => (embedded = data.length));
    if (embedded > 0) break;
  }
  // The chat had not ended: a stream that ends by itself leaves the loop without an embedding.
  expect(embedded).toBe(texts.length);
});
