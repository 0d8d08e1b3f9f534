import { performance } from 'node:perf_hooks';
import { isMediumId } from '../media/medium-ids.ts';
import type { Slot } from '../slots/slot.ts';
import type { CachedTokens, DraftFile } from './cache-folder.ts';
import { readCaches, type CacheReading } from './read-caches.ts';

const saveEveryMs = 5 * 60_000;
/** Those who stop a server do not wait for long until they kill it. */
const longestClosingMs = 5_000;
/** To compute fewer tokens again takes hardly longer than to read a file. */
const leastTokens = 64;

/**
 * Has the caches of a model's conversations survive in files: reads them when the model is loaded, writes new ones in
 * pauses and when the model is unloaded. A failure is logged, and costs nothing but time.
 */
export class CacheKeeper {
  readonly #options: CacheReading;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> | undefined;
  #hasWarned = false;

  constructor(options: CacheReading) {
    this.#options = options;
  }

  /** Reads the caches in files; see `readCaches`. */
  async open(signal: AbortSignal): Promise<void> {
    await this.#whatever(() => readCaches(this.#options, signal));
    this.#timer = setInterval(() => void this.save(), saveEveryMs).unref();
  }

  /** Writes new tokens of the slots, in the next pause. Requests do not wait until the files are sealed. */
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
        for await (const draft of this.#writeIdle(isOver, seen)) await folder.add(draft);
      });
      await this.#order(seen);
    });
  }

  async *#writeSlots(slots: readonly Slot[], isOver: () => boolean, seen: CachedTokens[]) {
    const { folder, slotMemory } = this.#options;
    for (const slot of slots.toSorted((a, b) => b.lastUse - a.lastUse)) {
      if (isOver()) return;
      const { accountId } = slot;
      if (accountId === undefined) continue;
      if (!this.#isNew({ accountId, tokens: slot.tokens.slice() }, seen)) continue;
      const saved = await slotMemory.save(slot);
      if (saved !== undefined) yield await folder.write(saved);
    }
  }

  async *#writeIdle(isOver: () => boolean, seen: CachedTokens[]) {
    const { folder, idleCaches } = this.#options;
    for (const kept of idleCaches.list()) {
      if (isOver()) return;
      if (this.#isNew(kept, seen)) yield await folder.write(kept);
    }
  }

  /** True for tokens that are worth a file and have none yet. All that have or get one are `seen`. */
  #isNew(cached: CachedTokens, seen: CachedTokens[]): boolean {
    // A picture's ids say which one it is only until the model is unloaded.
    if (cached.tokens.length < leastTokens || cached.tokens.some(isMediumId)) return false;
    const { folder, memory } = this.#options;
    if (!memory.holds(folder.bytesOf(cached))) return false;
    seen.push(cached);
    return !folder.has(cached);
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
