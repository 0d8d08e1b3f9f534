/** Tests of state that several threads share; scripts/build/check-stepper.ts runs them with a compiler's checks. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StepDraw } from '../../../../../src/engine/llama/native/stepper.ts';
import { neutralSampling } from '../../../../../src/engine/generation/sampling-options.ts';
import { hasStepper } from '../../../../support/engine/draw-tokens.ts';
import { openNativeFixture, type NativeFixture } from '../../../../support/models/native-model.ts';

const prompt = Uint32Array.from({ length: 12 }, (_, index) => 70 + index);
const grammar = 'root ::= [a-z]+ " " [a-z]+';
/** The stepper wakes another thread for each 65,536 logits. */
const logitsPerThread = 2 ** 16;

/** The draws of one step, enough of them to be worth several threads. */
async function stepWith({ own: native, vocabulary }: NativeFixture, threads: number) {
  native.setThreads(threads);
  const count = Math.ceil((3 * logitsPerThread) / vocabulary.size);
  native.cut(0, 0);
  native.initBatch(prompt.length);
  const [logitIndex = 0] = native.addToBatch(0, 0, prompt, Uint32Array.of(prompt.length - 1));
  const draws: StepDraw[] = [];
  for (let seed = 0; seed < count; seed++) {
    const topK = seed % 3 === 0 ? 20 : 0;
    const sampler = native.stepper.createSampler({ ...neutralSampling, topK, seed }, prompt);
    if (seed % 50 === 0) sampler.constrain(grammar, new Uint32Array());
    draws.push({ logitIndex, sampler: sampler.handle, alternatives: seed % 5 });
  }
  const drawn = await native.decodeBatch(draws);
  return drawn.map((numbers) => [...numbers]);
}

/** Log-probabilities differ in the last digits: each number of threads adds up the same products in another order. */
const tokensOf = (drawn: readonly number[][]) => drawn.map(([token]) => token);

describe.runIf(hasStepper)('steps on several threads', () => {
  let fixtures: readonly NativeFixture[];
  beforeAll(async () => {
    fixtures = await Promise.all([openNativeFixture(), openNativeFixture({ seed: 5 })]);
  });
  afterAll(() => Promise.all(fixtures.map((fixture) => fixture[Symbol.asyncDispose]())));

  it('of two models at once draw what one thread draws', async () => {
    // Several threads come first: they all want the first-made objects at once.
    const together = [];
    for (const threads of [3, 2])
      together.push(await Promise.all(fixtures.map((fixture) => stepWith(fixture, threads))));
    const alone = [];
    for (const fixture of fixtures) alone.push(await stepWith(fixture, 1));
    expect(alone[0]).not.toEqual(alone[1]);
    for (const drawn of together) expect(drawn.map(tokensOf)).toEqual(alone.map(tokensOf));
  });
});

describe.runIf(hasStepper)('a process that ends', () => {
  it.each([0, 20])('%i ms after its steps began ends as it is told', async (delayMs) => {
    const program = fileURLToPath(new URL('../../../../support/engine/exit-in-mid-step.ts', import.meta.url));
    const child = spawn(process.execPath, [program, String(delayMs)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    const [code] = await once(child, 'close');
    expect({ code, errors }).toEqual({ code: 7, errors: '' });
  });
});
