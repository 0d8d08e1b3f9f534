import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A trained tensor; `shape` as PyTorch has it, slowest dimension first. */
export interface Tensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** The output of `write_tensors` of training/tensor_file.py in `folder`: facts about the model, and its tensors. */
export async function readWeights(folder: string): Promise<{ about: unknown; tensors: Tensor[] }> {
  const about = JSON.parse(await readFile(join(folder, 'shape.json'), 'utf8')) as {
    readonly tensors: readonly { readonly name: string; readonly shape: readonly number[] }[];
  };
  const weights = await readFile(join(folder, 'weights.bin'));
  let start = weights.byteOffset;
  const tensors = about.tensors.map(({ name, shape }) => {
    const end = start + 4 * shape.reduce((product, size) => product * size, 1);
    const values = new Float32Array(weights.buffer.slice(start, end));
    start = end;
    return { name, shape, values };
  });
  return { about, tensors };
}
