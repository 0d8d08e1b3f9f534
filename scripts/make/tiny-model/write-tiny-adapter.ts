import { writeFile } from 'node:fs/promises';
import { RandomStream } from '../random-stream.ts';
import { encodeGguf, type GgufTensor, type GgufValue } from './gguf.ts';
import { buildTinyModel, type TinyModelOptions } from './write-tiny-model.ts';

export interface TinyAdapterOptions {
  /** The model that it is for: a Llama. */
  readonly model?: TinyModelOptions;
  readonly seed?: number;
  readonly rank?: number;
}

/** An adapter's two parts, whose product is added to a matrix. */
interface Pair {
  readonly a: GgufTensor;
  readonly b: GgufTensor;
}

const changedParts = /^blk\.\d+\.(attn_[qv]|ffn_up)\.weight$/;

/** Writes a LoRA adapter with random weights for a tiny model. */
export async function writeTinyAdapter(path: string, options: TinyAdapterOptions = {}): Promise<void> {
  const tensors: GgufTensor[] = [];
  forEachPair(options, (_, { a, b }) => tensors.push(a, b));
  const metadata = new Map<string, GgufValue>([
    ['general.type', { type: 'string', value: 'adapter' }],
    ['general.architecture', { type: 'string', value: options.model?.architecture ?? 'llama' }],
    ['adapter.type', { type: 'string', value: 'lora' }],
    ['adapter.lora.alpha', { type: 'f32', value: options.rank ?? defaultRank }],
  ]);
  await writeFile(path, encodeGguf(metadata, tensors));
}

/** Writes the model with the adapter's changes in its own weights. */
export async function writeMergedModel(path: string, options: TinyAdapterOptions = {}): Promise<void> {
  const file = buildTinyModel(options.model, (tensors) =>
    forEachPair({ ...options, tensors }, (whole, { a, b }) => {
      const [inputs = 0, outputs = 0] = whole.dimensions;
      const rank = options.rank ?? defaultRank;
      for (let output = 0; output < outputs; output++)
        for (let input = 0; input < inputs; input++) {
          let change = 0;
          for (let at = 0; at < rank; at++)
            change += (b.values[output * rank + at] ?? 0) * (a.values[at * inputs + input] ?? 0);
          whole.values[output * inputs + input] = (whole.values[output * inputs + input] ?? 0) + change;
        }
    }),
  );
  await writeFile(path, file);
}

const defaultRank = 4;

/** Calls `each` with every matrix that the adapter changes, and the pair that it adds there. */
function forEachPair(
  options: TinyAdapterOptions & { readonly tensors?: readonly GgufTensor[] },
  each: (whole: GgufTensor, pair: Pair) => void,
): void {
  const { seed = 1, rank = defaultRank, tensors } = options;
  if (tensors === undefined) {
    buildTinyModel(options.model, (own) => forEachPair({ ...options, tensors: own }, each));
    return;
  }
  const random = new RandomStream(seed);
  const part = (name: string, dimensions: readonly number[], deviation: number): GgufTensor => {
    const length = dimensions.reduce((product, one) => product * one, 1);
    const values = Float32Array.from({ length }, () => random.normal() * deviation);
    return { name, dimensions, weightType: 'f32', values };
  };
  for (const whole of tensors) {
    if (!changedParts.test(whole.name)) continue;
    const [inputs = 0, outputs = 0] = whole.dimensions;
    const a = part(`${whole.name}.lora_a`, [inputs, rank], 1 / Math.sqrt(inputs));
    const b = part(`${whole.name}.lora_b`, [rank, outputs], 1 / Math.sqrt(rank));
    each(whole, { a, b });
  }
}
