import { formatBytes } from '../../words/format-bytes.ts';

/** Memory by device; `vramBytes` is 0 where everything runs on the processor. */
export interface MemoryUse {
  readonly ramBytes: number;
  readonly vramBytes: number;
}

/** How much memory may be used. */
export interface MemoryBudget extends MemoryUse {
  /** Limit for both devices together where they share one memory; undefined: each has its own. */
  readonly sharedBytes?: number;
}

export const noMemory: MemoryUse = { ramBytes: 0, vramBytes: 0 };

export function sumMemory(uses: Iterable<MemoryUse>): MemoryUse {
  let { ramBytes, vramBytes } = noMemory;
  for (const use of uses) {
    ramBytes += use.ramBytes;
    vramBytes += use.vramBytes;
  }
  return { ramBytes, vramBytes };
}

/** The rest of `most` beside `taken`; negative where that is more. */
export const differenceOf = (most: MemoryUse, taken: MemoryUse): MemoryUse => ({
  ramBytes: most.ramBytes - taken.ramBytes,
  vramBytes: most.vramBytes - taken.vramBytes,
});

export const shareOf = ({ ramBytes, vramBytes }: MemoryUse, share: number): MemoryUse => ({
  ramBytes: ramBytes * share,
  vramBytes: vramBytes * share,
});

/** True when all of `uses` together stay within `budget` on each device, and on both where they share it. */
export function fitsInto(budget: MemoryBudget, ...uses: readonly MemoryUse[]): boolean {
  const { ramBytes, vramBytes } = sumMemory(uses);
  const { sharedBytes = Number.POSITIVE_INFINITY } = budget;
  return ramBytes <= budget.ramBytes && vramBytes <= budget.vramBytes && ramBytes + vramBytes <= sharedBytes;
}

/** Such as `1.4 GB`, or `1.4 GB and 900 MB on the GPU`. */
export function formatMemory({ ramBytes, vramBytes }: MemoryUse): string {
  if (vramBytes === 0) return formatBytes(ramBytes);
  return `${formatBytes(ramBytes)} and ${formatBytes(vramBytes)} on the GPU`;
}
