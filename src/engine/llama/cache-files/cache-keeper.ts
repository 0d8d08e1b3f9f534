import { performance } from 'node:perf_hooks';
import type { Log } from '../../../telemetry/log.ts';
import type { CacheMemory } from '../caches/cache-memory.ts';
import type { IdleCaches } from '../caches/idle-caches.ts';
import { rewind } from '../caches/prefix-cache.ts';
import { isMediumId } from '../media/medium-ids.ts';
import type { NativeContext } from '../native/context.ts';
import type { SequenceFiles } from '../native/sequence-files.ts';
import type { Slot } from '../steps/slot.ts';
import type { StepLoop } from '../steps/step-loop.ts';
import type { CachedTokens, CacheFolder, DraftFile, FoundFile } from './cache-folder.ts';

const saveEveryMs = 5 * 60_000;
/** Those who stop a server do not wait for long until they kill it. */
const longestClosingMs = 5_000;
/** To compute fewer tokens again takes hardly longer than to read a file. */
const leastTokens = 64;

export interface CacheKeeperOptions {
  readonly modelId: string;
  readonly folder: CacheFolder;
  readonly files: SequenceFiles;
  readonly context: NativeContext;
  readonly loop: Pick<StepLoop, 'whileIdle'>;
  /** Undefined: only slots hold caches of this model. */
  readonly idleCaches: IdleCaches | undefined;
  /** The files may together be as large as the kept caches of all models. */
  readonly memory: CacheMemory;
  /** What the cache of a token takes at most. */
  readonly tokenBytes: number;
  readonly log: Log;
}

/**
 * Has the caches of a model's conversations survive in files: reads them when the model is loaded, writes what is new in
 * pauses and when the model is unloaded. What goes wrong is logged, and costs nothing but time.
 */
export class CacheKeeper {
  readonly #options: CacheKeeperOptions;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> | undefined;
  #hasWarned = false;

  constructor(options: CacheKeeperOptions) {
    this.#options = options;
  }

  /** Reads the newest files, as many as there is room for, and deletes the others. Ends early when `signal` aborts. */
  async open(signal: AbortSignal): Promise<void> {
    await this.#whatever(async () => {
      const { folder, loop, modelId, log } = this.#options;
      const startedAtMs = performance.now();
      const found = await folder.list();
      let [conversations, refused] = [0, 0];
      await loop.whileIdle(async (slots) => {
        const chosen = this.#choose(found, slots.length);
        for (const file of found.slice(chosen.length)) await folder.remove(file.name);
        // The newest ones come last, and so into the slots.
        for (const [at, file] of chosen.toReversed().entries()) {
          const slot = slots[at % slots.length];
          if (slot === undefined || signal.aborted) return;
          slot.lastUse = at - chosen.length;
          if (await this.#read(file, slot)) conversations++;
          else refused++;
        }
      });
      const readMs = Math.round(performance.now() - startedAtMs);
      if (conversations > 0) log.info({ model: modelId, conversations, readMs }, 'read kept caches');
      const message =
        'deleted kept caches: damaged, or of another model file, other settings or another release';
      if (refused > 0) log.warn({ model: modelId, deleted: refused }, message);
    });
    this.#timer = setInterval(() => void this.save(), saveEveryMs).unref();
  }

  /** Writes what is new in the slots, in the next pause. Requests do not wait until the files are sealed. */
  save(): Promise<void> {
    const { loop, folder } = this.#options;
    this.#saving ??= this.#whatever(async () => {
      const seen: CachedTokens[] = [];
      const drafts: DraftFile[] = [];
      try {
        await loop.whileIdle(async (slots, isAwaited) => {
          for await (const draft of this.#writeSlots(slots, isAwaited, seen)) drafts.push(draft);
        });
      } finally {
        for (const draft of drafts) await folder.add(draft);
      }
      await this.#order(seen);
    }).finally(() => (this.#saving = undefined));
    return this.#saving;
  }

  /** Writes all that is in memory, as far as there is time. No request may be under way or follow. */
  async close(): Promise<void> {
    const { loop, folder } = this.#options;
    clearInterval(this.#timer);
    await this.#saving;
    const endMs = performance.now() + longestClosingMs;
    const isOver = () => performance.now() > endMs;
    await this.#whatever(async () => {
      const seen: CachedTokens[] = [];
      await loop.whileIdle(async (slots) => {
        for await (const draft of this.#writeSlots(slots, isOver, seen)) await folder.add(draft);
        for await (const draft of this.#writeIdle(slots, isOver, seen)) await folder.add(draft);
      });
      await this.#order(seen);
    });
  }

  /** The newest of the files: one for each slot, and those which there is memory for besides. */
  #choose(found: readonly FoundFile[], slots: number): readonly FoundFile[] {
    const { memory, idleCaches } = this.#options;
    const most = idleCaches === undefined ? slots : found.length;
    let [all, besides] = [0, 0];
    const end = found.findIndex(({ bytes }, at) => {
      all += bytes;
      if (at >= slots) besides += bytes;
      return at >= most || !memory.holds(all) || besides > memory.freeBytes;
    });
    return end === -1 ? found : found.slice(0, end);
  }

  async #read(file: FoundFile, slot: Slot): Promise<boolean> {
    const { folder, files, context, idleCaches } = this.#options;
    try {
      const accountId = await folder.accountOf(file);
      if (accountId !== undefined) {
        if (slot.length > 0) await idleCaches?.keep(slot);
        rewind(context, slot, 0);
        const tokens = await files.read(folder.pathOf(file.name), slot.index, slot.capacity);
        slot.append(tokens);
        slot.accountId = accountId;
        folder.remember(file, { accountId, tokens });
        return true;
      }
    } catch {
      // llama.cpp has told the log what it does not like.
      rewind(context, slot, 0);
    }
    await folder.remove(file.name);
    return false;
  }

  async *#writeSlots(slots: readonly Slot[], isOver: () => boolean, seen: CachedTokens[]) {
    for (const slot of slots.toSorted((a, b) => b.lastUse - a.lastUse)) {
      if (isOver()) return;
      const { accountId } = slot;
      if (accountId === undefined) continue;
      const cached = { accountId, tokens: slot.tokens.slice() };
      if (this.#isNew(cached, seen)) yield await this.#fill(slot, cached);
    }
  }

  /** Each is brought to a slot for that: llama.cpp writes what its context holds. */
  async *#writeIdle(slots: readonly Slot[], isOver: () => boolean, seen: CachedTokens[]) {
    const { idleCaches } = this.#options;
    const [slot] = slots;
    for (const kept of idleCaches?.list() ?? []) {
      if (slot === undefined || isOver()) return;
      if (!this.#isNew(kept, seen)) continue;
      if ((await idleCaches?.bring(kept, slot)) === true) yield await this.#fill(slot, kept);
    }
  }

  /** True for what is worth a file and has none yet. Whatever has or gets one is `seen`. */
  #isNew(cached: CachedTokens, seen: CachedTokens[]): boolean {
    // A picture's ids say which one it is only until the model is unloaded.
    if (cached.tokens.length < leastTokens || cached.tokens.some(isMediumId)) return false;
    seen.push(cached);
    return !this.#options.folder.has(cached);
  }

  async #fill(slot: Slot, cached: CachedTokens): Promise<DraftFile> {
    const { folder, files, tokenBytes } = this.#options;
    const draft = await folder.draft(cached, cached.tokens.length * tokenBytes);
    try {
      await files.write(draft.path, slot.index, cached.tokens);
      return draft;
    } catch (error) {
      await folder.discard(draft);
      throw error;
    }
  }

  /** Remembers in which order these were used, the newest first, and deletes the files that are too many. */
  async #order(seen: readonly CachedTokens[]): Promise<void> {
    const { folder, memory } = this.#options;
    for (const cached of seen.toReversed()) await folder.touch(cached);
    await folder.trim((bytes) => memory.holds(bytes));
  }

  async #whatever(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (err) {
      const { log, modelId } = this.#options;
      if (!this.#hasWarned)
        log.warn({ model: modelId, err }, 'the caches of conversations cannot be kept in files');
      this.#hasWarned = true;
    }
  }
}
