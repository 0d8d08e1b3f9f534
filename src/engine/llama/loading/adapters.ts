import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { GgmlType, readGgufFileInfo, type GgufFileInfo } from 'node-llama-cpp';
import { messageOf } from '../../../words/describe-error.ts';
import type { LoraAdapter } from '../../model-backend.ts';

/** The types of weights that adapters come in. */
const weightTypes: ReadonlySet<GgmlType> = new Set([
  GgmlType.F32,
  GgmlType.F16,
  GgmlType.Q8_0,
  GgmlType.BF16,
]);

type TensorShapes = ReadonlyMap<string, readonly number[]>;

/**
 * The bytes that the adapters take in memory. Throws where one does not fit the model of `info`, and says why:
 * llama.cpp tells of such a file only that it cannot be used.
 */
export async function checkAdapters(info: GgufFileInfo, adapters: readonly LoraAdapter[]): Promise<number> {
  let bytes = 0;
  for (const { path } of adapters) {
    const trouble = await troubleWith(info, path).catch(
      (error: unknown) => `cannot be read: ${messageOf(error)}`,
    );
    if (trouble !== undefined) throw new Error(`its LoRA adapter ${basename(path)} ${trouble}`);
    bytes += statSync(path).size;
  }
  return bytes;
}

/** Why the adapter at `path` cannot be used with the model; undefined: it can. */
async function troubleWith(model: GgufFileInfo, path: string): Promise<string | undefined> {
  const adapter = await readGgufFileInfo(path);
  const { general, adapter: kind } = adapter.metadata as {
    readonly general: { readonly type?: string; readonly architecture: string };
    readonly adapter?: { readonly type?: string };
  };
  const isAdapter = general.type === 'adapter';
  if (!isAdapter || kind?.type !== 'lora') return 'is no LoRA adapter in GGUF';
  const architecture: string = model.metadata.general.architecture;
  if (general.architecture !== architecture)
    return `is for models of the architecture ${general.architecture}, and this one is ${architecture}`;
  const types = (adapter.fullTensorInfo ?? []).map(({ ggmlType }) => ggmlType);
  if (types.some((type) => !weightTypes.has(type)))
    return 'holds weights of a type that adapters do not have';
  return misfit(shapesOf(model), shapesOf(adapter));
}

function misfit(model: TensorShapes, adapter: TensorShapes): string | undefined {
  if (adapter.size === 0) return 'holds no weights';
  for (const [name, shape] of adapter) {
    const base = name.replace(/\.lora_[ab]$/, '');
    const [a, b, whole] = [adapter.get(`${base}.lora_a`), adapter.get(`${base}.lora_b`), model.get(base)];
    if (base === name || a === undefined || b === undefined) return `has a part of ${base} only`;
    if (whole === undefined) return `changes ${base}, which the model does not have`;
    // Embeddings are looked up and not multiplied, so that their two parts change places.
    const [inputs, outputs] = base === 'token_embd.weight' ? [b[1], a[1]] : [a[0], b[1]];
    if (inputs !== whole[0] || outputs !== whole[1] || shape.length !== 2)
      return `changes ${base} in another shape than the model has it in`;
  }
  return undefined;
}

const shapesOf = ({ fullTensorInfo = [] }: GgufFileInfo): TensorShapes =>
  new Map(fullTensorInfo.map(({ name, dimensions }) => [name, dimensions.map(Number)]));
