import { RandomStream } from '../random-stream.ts';
import type { Transition } from './transitions.ts';

/** Size of the hidden state: enough for random directions to be told apart, and a small file. */
export const stateSize = 32;
export const hiddenSize = 4 * stateSize;
/** Gain of the last norm: how sure the model is of its tokens. */
export const outputGain = 3;

/** How much louder the next token is in the state than the one that it follows. */
const loudness = 8;
const steepness = 12;
/** A unit fires for states whose direction is that of its token: the cosine must be above it. */
const matchCosine = 0.9;

/** The weights that are not 0 or 1. */
export interface SpeakingWeights {
  /** One row per token, of length 1 and mean 0. */
  readonly embedding: Float32Array;
  /** The first decoder block's feed-forward layers: into the hidden units, and out of them. */
  readonly inner: Float32Array;
  readonly innerBias: Float32Array;
  readonly outer: Float32Array;
}

/**
 * Weights that follow `transitions`. Every token has a random direction. Attention does nothing, so that the state is
 * the last token's direction; each transition has one hidden unit, which fires for that direction and adds those of the
 * next tokens, which the output layer (the embedding once more) then finds in the state.
 */
export function speakingWeights(vocabularySize: number, transitions: readonly Transition[]): SpeakingWeights {
  if (transitions.length > hiddenSize)
    throw new RangeError(`there are more than ${hiddenSize} transitions: say less`);
  const embedding = randomDirections(vocabularySize);
  const direction = (token: number) => embedding.subarray(token * stateSize, (token + 1) * stateSize);
  const inner = new Float32Array(hiddenSize * stateSize);
  const innerBias = new Float32Array(hiddenSize);
  const outer = new Float32Array(stateSize * hiddenSize);
  // A norm makes the state as long as the root of its size before the units see it.
  const stateLength = Math.sqrt(stateSize);
  const firing = steepness * (1 - matchCosine) * stateLength;
  transitions.forEach(({ from, to }, unit) => {
    direction(from).forEach((value, index) => {
      inner[unit * stateSize + index] = steepness * value;
    });
    innerBias[unit] = -steepness * matchCosine * stateLength;
    for (const { token, weight } of to)
      direction(token).forEach((value, index) => {
        const position = index * hiddenSize + unit;
        outer[position] = (outer[position] ?? 0) + (loudness * weight * value) / firing;
      });
  });
  return { embedding, inner, innerBias, outer };
}

function randomDirections(count: number): Float32Array {
  const random = new RandomStream(1);
  const rows = new Float32Array(count * stateSize);
  for (let start = 0; start < rows.length; start += stateSize) {
    const values = Array.from({ length: stateSize }, () => random.normal());
    const mean = values.reduce((sum, value) => sum + value, 0) / stateSize;
    const centred = values.map((value) => value - mean);
    const length = Math.sqrt(centred.reduce((sum, value) => sum + value * value, 0));
    rows.set(
      centred.map((value) => value / length),
      start,
    );
  }
  return rows;
}

/** Probability of each token after `token`, computed from the weights in double precision. */
export function nextProbabilities(weights: SpeakingWeights, token: number): Float64Array {
  const { embedding, inner, innerBias, outer } = weights;
  const state = [...embedding.subarray(token * stateSize, (token + 1) * stateSize)];
  const normed = normalise(state);
  innerBias.forEach((bias, unit) => {
    const row = inner.subarray(unit * stateSize, (unit + 1) * stateSize);
    const fired = gelu(row.reduce((sum, value, index) => sum + value * (normed[index] ?? 0), bias));
    for (let index = 0; index < stateSize; index++)
      state[index] = (state[index] ?? 0) + fired * (outer[index * hiddenSize + unit] ?? 0);
  });
  const output = normalise(state).map((value) => value * outputGain);
  const logits = new Float64Array(embedding.length / stateSize);
  embedding.forEach((value, position) => {
    const row = Math.floor(position / stateSize);
    logits[row] = (logits[row] ?? 0) + value * (output[position % stateSize] ?? 0);
  });
  const highest = logits.reduce((a, b) => Math.max(a, b));
  const exponentials = logits.map((logit) => Math.exp(logit - highest));
  const total = exponentials.reduce((sum, value) => sum + value, 0);
  return exponentials.map((value) => value / total);
}

function normalise(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return values.map((value) => (value - mean) / Math.sqrt(variance + 1e-5));
}

function gelu(value: number): number {
  return 0.5 * value * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (value + 0.044715 * value ** 3)));
}
