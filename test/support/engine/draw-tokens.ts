import { stepperTrouble } from '../../../src/engine/llama/native/stepper.ts';
import { TokenSampler, type SampledToken } from '../../../src/engine/llama/sampling/token-sampler.ts';
import type { SamplingOptions } from '../../../src/engine/generation/sampling-options.ts';
import type { GenerationRequest } from '../../../src/engine/types.ts';
import { decode, fullLogprobs, type NativeFixture } from '../models/native-model.ts';
import { createReferenceSampler } from '../models/reference-context.ts';
import { preparedRequest } from './step-loop-harness.ts';

/** Whether the stepper can be tested, as `canTranscribe` tells it of speech. */
export const hasStepper: boolean = process.env['CI'] !== undefined || isBuilt();

export interface DrawOptions {
  readonly prompt: Uint32Array;
  readonly count: number;
  readonly request?: Partial<GenerationRequest>;
  /** Binds all draws. */
  readonly gbnf?: string | undefined;
  /** The log-probabilities of all tokens are wanted too. */
  readonly expects?: boolean;
}

/** Tokens that a sampler draws one after the other, and the log-probabilities of all tokens behind each draw. */
export async function drawTokens(fixture: NativeFixture, options: DrawOptions) {
  const { own, reference, vocabulary } = fixture;
  const { prompt, count, request = {}, gbnf, expects = false } = options;
  const sampler = new TokenSampler(own.stepper, vocabulary, preparedRequest(prompt, request));
  const drawn: SampledToken[] = [];
  const expected: ReadonlyMap<number, number>[] = [];
  if (gbnf !== undefined) sampler.constrain(gbnf, new Uint32Array());
  own.cut(0, 0);
  reference.clear();
  let tokens = prompt;
  for (let position = 0; drawn.length < count;) {
    own.initBatch(tokens.length);
    const [index = 0] = own.addToBatch(0, position, tokens, Uint32Array.of(tokens.length - 1));
    const [told] = await own.decodeBatch([sampler.drawInStep(index)]);
    const [sampled] = sampler.read(told);
    if (sampled === undefined) throw new Error('nothing was drawn');
    drawn.push(sampled);
    if (expects) {
      await decode(reference, 0, position, tokens);
      expected.push(await fullLogprobs(fixture, tokens.length - 1));
    }
    if (gbnf !== undefined && vocabulary.endOfGeneration.has(sampled.token)) break;
    position += tokens.length;
    tokens = Uint32Array.of(sampled.token);
  }
  return { drawn, tokens: drawn.map(({ token }) => token), expected };
}

/** The tokens that node-llama-cpp's sampler draws, none of which ends the turn, and the log-probabilities behind each draw. */
export async function drawReference(
  fixture: NativeFixture,
  prompt: Uint32Array,
  count: number,
  sampling: SamplingOptions,
  expects = false,
) {
  const { reference, model, vocabulary } = fixture;
  const ends = [...vocabulary.endOfGeneration].map((token) => [token, Number.NEGATIVE_INFINITY] as const);
  const logitBias = new Map([...sampling.logitBias, ...ends]);
  const sampler = createReferenceSampler(model, { ...sampling, logitBias }, [...prompt]);
  const drawn: number[] = [];
  const expected: ReadonlyMap<number, number>[] = [];
  reference.clear();
  let tokens = prompt;
  for (let position = 0; drawn.length < count;) {
    const index = await decode(reference, 0, position, tokens);
    if (expects) expected.push(await fullLogprobs(fixture, index));
    drawn.push(await reference.sampleToken(index, sampler));
    position += tokens.length;
    tokens = Uint32Array.of(drawn.at(-1) ?? 0);
  }
  sampler.dispose();
  return { tokens: drawn, expected };
}

function isBuilt(): boolean {
  const trouble = stepperTrouble();
  if (trouble !== undefined) console.warn(`draws within steps are not tested: the stepper is ${trouble}`);
  return trouble === undefined;
}
