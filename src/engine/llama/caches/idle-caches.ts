import { performance } from 'node:perf_hooks';
import type { CacheMemory, Droppable } from './cache-memory.ts';
import { CopyCosts } from './copy-costs.ts';
import { commonPrefix } from '../slots/common-prefix.ts';
import type { SavedConversation } from '../slots/checkpoints.ts';
import type { SlotMemory } from '../slots/slot-memory.ts';
import type { Slot } from '../slots/slot.ts';

/** A kept cache is dropped once a slot holds all of its tokens but the last 64 or fewer. */
const leastBranchTokens = 64;
/** A prompt without at most an eighth of a conversation continues it: an answer may come back in other tokens. */
const mostRewritten = 1 / 8;
/** Longest copy that is made while nobody waits: whoever comes in the meantime does. */
const mostEarlyMs = 10;

export interface KeptCache extends SavedConversation, Droppable {}

/**
 * Keeps the cache of a conversation when another one takes its slot, and brings it back when the conversation goes on.
 * So more conversations than slots can take turns without computing their past again. A cache is brought back only for
 * the account that had it.
 */
export class IdleCaches {
  readonly #slotMemory: SlotMemory;
  readonly #memory: CacheMemory;
  readonly #kept = new Set<KeptCache>();
  readonly #costs = new CopyCosts();
  #bytesPerToken = 0;

  constructor(slotMemory: SlotMemory, memory: CacheMemory) {
    this.#slotMemory = slotMemory;
    this.#memory = memory;
  }

  /**
   * Makes a free slot ready for a prompt: keeps another conversation that the slot holds, and brings back the kept part
   * of this one, each where that saves more time than it takes. `promptTokenMs`: the time that computing a token takes,
   * as far as it is known. `sharedTokens`: tokens of the prompt that other slots have for it.
   */
  async exchange(
    slot: Slot,
    accountId: string,
    prompt: Uint32Array,
    promptTokenMs?: number,
    sharedTokens = 0,
  ): Promise<void> {
    const isOwn = slot.accountId === accountId;
    const shared = isOwn ? this.#slotMemory.reach(slot, slot.sharedPrefix(prompt)) : 0;
    const found = this.#find(accountId, prompt);
    const restores =
      found !== undefined &&
      found.kept.tokens.length <= this.#slotMemory.mostTokens &&
      this.#costs.paysToRestore(
        found.kept.tokens.length,
        found.shared - Math.max(shared, sharedTokens),
        promptTokenMs,
      );
    // As the most recently used one it is not dropped to make room for the one kept next.
    if (restores) this.#memory.touch(found.kept);
    const lost = slot.length - shared;
    const isOther = lost > slot.length * mostRewritten;
    if (isOther && !slot.isSpent && this.#costs.paysToKeep(slot.length, lost, promptTokenMs))
      await this.keep(slot);
    if (restores && this.#kept.has(found.kept)) await this.#restore(found.kept, slot, prompt);
  }

  /** Tokens of the kept cache that `exchange` may bring back for a prompt; 0: one that is much longer is left. */
  tokensFor(accountId: string, prompt: Uint32Array, sharedTokens: number): number {
    const found = this.#find(accountId, prompt);
    if (found === undefined || found.shared <= sharedTokens) return 0;
    const { length } = found.kept.tokens;
    return length > 2 * prompt.length ? 0 : length;
  }

  /**
   * Keeps the slot's conversation before another conversation takes its place, as `exchange` would then, where copies
   * of earlier ones say that it takes 10 ms at most. True: it is kept now, and was not before.
   */
  async keepEarly(slot: Slot, promptTokenMs?: number): Promise<boolean> {
    const { length, isSpent } = slot;
    const expectedMs = this.#costs.saveMs(length);
    if (isSpent || expectedMs === 0 || expectedMs > mostEarlyMs || this.#isKept(slot)) return false;
    if (!this.#costs.paysToKeep(length, length, promptTokenMs)) return false;
    await this.keep(slot);
    return this.#isKept(slot);
  }

  /** The kept caches, the newest first. */
  list(): KeptCache[] {
    return [...this.#kept].reverse();
  }

  /** Keeps a copy of the slot's conversation, unless it is kept already or takes too much memory. */
  async keep(slot: Slot): Promise<void> {
    const { accountId, length } = slot;
    if (accountId === undefined || !this.#memory.holds(length * this.#bytesPerToken)) return;
    if (this.#isKept(slot)) return;
    const startedAtMs = performance.now();
    const saved = await this.#slotMemory.save(slot);
    if (saved === undefined) return;
    this.#costs.saved(length, performance.now() - startedAtMs);
    this.add(saved);
  }

  /** Keeps a conversation in place of the older ones that it continues. */
  add(saved: SavedConversation): void {
    const { accountId, tokens, state, checkpoints } = saved;
    for (const kept of this.#of(accountId))
      if (commonPrefix(kept.tokens, tokens) === kept.tokens.length) this.#memory.remove(kept);
    this.#bytesPerToken = (state.byteLength + tokens.byteLength) / tokens.length;
    const kept: KeptCache = {
      ...saved,
      bytes: checkpoints.reduce(
        (bytes, checkpoint) => bytes + checkpoint.state.byteLength,
        state.byteLength + tokens.byteLength,
      ),
      drop: () => {
        this.#kept.delete(kept);
        // Its memory is free at once, and not when it happens to be collected.
        state.buffer.transfer(0);
      },
    };
    this.#kept.add(kept);
    this.#memory.add(kept);
  }

  dispose(): void {
    for (const kept of this.#kept) this.#memory.remove(kept);
  }

  #isKept({ accountId, tokens, length }: Slot): boolean {
    if (accountId === undefined) return false;
    return this.#of(accountId).some((kept) => commonPrefix(kept.tokens, tokens) === length);
  }

  #of(accountId: string): KeptCache[] {
    return [...this.#kept].filter((kept) => kept.accountId === accountId);
  }

  /** The kept cache of which most tokens can be used for the beginning of `prompt`, and how many. */
  #find(
    accountId: string,
    prompt: Uint32Array,
  ): { readonly kept: KeptCache; readonly shared: number } | undefined {
    let best: { readonly kept: KeptCache; readonly shared: number } | undefined;
    for (const kept of this.#of(accountId)) {
      const shared = this.#slotMemory.reachOfSaved(kept, commonPrefix(kept.tokens, prompt));
      if (shared > (best?.shared ?? 0)) best = { kept, shared };
    }
    return best;
  }

  async #restore(kept: KeptCache, slot: Slot, prompt: Uint32Array): Promise<void> {
    const { tokens } = kept;
    // At least one token is left to compute: the next one is drawn from its logits.
    const length = Math.min(commonPrefix(tokens, prompt), prompt.length - 1);
    const startedAtMs = performance.now();
    const isThere = await this.#slotMemory.restore(kept, slot, length);
    if (isThere) this.#costs.restored(tokens.length, performance.now() - startedAtMs);
    // In a pool there may have been no room for it.
    if (!isThere && this.#slotMemory.isPool) return;
    // The slot now holds all of it; where it holds only a part, another conversation may still continue the whole.
    if (!isThere || slot.length >= tokens.length - leastBranchTokens) this.#memory.remove(kept);
  }
}
