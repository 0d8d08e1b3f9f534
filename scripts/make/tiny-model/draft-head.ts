import type { RandomStream } from '../random-stream.ts';
import type { GgufTensor } from './gguf.ts';

/**
 * The layer behind the last one by which a model drafts. `random`: it is never right. `knowing`: it expects the token
 * that follows upon the one before, and the layers before it add little to that, so that it is often right.
 */
export type DraftHead = 'random' | 'knowing';

/** The part of their outputs that layers add to the hidden state where a head is to be right. */
const quietness = 0.02;
const writers = /\.(?:attn_output|ffn_down\w*|ssm_out)\.weight$/;

/** The tensors that the head in layer `layer` has besides those of any layer. May change `tensors`, which are the model's. */
export function draftHead(
  kind: DraftHead,
  layer: number,
  hidden: number,
  tensors: readonly GgufTensor[],
  random: RandomStream,
): GgufTensor[] {
  const tensor = (
    name: string,
    dimensions: readonly number[],
    valueAt: (at: number) => number,
  ): GgufTensor => ({
    name: `blk.${layer}.nextn.${name}.weight`,
    dimensions,
    weightType: 'f32',
    values: Float32Array.from(
      { length: dimensions.reduce((product, dimension) => product * dimension, 1) },
      (_, at) => valueAt(at),
    ),
  });
  if (kind === 'knowing')
    for (const { name, values } of tensors)
      if (writers.test(name)) {
        const gain = name.startsWith(`blk.${layer}.`) ? 0 : quietness;
        values.forEach((value, at) => (values[at] = value * gain));
      }
  // Of the two halves that it joins, the first is the embedding of the token before.
  const isKept = (at: number) => at % (2 * hidden) === Math.floor(at / (2 * hidden));
  return [
    tensor('eh_proj', [2 * hidden, hidden], (at) =>
      kind === 'knowing' ? Number(isKept(at)) : random.normal() / Math.sqrt(hidden),
    ),
    ...['enorm', 'hnorm', 'shared_head_norm'].map((name) => tensor(name, [hidden], () => 1)),
  ];
}
