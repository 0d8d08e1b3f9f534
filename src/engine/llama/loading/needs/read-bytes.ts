import type { GgufFileInfo } from 'node-llama-cpp';
import { layerWithExperts } from './choose-placement.ts';

/**
 * Bytes of weights that a token leaves alone: the embeddings of all other tokens, unless the output has the same weights,
 * and the experts that it does not ask. Each tensor ends where the next one begins; the last one counts for nothing.
 */
export function unreadBytes({ fullTensorInfo = [], architectureMetadata }: GgufFileInfo): number {
  const { expert_count: all = 1, expert_used_count: asked = all } = architectureMetadata;
  const hasOutput = fullTensorInfo.some(({ name }) => name === 'output.weight');
  const tensors = fullTensorInfo.toSorted(
    (a, b) => a.filePart - b.filePart || Number(a.fileOffset) - Number(b.fileOffset),
  );
  return tensors.reduce((sum, { name, fileOffset, filePart }, at) => {
    const next = tensors[at + 1];
    const bytes = next?.filePart === filePart ? Number(next.fileOffset) - Number(fileOffset) : 0;
    if (layerWithExperts(name) !== undefined) return sum + bytes * (1 - asked / all);
    return sum + (name === 'token_embd.weight' && hasOutput ? bytes : 0);
  }, 0);
}
