import { RandomStream } from '../../../scripts/make/random-stream.ts';
import { neutralSampling, type SamplingOptions } from '../../../src/engine/sampling-options.ts';
import { TokenSampler } from '../../../src/engine/llama/sampling/token-sampler.ts';
import type { NativeFixture } from '../models/native-model.ts';
import { preparedRequest } from './step-loop-harness.ts';
import type { DrawPath } from './draw-tokens.ts';

const grammar = 'root ::= ("{" | [a-m])+ [A-Z ]';
/** Tokens that were drawn less often by both paths together are counted together. */
const leastCount = 10;

export interface DrawComparison {
  /** Requests of each path. */
  readonly requests: number;
  /** Of them, those with a seed that gave another token on the other path, and should not. */
  readonly differing: number;
  /** Chi-square of the tokens drawn by both paths with seeds of their own, and its degrees of freedom. */
  readonly squares: number;
  readonly freedom: number;
}

/**
 * Compares what requests with random sampling parameters draw within steps and after them: `kinds` of parameters, each
 * with so many seeds.
 */
export async function compareDraws(
  fixture: NativeFixture,
  kinds: number,
  seeds: number,
): Promise<DrawComparison> {
  const random = new RandomStream(kinds);
  let [differing, squares, freedom] = [0, 0, 0];
  for (let kind = 0; kind < kinds; kind++) {
    const prompt = Uint32Array.from({ length: 24 }, () => 60 + Math.floor(random.uniform() * 200));
    const sampling = randomSampling(random, fixture.vocabulary.size);
    const gbnf = random.uniform() < 0.25 ? grammar : undefined;
    const draw = (path: DrawPath, firstSeed: number) =>
      drawOnce(fixture, { path, prompt, sampling, gbnf, firstSeed, seeds });
    const within = await draw('within steps', 0);
    const after = await draw('after steps', 0);
    // A repeat penalty has node-llama-cpp's path draw a second time in another way under a grammar.
    const isBySeed = gbnf === undefined || sampling.repeatPenalty === 1;
    if (isBySeed) differing += within.filter((token, at) => token !== after[at]).length;
    const difference = chiSquare(within, await draw('after steps', seeds));
    squares += difference.squares;
    freedom += difference.freedom;
  }
  return { requests: kinds * seeds, differing, squares, freedom };
}

function randomSampling(random: RandomStream, vocabularySize: number): SamplingOptions {
  const between = (least: number, most: number) => least + random.uniform() * (most - least);
  /** Half of the requests ask for nothing. */
  const maybe = (value: number, neutral: number) => (random.uniform() < 0.5 ? value : neutral);
  const biases = Array.from({ length: maybe(Math.floor(between(1, 12)), 0) }, (): [number, number] => [
    Math.floor(between(0, vocabularySize)),
    between(-20, 8),
  ]);
  return {
    ...neutralSampling,
    temperature: between(0.1, 2),
    topK: maybe(Math.floor(between(1, 300)), 0),
    topP: maybe(between(0.05, 1), 1),
    minP: maybe(between(0, 0.3), 0),
    frequencyPenalty: maybe(between(-2, 2), 0),
    presencePenalty: maybe(between(-2, 2), 0),
    repeatPenalty: maybe(between(1, 1.5), 1),
    logitBias: new Map(biases),
  };
}

interface OneKind {
  readonly path: DrawPath;
  readonly prompt: Uint32Array;
  readonly sampling: SamplingOptions;
  readonly gbnf: string | undefined;
  readonly firstSeed: number;
  readonly seeds: number;
}

/** The first token that each of these requests draws after the prompt. */
async function drawOnce(fixture: NativeFixture, kind: OneKind): Promise<readonly number[]> {
  const { native, samplers, vocabulary } = fixture;
  const stepper = kind.path === 'within steps' ? native.stepper : undefined;
  const requests = Array.from({ length: kind.seeds }, (_, at) => {
    const sampling = { ...kind.sampling, seed: kind.firstSeed + at };
    const prepared = preparedRequest(kind.prompt, { sampling });
    const sampler = new TokenSampler({ samplers, vocabulary, contextTokens: 512, stepper }, prepared);
    if (kind.gbnf !== undefined) sampler.constrain(kind.gbnf, new Uint32Array());
    return sampler;
  });
  native.disposeSequence(0);
  const tokens: number[] = [];
  try {
    native.initBatch(kind.prompt.length);
    const [index = 0] = native.addToBatch(0, 0, kind.prompt, Uint32Array.of(kind.prompt.length - 1));
    const drawn = await native.decodeBatch(requests.flatMap((sampler) => sampler.drawInStep(index) ?? []));
    for (const [at, sampler] of requests.entries())
      tokens.push((await sampler.sample(native, index, drawn[at])).token);
  } finally {
    for (const sampler of requests) sampler.dispose();
  }
  return tokens;
}

/** How far two samples of the same size are from being of one distribution. */
function chiSquare(one: readonly number[], other: readonly number[]) {
  const counts = new Map<number, [number, number]>();
  const countOf = (token: number) => counts.get(token) ?? [0, 0];
  for (const token of one) counts.set(token, [countOf(token)[0] + 1, countOf(token)[1]]);
  for (const token of other) counts.set(token, [countOf(token)[0], countOf(token)[1] + 1]);
  const rest: [number, number] = [0, 0];
  let [squares, kinds] = [0, 0];
  const add = ([a, b]: readonly [number, number]) => {
    squares += (a - b) ** 2 / (a + b);
    kinds += 1;
  };
  for (const [a, b] of counts.values()) {
    if (a + b >= leastCount) add([a, b]);
    else [rest[0], rest[1]] = [rest[0] + a, rest[1] + b];
  }
  if (rest[0] + rest[1] > 0) add(rest);
  return { squares, freedom: Math.max(0, kinds - 1) };
}
