import { describe, expect, it } from 'vitest';
import { Embedder, type EmbedderOptions } from '../../../../../src/engine/llama/embeddings/embedder.ts';
import type { NativeEmbeddingContext } from '../../../../../src/engine/llama/native/context/context.ts';
import type { Vocabulary } from '../../../../../src/engine/llama/tokens/vocabulary.ts';
import type { EmbeddingRequest } from '../../../../../src/engine/types.ts';

/** Tokens below 100 are all there are; nothing is put around a text. */
const vocabulary = {
  size: 100,
  has: (token: number) => token < 100,
  enclose: (tokens: Uint32Array) => tokens,
} as unknown as Vocabulary;

/** A context that notes the tokens that it decodes; the vector of a text is its last token. It fails on token 13. */
class FakeEmbeddingContext implements NativeEmbeddingContext {
  readonly decoded: number[][] = [];
  beforeDecode: () => void = () => {};
  #length = 0;
  #chunk: number[] = [];

  readonly freed: string[] = [];

  cut(): boolean {
    this.#length = 0;
    return true;
  }

  async dispose(): Promise<void> {
    this.freed.push('context');
  }

  initBatch(): void {}

  setThreads(): void {}

  addToBatch(_sequence: number, position: number, tokens: Uint32Array): Uint32Array {
    if (position !== this.#length) throw new Error(`position ${position} after ${this.#length}`);
    this.#chunk = [...tokens];
    return new Uint32Array(1);
  }

  async decodeBatch(): Promise<void> {
    this.beforeDecode();
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#chunk.includes(13)) throw new Error('unlucky');
    this.decoded.push(this.#chunk);
    this.#length += this.#chunk.length;
  }

  getEmbedding(): Float32Array {
    return Float32Array.of(3 * (this.#chunk.at(-1) ?? 0), 4 * (this.#chunk.at(-1) ?? 0));
  }
}

function setUp(options: Partial<EmbedderOptions> = {}) {
  const context = new FakeEmbeddingContext();
  const { freed } = context;
  const embedder = new Embedder({
    vocabulary,
    openContext: async () => ({ native: context }),
    contextTokens: 10,
    batchTokens: 4,
    queueLimit: 8,
    ...options,
  });
  const embed = (
    inputs: EmbeddingRequest['inputs'],
    {
      keyId = 'key',
      signal = new AbortController().signal,
      dimensions,
    }: { keyId?: string; signal?: AbortSignal; dimensions?: number } = {},
  ) => embedder.embed({ modelId: 'model', accountId: keyId, keyId, inputs, dimensions }, signal);
  return { context, embedder, embed, freed };
}

describe('an embedder', () => {
  it('computes each text in steps, from its beginning', async () => {
    const { context, embed } = setUp();
    const end = await embed([[1, 2, 3, 4, 5, 6], [7]]);
    expect(context.decoded).toEqual([[1, 2, 3, 4], [5, 6], [7]]);
    expect(end).toMatchObject({ outcome: 'finished', usage: { promptTokens: 7, completionTokens: 0 } });
    expect(end.outcome === 'finished' && end.vectors).toEqual([
      Float32Array.of(0.6, 0.8),
      Float32Array.of(0.6, 0.8),
    ]);
  });

  it('takes steps of the size that its pacer wants, and tells it how long they took', async () => {
    const observed: number[] = [];
    const { context, embed } = setUp({
      pacer: {
        chunkTokens: () => 2 + observed.length,
        observe: (tokens, elapsedMs) => {
          expect(elapsedMs).toBeGreaterThanOrEqual(0);
          observed.push(tokens);
        },
      },
    });
    await embed([[1, 2, 3, 4, 5, 6, 7, 8]]);
    expect(context.decoded).toEqual([
      [1, 2],
      [3, 4, 5],
      [6, 7, 8],
    ]);
    expect(observed).toEqual([2, 3, 3]);
  });

  it('lets keys take turns after each text, the one with less served first', async () => {
    const { context, embed } = setUp();
    const many = embed(
      [
        [1, 1],
        [1, 1],
        [1, 1],
        [1, 1],
      ],
      { keyId: 'a' },
    );
    const few = embed([[2], [2], [2]], { keyId: 'b' });
    await Promise.all([many, few]);
    expect(context.decoded.map(([first]) => first)).toEqual([1, 2, 2, 1, 2, 1, 1]);
  });

  it('fails on one request and goes on with the next', async () => {
    const { embed } = setUp();
    const [bad, good] = await Promise.all([embed([[1], [13], [2]]), embed([[3]], { keyId: 'b' })]);
    expect(bad).toMatchObject({
      outcome: 'failed',
      error: { code: 'engine_error', cause: { message: 'unlucky' } },
      usage: { promptTokens: 1 },
    });
    expect(good.outcome).toBe('finished');
  });

  it('stops in the middle of a text when its caller leaves, and tells what was computed', async () => {
    const { context, embed } = setUp();
    const leaver = new AbortController();
    context.beforeDecode = () => {
      if (context.decoded.length === 2) leaver.abort();
    };
    const end = await embed([[1], [2, 2, 2, 2, 2, 2, 2, 2, 2], [3]], { signal: leaver.signal });
    expect(end).toMatchObject({ outcome: 'aborted', usage: { promptTokens: 9 } });
    expect(context.decoded).toHaveLength(3);
  });

  it('refuses what does not fit before anything is computed', async () => {
    const { context, embed } = setUp();
    const refusals = [
      [[[1], [1, 100]], 'invalid_value', 'inputs[1][1]'],
      [[[1], []], 'invalid_value', 'inputs[1]'],
      [[Array.from({ length: 11 }, () => 1)], 'context_length_exceeded', 'inputs[0]'],
    ] as const;
    for (const [inputs, code, param] of refusals)
      expect(await embed(inputs)).toMatchObject({ outcome: 'failed', error: { code, param } });
    expect(await embed([Array.from({ length: 10 }, () => 1)])).toMatchObject({ outcome: 'finished' });
    expect(context.decoded).toHaveLength(3);
  });

  it('computes nothing for other dimensions than it has, once it knows them', async () => {
    const { context, embed } = setUp();
    const refusal = { outcome: 'failed', error: { code: 'unsupported_value', param: 'dimensions' } };
    for (let attempts = 3; attempts > 0; attempts--)
      expect(await embed([[1], [1]], { dimensions: 1 })).toMatchObject(refusal);
    expect(context.decoded).toHaveLength(1);
    expect(await embed([[1]], { dimensions: 2 })).toMatchObject({ outcome: 'finished' });
  });

  it('turns requests away when enough of them wait', async () => {
    const { embed } = setUp({ queueLimit: 2 });
    const ends = await Promise.all(Array.from({ length: 5 }, (_, index) => embed([[index + 1], [1]])));
    const done = 'finished';
    expect(ends.map(({ outcome }) => outcome)).toEqual([done, done, done, 'failed', 'failed']);
    expect(ends.at(-1)).toMatchObject({ error: { code: 'server_overloaded', retryAfterSeconds: 1 } });
    expect((await embed([[1]])).outcome).toBe(done);
  });

  it('has a key with many of them make room for one with none', async () => {
    const { context, embed } = setUp({ queueLimit: 2 });
    const busy = Array.from({ length: 3 }, (_, index) => embed([[index + 1], [1]], { keyId: 'busy' }));
    const quiet = embed([[9]], { keyId: 'quiet' });
    expect(await busy[2]).toMatchObject({
      outcome: 'failed',
      error: { code: 'server_overloaded', retryAfterSeconds: 1 },
    });
    expect((await quiet).outcome).toBe('finished');
    expect((await Promise.all(busy.slice(0, 2))).map(({ outcome }) => outcome)).toEqual([
      'finished',
      'finished',
    ]);
    expect(context.decoded).not.toContainEqual([3]);
  });

  it('tries again to get its memory, and frees it when its work is done', async () => {
    const context = new FakeEmbeddingContext();
    let attempts = 0;
    const { embed, embedder } = setUp({
      async openContext() {
        if (attempts++ === 0) throw new Error('no memory');
        return { native: context };
      },
    });
    expect(await embed([[1]])).toMatchObject({ outcome: 'failed', error: { code: 'model_load_failed' } });
    const running = embed([[1], [2]]);
    // Its tokens are ready and it waits for its turn.
    await new Promise((resolve) => setImmediate(resolve));
    await embedder.dispose();
    expect(context.freed).toEqual(['context']);
    expect(await running).toMatchObject({ outcome: 'finished' });
    expect(context.decoded).toEqual([[1], [2]]);
  });
});
