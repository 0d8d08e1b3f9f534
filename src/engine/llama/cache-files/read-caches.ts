import { performance } from 'node:perf_hooks';
import type { Log } from '../../../telemetry/log.ts';
import type { CacheMemory } from '../caches/cache-memory.ts';
import type { IdleCaches } from '../caches/idle-caches.ts';
import { rewind } from '../caches/prefix-cache.ts';
import type { NativeContext } from '../native/context.ts';
import type { SequenceFiles } from '../native/sequence-files.ts';
import type { Slot } from '../steps/slot.ts';
import type { StepLoop } from '../steps/step-loop.ts';
import type { CacheFolder, FoundFile } from './cache-folder.ts';

export interface CacheReading {
  readonly modelId: string;
  readonly folder: CacheFolder;
  readonly files: SequenceFiles;
  readonly context: NativeContext;
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
    // The newest ones come last, and so into the slots.
    for (const [at, file] of chosen.toReversed().entries()) {
      const slot = slots[at % slots.length];
      if (slot === undefined || signal.aborted) return;
      // After the empty slots, which are taken first, and before all that are used from now on.
      slot.lastUse = (at + 1) / (chosen.length + 1);
      if (await readFile(reading, file, slot)) conversations++;
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

/** False: it must not be used, and is deleted. */
async function readFile(reading: CacheReading, file: FoundFile, slot: Slot): Promise<boolean> {
  const { folder, files, context, idleCaches } = reading;
  try {
    const accountId = await folder.accountOf(file);
    if (accountId !== undefined) {
      if (slot.length > 0) await idleCaches.keep(slot);
      rewind(context, slot, 0);
      const tokens = await files.read(folder.pathOf(file.name), slot.index, slot.capacity);
      slot.append(tokens);
      slot.accountId = accountId;
      folder.remember(file, { accountId, tokens });
      return true;
    }
  } catch {
    // It cannot be read, or llama.cpp has told the log what it does not like.
    rewind(context, slot, 0);
  }
  await folder.remove(file.name);
  return false;
}
