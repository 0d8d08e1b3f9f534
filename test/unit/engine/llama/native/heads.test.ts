import { GgmlType } from 'node-llama-cpp';
import { describe, expect, it } from 'vitest';
import type { DraftHead } from '../../../../../scripts/make/tiny-model/draft-head.ts';
import { loadWeights } from '../../../../../src/engine/llama/loading/load-weights.ts';
import type { ChosenLoad } from '../../../../../src/engine/llama/loading/plan-load.ts';
import type { NativeContext } from '../../../../../src/engine/llama/native/context/context.ts';
import { openContext } from '../../../../../src/engine/llama/native/context/stepper-context.ts';
import { onProcessor } from '../../../../../src/engine/llama/native/model.ts';
import { neutralSampling } from '../../../../../src/engine/generation/sampling-options.ts';
import type { FileModelSpec } from '../../../../../src/engine/model-backend.ts';
import { hasStepper } from '../../../../support/engine/draw-tokens.ts';
import { openTestLlama, silentLog } from '../../../../support/models/native-model.ts';
import { tinyModel } from '../../../../support/models/tiny-model.ts';

/** The state of the first cannot be cut. */
const architectures = ['qwen35moe', 'glm4moe'] as const;
const most = 3;

/** A context of a tiny model with a draft head, which it has with it or leaves out. */
async function openHeaded(
  architecture: (typeof architectures)[number],
  draftHead: DraftHead,
  headTokens: number,
) {
  const llama = await openTestLlama();
  const path = await tinyModel({ architecture, draftHead, layers: 4, seed: 6, endOfTurnGain: 0 });
  const chosen = { ...onProcessor, withHeads: headTokens > 0, memory: { ramBytes: 0, vramBytes: 0 } };
  const model = await loadWeights(
    llama,
    { id: 'headed', path } as FileModelSpec,
    chosen as ChosenLoad,
    silentLog,
    new AbortController().signal,
  );
  const context = await openContext(model, {
    contextTokens: 512,
    sequences: 3,
    batchTokens: 256,
    threads: 1,
    cacheType: GgmlType.F16,
    headTokens,
  });
  return {
    context,
    async [Symbol.asyncDispose]() {
      await context.dispose();
      await model.dispose();
      await llama.dispose();
    },
  };
}

const prompt = (length: number, seed: number) =>
  Uint32Array.from({ length }, (_, at) => 10 + ((at * (seed + 3) + seed) % 200));

/** Computes the parts in one step. The tokens drawn for each, along its draft. */
async function compute(
  context: NativeContext,
  parts: readonly { sequence: number; position: number; tokens: Uint32Array; draft?: Uint32Array }[],
): Promise<number[][]> {
  context.initBatch(256);
  const draws = parts.map(({ sequence, position, tokens, draft = new Uint32Array() }) => {
    const all = Uint32Array.of(...tokens, ...draft);
    const wanted = Uint32Array.from({ length: draft.length + 1 }, (_, at) => tokens.length - 1 + at);
    const [logitIndex = 0] = context.addToBatch(sequence, position, all, wanted);
    const sampling = { ...neutralSampling, temperature: 0, seed: 1 };
    const { handle: sampler } = context.stepper.createSampler(sampling, new Uint32Array());
    return { logitIndex, sampler, alternatives: -1, draft };
  });
  const drawn = await context.decodeBatch(draws);
  for (const [at, { sequence, position, tokens }] of parts.entries())
    expect(context.cut(sequence, position + tokens.length - 1 + (drawn[at]?.length ?? 0))).toBe(true);
  return drawn.map((tokens) => [...tokens]);
}

type Between = (at: number, positions: readonly number[]) => Promise<void>;

/** The tokens that two sequences write beside each other, and how many of the guessed tokens they took. */
async function write(context: NativeContext, count: number, between: Between = async () => undefined) {
  const answers = await compute(
    context,
    [0, 1].map((sequence) => ({ sequence, position: 0, tokens: prompt(40 + sequence, sequence) })),
  );
  let [guessed, taken] = [0, 0];
  for (let at = 0; answers.some(({ length }) => length < count); at++) {
    await between(
      at,
      answers.map((answer, sequence) => 39 + sequence + answer.length),
    );
    const parts = answers.map((answer, sequence) => ({
      sequence,
      position: 39 + sequence + answer.length,
      tokens: Uint32Array.of(answer.at(-1) ?? 0),
    }));
    // Also of unequal length, and not for both.
    const asked = at % 5 === 4 ? parts.slice(1) : parts;
    const asks = asked.flatMap(({ sequence, position, tokens: [token = 0] }) => [
      sequence,
      token,
      position,
      sequence === 1 && at % 3 === 0 ? 1 : most,
    ]);
    const guesses = parts.map((): Float64Array => new Float64Array());
    for (const [index, guess] of ((await context.guess?.(Int32Array.from(asks))) ?? []).entries())
      guesses[asked[index]?.sequence ?? 0] = guess;
    const drafted = parts.map((part, index) => ({ ...part, draft: Uint32Array.from(guesses[index] ?? []) }));
    for (const [index, tokens] of (await compute(context, drafted)).entries()) {
      guessed += guesses[index]?.length ?? 0;
      taken += tokens.length - 1;
      answers[index]?.push(...tokens);
    }
  }
  for (const sequence of [0, 1]) context.cut(sequence, 0);
  return { answers: answers.map((answer) => answer.slice(0, count)), guessed, taken };
}

describe.runIf(hasStepper).each(architectures)('the draft head of a %s', (architecture) => {
  it('guesses what is taken, and what is not changes nothing', async () => {
    for (const kind of ['knowing', 'random'] as const) {
      await using headed = await openHeaded(architecture, kind, most);
      await using plain = await openHeaded(architecture, kind, 0);
      expect(plain.context.guess).toBeUndefined();
      const expected = await write(plain.context, 60);
      const { answers, guessed, taken } = await write(headed.context, 60);
      expect(answers).toEqual(expected.answers);
      if (kind === 'knowing') expect(taken).toBeGreaterThan(guessed / 6);
      else expect(taken).toBeLessThan(guessed / 20);
      const { cells, states } = headed.context;
      let saved = new Uint8Array(new ArrayBuffer(0));
      const again = await write(headed.context, 60, async (at, positions) => {
        if (at === 3) expect(await cells.reshape({ cells: 1024, isUnified: true })).toBe(true);
        if (at === 6) expect(await cells.reshape({ cells: 1536, isUnified: false })).toBe(true);
        if (at === 9) await headed.context.copySequence(0, 2);
        if (at === 12) saved = await states.save(0, false);
        if (at === 12) headed.context.cut(0, 0);
        if (at === 12) expect(await states.restore(0, false, saved, positions[0] ?? 0)).toBe(true);
      });
      expect(again.answers).toEqual(expected.answers);
    }
  });

  it('guesses the same by whatever way its tokens were computed', async () => {
    await using headed = await openHeaded(architecture, 'random', most);
    const { context } = headed;
    const tokens = prompt(150, 1);
    const ask = async (sequence: number) =>
      (await context.guess?.(Int32Array.of(sequence, 50, tokens.length, most)))?.map(String);
    await compute(context, [{ sequence: 0, position: 0, tokens }]);
    const expected = await ask(0);
    expect(expected?.[0]?.split(',')).toHaveLength(most);
    expect(await ask(0)).toEqual(expected);
    await context.copySequence(0, 1);
    expect(await ask(1)).toEqual(expected);
    expect(await context.cells.reshape({ cells: 1024, isUnified: true })).toBe(true);
    expect(await ask(0)).toEqual(expected);
    context.cut(0, 0);
    // In pieces, along drafts that are wrong.
    await compute(context, [{ sequence: 0, position: 0, tokens: tokens.subarray(0, 70) }]);
    for (let position = 70; position < tokens.length; position++) {
      const draft = Uint32Array.of(position, 201, 202);
      await compute(context, [
        { sequence: 0, position, tokens: tokens.subarray(position, position + 1), draft },
      ]);
      context.cut(0, position + 1);
      if (position % 20 === 0) await context.guess?.(Int32Array.of(0, 7, position + 1, 2));
    }
    expect(await ask(0)).toEqual(expected);
  });
});
