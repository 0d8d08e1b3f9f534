import type { NativeContext } from '../../../src/engine/llama/native/context/context.ts';
import { stepperTrouble } from '../../../src/engine/llama/native/stepper.ts';
import { TokenSampler, type SampledToken } from '../../../src/engine/llama/sampling/token-sampler.ts';
import type { GenerationRequest } from '../../../src/engine/types.ts';
import { decode, fullLogprobs, type NativeFixture } from '../models/native-model.ts';
import { preparedRequest } from './step-loop-harness.ts';

/** Where draws are made: by the stepper within the step, or by node-llama-cpp after it. */
export type DrawPath = 'within steps' | 'after steps';

/** Whether the stepper can be tested, as `canTranscribe` tells it of speech. */
export const hasStepper: boolean = process.env['CI'] !== undefined || isBuilt();

export const drawPaths: readonly DrawPath[] = hasStepper ? ['within steps', 'after steps'] : ['after steps'];

/** The context on which draws are made in that way. */
export const contextOf = (fixture: NativeFixture, path: DrawPath): NativeContext =>
  path === 'within steps' ? fixture.own : fixture.native;

export interface DrawOptions {
  readonly path: DrawPath;
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
  const { samplers, vocabulary } = fixture;
  const { path, prompt, count, request = {}, gbnf, expects = false } = options;
  const native = contextOf(fixture, path);
  const { stepper } = native;
  const sampler = new TokenSampler(
    { samplers, vocabulary, contextTokens: 512, stepper },
    preparedRequest(prompt, request),
  );
  const drawn: SampledToken[] = [];
  const expected: ReadonlyMap<number, number>[] = [];
  try {
    if (gbnf !== undefined) sampler.constrain(gbnf, new Uint32Array());
    for (const context of new Set([native, fixture.native])) context.cut(0, 0);
    let tokens = prompt;
    for (let position = 0; drawn.length < count;) {
      native.initBatch(tokens.length);
      const [index = 0] = native.addToBatch(0, position, tokens, Uint32Array.of(tokens.length - 1));
      const draw = sampler.drawInStep(index);
      const [told] = await native.decodeBatch(draw === undefined ? [] : [draw]);
      const [sampled] = await sampler.sample(native, index, told);
      if (sampled === undefined) throw new Error('nothing was drawn');
      drawn.push(sampled);
      if (expects) {
        if (native !== fixture.native) await decode(fixture.native, 0, position, tokens);
        expected.push(await fullLogprobs(fixture, tokens.length - 1));
      }
      if (gbnf !== undefined && vocabulary.endOfGeneration.has(sampled.token)) break;
      position += tokens.length;
      tokens = Uint32Array.of(sampled.token);
    }
  } finally {
    sampler.dispose();
  }
  return { drawn, tokens: drawn.map(({ token }) => token), expected };
}

function isBuilt(): boolean {
  const trouble = stepperTrouble();
  if (trouble !== undefined) console.warn(`draws within steps are not tested: the stepper is ${trouble}`);
  return trouble === undefined;
}
