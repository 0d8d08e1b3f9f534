import type { ModelPlace } from '../../engine/pool/model-place.ts';
import type { CuratedModel } from './curated-models.ts';

export interface GpuPower {
  readonly name: string;
  readonly memoryBytes: number;
  /** The GPU uses main memory, as on a Mac. */
  readonly sharesMainMemory: boolean;
}

/** The memory, cores and speed that a machine has for models. */
export interface MachinePower {
  readonly memoryBytes: number;
  /** Cores that compute; of two hyperthreads only one counts. */
  readonly cores: number;
  /** How fast all cores together read main memory; undefined: it was not measured. */
  readonly memoryBytesPerSecond: number | undefined;
  /** undefined: models run on the processor. */
  readonly gpu: GpuPower | undefined;
}

/** A slower answer comes more slowly than people read. */
export const bearableTokensPerSecond = 8;

/** Shares of main memory and of a GPU's memory that models may take; the rest is for other programs and the driver. */
const usableShare = 0.5;
const usableGpuShare = 0.9;
/** Share of the memory's bandwidth that llama.cpp was measured to use with 16-bit weights. */
const usedBandwidthShare = 0.7;
/** Bytes of weights that one usual core can compute with in a second, when memory is not the limit. */
const coreBytesPerSecond = 10e9;
/** Bandwidth of a GPU's own memory, which cannot be measured from here: that of slow cards of recent years. */
const slowGpuBytesPerSecond = 150e9;

/** Weights up to this size are mostly read from the caches of processors. */
const cachedBytes = 64 * 2 ** 20;

type Sizes = Pick<CuratedModel, 'sizeBytes' | 'memoryBytes' | 'readBytes'>;

/** True when a model and its caches leave enough memory for other programs. */
export function hasRoomFor(machine: MachinePower, { memoryBytes }: Pick<Sizes, 'memoryBytes'>): boolean {
  return memoryBytes <= machine.memoryBytes * usableShare || isForGpu(machine, memoryBytes);
}

/** Roughly the tokens per second of a conversation, each of which reads all weights; undefined: not measured. */
export function expectedTokensPerSecond(machine: MachinePower, model: Sizes): number | undefined {
  const { gpu } = machine;
  if (gpu?.sharesMainMemory === false && isForGpu(machine, model.memoryBytes))
    return (slowGpuBytesPerSecond * usedBandwidthShare) / model.readBytes;
  return mainMemorySpeed(machine, model.readBytes);
}

/** Roughly the tokens per second where each reads `readBytes` of weights in main memory; undefined: not measured. */
function mainMemorySpeed({ cores, memoryBytesPerSecond, gpu }: MachinePower, readBytes: number) {
  if (memoryBytesPerSecond === undefined) return undefined;
  const used = memoryBytesPerSecond * usedBandwidthShare;
  return (gpu === undefined ? Math.min(used, cores * coreBytesPerSecond) : used) / readBytes;
}

/**
 * Roughly the tokens per second of a conversation that begins, each of which reads all of `readBytes`: by the measured
 * speed of main memory. Undefined where some of it is in a GPU's own memory, whose speed nobody has measured, and where
 * it is so little that the caches of the processor hold it.
 */
export function placedTokensPerSecond(
  machine: MachinePower,
  { place, readBytes }: { readonly place: ModelPlace; readonly readBytes: number },
): number | undefined {
  const isElsewhere = place.gpuLayers > 0 && machine.gpu?.sharesMainMemory !== true;
  if (isElsewhere || readBytes < cachedBytes) return undefined;
  return mainMemorySpeed(place.gpuLayers > 0 ? machine : { ...machine, gpu: undefined }, readBytes);
}

function isForGpu({ gpu }: MachinePower, memoryBytes: number): boolean {
  return gpu !== undefined && !gpu.sharesMainMemory && memoryBytes <= gpu.memoryBytes * usableGpuShare;
}

/** The chat models that fit and answer at a bearable speed, from small to large; else the fastest that fits. */
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
