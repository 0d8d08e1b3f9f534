import type { CuratedModel } from './curated-models.ts';

export interface GpuPower {
  readonly name: string;
  readonly memoryBytes: number;
  /** As on a Mac: its memory is the main memory. */
  readonly sharesMainMemory: boolean;
}

/** What a machine has for models. */
export interface MachinePower {
  readonly memoryBytes: number;
  /** That compute, not counting those that share one's arithmetic. */
  readonly cores: number;
  /** How fast all cores together read main memory; undefined: it was not measured. */
  readonly memoryBytesPerSecond: number | undefined;
  /** undefined: models run on the processor. */
  readonly gpu: GpuPower | undefined;
}

/** Below this an answer comes more slowly than people read. */
export const bearableTokensPerSecond = 8;

/** Room that is left to everything else on the machine, and to the driver of a GPU. */
const usableShare = 0.5;
const usableGpuShare = 0.9;
/** Of the speed at which memory can be read, what llama.cpp made use of with 16-bit weights: it computes in between. */
const usedBandwidthShare = 0.7;
/** Weights that a core of a usual processor can compute with, where memory would give it more. */
const coreBytesPerSecond = 10e9;
/** The memory of a GPU with one of its own cannot be measured from here: slow cards of recent years have this. */
const slowGpuBytesPerSecond = 150e9;

type Sizes = Pick<CuratedModel, 'sizeBytes' | 'memoryBytes' | 'readBytes'>;

/** True where a model and its caches leave room for everything else. */
export function hasRoomFor(machine: MachinePower, { memoryBytes }: Sizes): boolean {
  return memoryBytes <= machine.memoryBytes * usableShare || isForGpu(machine, memoryBytes);
}

/**
 * Roughly how many tokens a second one conversation gets: each token takes all weights that it needs through the
 * processor once. undefined where nothing was measured.
 */
export function expectedTokensPerSecond(machine: MachinePower, model: Sizes): number | undefined {
  const { cores, memoryBytesPerSecond, gpu } = machine;
  if (gpu?.sharesMainMemory === false && isForGpu(machine, model.memoryBytes))
    return (slowGpuBytesPerSecond * usedBandwidthShare) / model.readBytes;
  if (memoryBytesPerSecond === undefined) return undefined;
  const used = memoryBytesPerSecond * usedBandwidthShare;
  return (gpu === undefined ? Math.min(used, cores * coreBytesPerSecond) : used) / model.readBytes;
}

function isForGpu({ gpu }: MachinePower, memoryBytes: number): boolean {
  return gpu !== undefined && !gpu.sharesMainMemory && memoryBytes <= gpu.memoryBytes * usableGpuShare;
}

/**
 * The chat models that this machine has room for and that answer at a bearable speed there, from small to large. Where
 * none does, the one that comes nearest to it.
 */
export function suitableModels(
  models: readonly CuratedModel[],
  machine: MachinePower,
): readonly CuratedModel[] {
  const speedOf = (model: CuratedModel) =>
    expectedTokensPerSecond(machine, model) ?? Number.POSITIVE_INFINITY;
  const chatModels = models.filter(({ kind }) => kind === 'chat');
  const fitting = chatModels.filter((model) => hasRoomFor(machine, model));
  const suitable = fitting.filter((model) => speedOf(model) >= bearableTokensPerSecond);
  if (suitable.length > 0) return suitable;
  const [nearest = chatModels[0]] = fitting.toSorted((a, b) => speedOf(b) - speedOf(a));
  return nearest === undefined ? [] : [nearest];
}
