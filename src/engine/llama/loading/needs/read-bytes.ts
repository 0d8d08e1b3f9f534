import type { GgufFileInfo } from 'node-llama-cpp';
import { layerWithExperts } from './choose-placement.ts';

/** The last layers of a file, which only draft. */
export const draftingLayers = ({ nextn_predict_layers: count = 0 }: GgufFileInfo['architectureMetadata']) =>
  count;

/** Architectures whose draft heads are known to work. llama.cpp ends the process where it misses something for them. */
const headed: ReadonlySet<string> = new Set(['qwen35', 'qwen35moe', 'glm4moe']);

/** Whether the model has a draft head that can be asked. Where there are several, each guesses another token. */
export function hasHeads({ metadata, architectureMetadata, fullTensorInfo = [] }: GgufFileInfo): boolean {
  const head = `blk.${(architectureMetadata.block_count ?? 0) - 1}.nextn.eh_proj.weight`;
  return (
    headed.has(metadata.general.architecture) &&
    draftingLayers(architectureMetadata) === 1 &&
    fullTensorInfo.some(({ name }) => name === head)
  );
}

/**
 * Bytes of weights that a token leaves alone: the embeddings of all other tokens, unless the output has the same weights,
 * and the experts that it does not ask. Each tensor ends where the next one begins; the last one counts for nothing.
 */
export function unreadBytes({ fullTensorInfo = [], architectureMetadata }: GgufFileInfo): number {
  const { expert_count: all = 1, expert_used_count: asked = all } = architectureMetadata;
  const layers = (architectureMetadata.block_count ?? 0) - draftingLayers(architectureMetadata);
  const hasOutput = fullTensorInfo.some(({ name }) => name === 'output.weight');
  const tensors = fullTensorInfo.toSorted(
    (a, b) => a.filePart - b.filePart || Number(a.fileOffset) - Number(b.fileOffset),
  );
  return tensors.reduce((sum, { name, fileOffset, filePart }, at) => {
    const next = tensors[at + 1];
    const bytes = next?.filePart === filePart ? Number(next.fileOffset) - Number(fileOffset) : 0;
    const layer = layerWithExperts(name);
    if (layer !== undefined) return layer < layers ? sum + bytes * (1 - asked / all) : sum;
    return sum + (name === 'token_embd.weight' && hasOutput ? bytes : 0);
  }, 0);
}
