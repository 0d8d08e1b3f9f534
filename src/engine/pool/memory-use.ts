import { formatBytes } from '../../words/format-bytes.ts';

/** Memory by device; `vramBytes` is 0 where everything runs on the processor. */
export interface MemoryUse {
  readonly ramBytes: number;
  readonly vramBytes: number;
  /** The part of `vramBytes` in each GPU, by its name; undefined: that is not known. */
  readonly gpus?: Readonly<Record<string, number>>;
}

/** How much memory may be used. */
export interface MemoryBudget extends MemoryUse {
  /** Limit for both devices together where they share one memory; undefined: each has its own. */
  readonly sharedBytes?: number;
}

export const noMemory: MemoryUse = { ramBytes: 0, vramBytes: 0 };

/** For each device the result of `of` for its bytes in both. */
export function combineMemory(
  one: MemoryUse,
  other: MemoryUse,
  of: (one: number, other: number) => number,
): MemoryUse {
  const names = Object.keys({ ...one.gpus, ...other.gpus });
  const gpus = names.map((name) => [name, of(one.gpus?.[name] ?? 0, other.gpus?.[name] ?? 0)] as const);
  return {
    ramBytes: of(one.ramBytes, other.ramBytes),
    vramBytes: of(one.vramBytes, other.vramBytes),
    ...(gpus.length > 0 && { gpus: Object.fromEntries(gpus) }),
  };
}

export const sumMemory = (uses: readonly MemoryUse[]): MemoryUse =>
  uses.reduce((sum, use) => combineMemory(sum, use, (a, b) => a + b), noMemory);

/** The rest of `most` beside `taken`; negative where that is more. */
export const differenceOf = (most: MemoryUse, taken: MemoryUse): MemoryUse =>
  combineMemory(most, taken, (a, b) => a - b);

export const shareOf = (use: MemoryUse, share: number): MemoryUse =>
  combineMemory(use, noMemory, (bytes) => bytes * share);

/** True when all of `uses` together stay within `budget` on each device, and on both where they share it. */
export function fitsInto(budget: MemoryBudget, ...uses: readonly MemoryUse[]): boolean {
  const { ramBytes, vramBytes } = sumMemory(uses);
  const { sharedBytes = Number.POSITIVE_INFINITY } = budget;
  return ramBytes <= budget.ramBytes && vramBytes <= budget.vramBytes && ramBytes + vramBytes <= sharedBytes;
}

/** Such as `1.4 GB`, or `1.4 GB and 900 MB on the GPU`; several GPUs are named. */
export function formatMemory({ ramBytes, vramBytes, gpus = {} }: MemoryUse): string {
  if (vramBytes === 0) return formatBytes(ramBytes);
  const each = Object.entries(gpus).map(([name, bytes]) => `${formatBytes(bytes)} on ${name}`);
  const uses = [
    formatBytes(ramBytes),
    ...(each.length > 1 ? each : [`${formatBytes(vramBytes)} on the GPU`]),
  ];
  return `${uses.slice(0, -1).join(', ')} and ${uses.at(-1)}`;
}
