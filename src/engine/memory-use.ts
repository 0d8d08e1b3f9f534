/** Memory by device; `vramBytes` is 0 where everything runs on the processor. */
export interface MemoryUse {
  readonly ramBytes: number;
  readonly vramBytes: number;
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

/** True when all of `uses` together stay within `budget` on each device. */
export function fitsInto(budget: MemoryUse, ...uses: readonly MemoryUse[]): boolean {
  const total = sumMemory(uses);
  return total.ramBytes <= budget.ramBytes && total.vramBytes <= budget.vramBytes;
}

/** Such as `1.4 GiB`, or `1.4 GiB and 0.9 GiB on the GPU`. */
export function formatMemory({ ramBytes, vramBytes }: MemoryUse): string {
  if (vramBytes === 0) return formatBytes(ramBytes);
  return `${formatBytes(ramBytes)} and ${formatBytes(vramBytes)} on the GPU`;
}

function formatBytes(bytes: number): string {
  return bytes < 2 ** 30 ? `${Math.ceil(bytes / 2 ** 20)} MiB` : `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}
