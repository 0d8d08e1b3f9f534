import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Architecture } from '../../../../../scripts/make/tiny-model/architectures.ts';
import type { ContextShape } from '../../../../../src/engine/llama/native/context/context.ts';
import { hasStepper } from '../../../../support/engine/draw-tokens.ts';
import {
  drawGreedy,
  openNativeFixture,
  type NativeFixture,
} from '../../../../support/models/native-model.ts';

const kinds: readonly (readonly [Architecture, number])[] = [
  ['llama', 2],
  ['gemma3', 6],
  ['gemma4', 4],
  ['gpt-oss', 2],
  ['lfm2', 2],
  ['granitehybrid', 2],
  ['qwen35', 2],
  ['mamba', 2],
];
const streams = (cells: number): ContextShape => ({ cells: 3 * cells, isUnified: false });
const pool = (cells: number): ContextShape => ({ cells, isUnified: true });
const prompt = (length: number, seed: number) =>
  Uint32Array.from({ length }, (_, at) => 10 + ((at * (seed + 3) + seed) % 200));

/** The next 24 tokens of two sequences, between whose prompts and tokens the context is opened in the shapes. */
async function write(fixture: NativeFixture, shapes: readonly ContextShape[]): Promise<number[][]> {
  const { own } = fixture;
  const ends = [230, 120];
  const drawn = [];
  for (const [sequence, end] of ends.entries())
    drawn.push([await drawGreedy(fixture, sequence, 0, prompt(end, sequence))]);
  for (const shape of shapes) {
    expect(await own.cells?.reshape(shape)).toBe(true);
    expect(own.cells?.shape).toEqual(shape);
    expect([0, 1, 2].map((sequence) => own.cells?.holds(sequence))).toEqual([true, true, false]);
  }
  for (let at = 0; at < 24; at++)
    for (const [sequence, tokens] of drawn.entries()) {
      const position = (ends[sequence] ?? 0) + at;
      tokens.push(await drawGreedy(fixture, sequence, position, Uint32Array.of(tokens.at(-1) ?? 0)));
    }
  for (const sequence of [0, 1]) own.cut(sequence, 0);
  return drawn;
}

describe.runIf(hasStepper).each(kinds)('a context of a %s', (architecture, layers) => {
  let fixture: NativeFixture;
  beforeAll(async () => {
    fixture = await openNativeFixture({ architecture, layers });
  });
  beforeEach(() => [0, 1, 2].forEach((sequence) => fixture.own.cut(sequence, 0)));
  afterAll(() => fixture[Symbol.asyncDispose]());

  it('that is opened anew in other shapes holds what it held', async () => {
    const expected = await write(fixture, []);
    expect(await write(fixture, [streams(1024)])).toEqual(expected);
    expect(await write(fixture, [pool(1024), pool(2048), streams(512)])).toEqual(expected);
  });

  it('takes states that were saved in another shape', async () => {
    const { own } = fixture;
    const next = await drawGreedy(fixture, 1, 0, prompt(200, 1));
    const following = await drawGreedy(fixture, 1, 200, Uint32Array.of(next));
    own.cut(1, 0);
    await drawGreedy(fixture, 1, 0, prompt(200, 1));
    for (const shape of [pool(1024), streams(512)]) {
      const state = await own.states?.save(1, false);
      own.cut(1, 0);
      expect(await own.cells?.reshape(shape)).toBe(true);
      expect(state && (await own.states?.restore(1, false, state, 200))).toBe(true);
    }
    expect(await drawGreedy(fixture, 1, 200, Uint32Array.of(next))).toBe(following);
  });

  it('holds the copy of a sequence that was not made yet', async () => {
    const { own } = fixture;
    const next = await drawGreedy(fixture, 0, 0, prompt(200, 1));
    await own.copySequence(0, 2);
    const following = await drawGreedy(fixture, 0, 200, Uint32Array.of(next));
    own.cut(0, 0);
    own.cut(2, 0);
    await drawGreedy(fixture, 0, 0, prompt(200, 1));
    await own.copySequence(0, 2);
    expect(await own.cells?.reshape(streams(1024))).toBe(true);
    expect(await drawGreedy(fixture, 2, 200, Uint32Array.of(next))).toBe(following);
  });
});

describe.runIf(hasStepper)('a prefix that sequences of a pool share', () => {
  it('is held once in the next pool, and by each on its own in streams', async () => {
    await using fixture = await openNativeFixture({ architecture: 'llama', layers: 2 });
    const { own } = fixture;
    await own.cells?.reshape(pool(512));
    const next = await drawGreedy(fixture, 0, 0, prompt(220, 1));
    for (const sequence of [1, 2]) await own.copySequence(0, sequence);
    const alone = await drawGreedy(fixture, 0, 220, Uint32Array.of(next));
    const shared = [1, 2].map((target) => ({ source: 0, target, position: 220 }));
    // Without sharing they need 661 cells, and are put back one after the other.
    for (const shape of [pool(512), streams(256), pool(1024)]) {
      expect(await own.cells?.reshape(shape, shared)).toBe(true);
      expect([0, 1, 2].map((sequence) => own.cells?.holds(sequence))).toEqual([true, true, true]);
      expect(await drawGreedy(fixture, 1, 220, Uint32Array.of(next))).toBe(alone);
      own.cut(1, 220);
    }
    own.cut(0, 0);
    expect(await drawGreedy(fixture, 2, 220, Uint32Array.of(next))).toBe(alone);
  });
});
