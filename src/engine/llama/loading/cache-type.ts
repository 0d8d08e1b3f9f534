import { GgmlType, type GgufFileInfo } from 'node-llama-cpp';
import type { CacheType, FileModelSpec } from '../../model-backend.ts';

const ggmlTypes: Readonly<Record<CacheType, GgmlType>> = {
  f16: GgmlType.F16,
  q8_0: GgmlType.Q8_0,
  q5_1: GgmlType.Q5_1,
  q5_0: GgmlType.Q5_0,
  q4_1: GgmlType.Q4_1,
  q4_0: GgmlType.Q4_0,
};
/** Numbers in a block of every type that has fewer bits than f16. */
const blockNumbers = 32;

/** The type of keys and values in the caches of slots. */
export const cacheTypeOf = ({ cacheType = 'f16' }: FileModelSpec): GgmlType => ggmlTypes[cacheType];

/** Throws where the model of `info` cannot have the cache that `spec` wants. */
export function checkCacheType({ architectureMetadata }: GgufFileInfo, { cacheType }: FileModelSpec): void {
  if (cacheType === undefined || cacheType === 'f16') return;
  const { attention, embedding_length: hidden = 0 } = architectureMetadata;
  const heads = [attention?.head_count].flat()[0] ?? 1;
  for (const size of [attention?.key_length, attention?.value_length]) {
    const numbers = size ?? hidden / heads;
    if (numbers % blockNumbers !== 0)
      throw new Error(
        `its cacheType is set to ${cacheType}, whose blocks hold ${blockNumbers} numbers, and its heads have ${numbers}`,
      );
  }
}
