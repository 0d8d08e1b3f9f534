import { performance } from 'node:perf_hooks';
import type { Log } from '../../../telemetry/log.ts';
import type { CacheMemory } from '../caches/cache-memory.ts';
import type { IdleCaches } from '../caches/idle-caches.ts';
import type { SlotMemory } from '../slots/slot-memory.ts';
import type { Slot } from '../slots/slot.ts';
import type { StepLoop } from '../steps/step-loop.ts';
import type { CacheFolder, FoundFile } from './cache-folder.ts';

export interface CacheReading {
  readonly modelId: string;
  readonly folder: CacheFolder;
  readonly slotMemory: SlotMemory;
  readonly loop: Pick<StepLoop, 'whileIdle'>;
  readonly idleCaches: IdleCaches;
  /** The files of a model may together be as large as the idle caches of all models. */
  readonly memory: CacheMemory;
  readonly log: Log;
}

/**
 * Reads the newest files into memory, as many as there is room for, and deletes the others: also those that do not fit or
 * are damaged. Ends early when `signal` aborts. Throws the system's errors.
 */
export async function readCaches(reading: CacheReading, signal: AbortSignal): Promise<void> {
  const { folder, loop, modelId, log } = reading;
  const startedAtMs = performance.now();
  const found = await folder.list();
  let [conversations, refused] = [0, 0];
  await loop.whileIdle(async (slots) => {
    const chosen = chooseFiles(reading, found, slots.length);
    for (const { name } of found.slice(chosen.length)) await folder.remove(name);
    // The newest ones come last, and into the slots.
    for (const [at, file] of chosen.toReversed().entries()) {
      if (signal.aborted) return;
      const slot = slots[at - Math.max(0, chosen.length - slots.length)];
      // After the empty slots, which are taken first, and before all that are used from now on.
      if (slot !== undefined) slot.lastUse = (at + 1) / (chosen.length + 1);
      if (await readFile(reading, file, slots[0]?.capacity ?? 0, slot)) conversations++;
      else refused++;
    }
  });
  const readMs = Math.round(performance.now() - startedAtMs);
  if (conversations > 0) log.info({ model: modelId, conversations, readMs }, 'read kept caches');
  const message = 'deleted kept caches: damaged, or of another model file, other settings or another release';
  if (refused > 0) log.warn({ model: modelId, deleted: refused }, message);
}

/** The newest ones: one for each slot, and those which there is memory for besides. */
function chooseFiles({ memory }: CacheReading, found: readonly FoundFile[], slots: number) {
  let [all, besides] = [0, 0];
  const end = found.findIndex(({ bytes }, at) => {
    all += bytes;
    if (at >= slots) besides += bytes;
    return !memory.holds(all) || besides > memory.freeBytes;
  });
  return end === -1 ? found : found.slice(0, end);
}

/** Reads a file into a slot or, without one, into memory. False: it must not be used, and is deleted. */
async function readFile(
  { folder, slotMemory, idleCaches }: CacheReading,
  file: FoundFile,
  mostTokens: number,
  slot?: Slot,
): Promise<boolean> {
  const saved = await folder.read(file, mostTokens).catch(() => undefined);
  const hasSlot = slot !== undefined && (saved?.tokens.length ?? 0) <= slotMemory.mostTokens;
  if (saved !== undefined && !hasSlot) idleCaches.add(saved);
  const isRead = saved !== undefined && (!hasSlot || (await slotMemory.restore(saved, slot)));
  if (!isRead) await folder.remove(file.name);
  return isRead;
}
