import { performance } from 'node:perf_hooks';
import type { CacheMemory } from './cache-memory.ts';
import { CopyCosts } from './copy-costs.ts';
import { stillCells } from '../media/medium-ids.ts';
import type { NativeContext } from '../native/context.ts';
import type { SavedSequence, SequenceVault } from '../native/sequence-vault.ts';
import { rewind } from './prefix-cache.ts';
import { commonPrefix, type Slot } from '../steps/slot.ts';

/** A kept cache is dropped when the slot that it was brought back to lacks no more than so many of its tokens. */
const leastBranchTokens = 64;
/** A prompt that differs in no more of a conversation continues it: an answer may come back in other tokens. */
const mostRewritten = 1 / 8;

export interface KeptCache {
  readonly accountId: string;
  readonly tokens: Uint32Array;
  readonly saved: SavedSequence;
  readonly bytes: number;
  drop(): void;
}

/**
 * Keeps the cache of a conversation when another one takes its slot, and brings it back when the conversation goes on.
 * So more conversations than slots can take turns without computing their past again. A cache is brought back only for
 * the account that had it.
 */
export class IdleCaches {
  readonly #context: NativeContext;
  readonly #vault: SequenceVault;
  readonly #memory: CacheMemory;
  readonly #kept = new Set<KeptCache>();
  readonly #costs = new CopyCosts();
  #bytesPerToken = 0;

  constructor(context: NativeContext, vault: SequenceVault, memory: CacheMemory) {
    this.#context = context;
    this.#vault = vault;
    this.#memory = memory;
  }

  /**
   * Makes a free slot ready for a prompt: keeps what the slot holds of another conversation, and brings back what is
   * kept of this one, each where that saves more time than it takes. `promptTokenMs`: what computing a token takes, as
   * far as that is known.
   */
  async exchange(slot: Slot, accountId: string, prompt: Uint32Array, promptTokenMs?: number): Promise<void> {
    const shared = slot.accountId === accountId ? slot.sharedPrefix(prompt) : 0;
    const found = this.#find(accountId, prompt);
    const restores =
      found !== undefined && this.#costs.paysToRestore(found.shared, found.shared - shared, promptTokenMs);
    // As the most recently used one it is not dropped to make room for the one kept next.
    if (restores) this.#memory.touch(found.kept);
    const lost = slot.length - shared;
    const isOther = lost > slot.length * mostRewritten;
    if (isOther && this.#costs.paysToKeep(slot.length, lost, promptTokenMs)) await this.keep(slot);
    if (restores && this.#kept.has(found.kept)) await this.#restore(found.kept, slot, prompt);
  }

  /** What is kept, the newest first. */
  list(): KeptCache[] {
    return [...this.#kept].reverse();
  }

  /** Keeps a copy of what the slot holds, unless it is kept already or takes too much memory. */
  async keep(slot: Slot): Promise<void> {
    const { accountId } = slot;
    const tokens = slot.tokens.slice();
    if (accountId === undefined || !this.#memory.holds(tokens.length * this.#bytesPerToken)) return;
    const own = [...this.#kept].filter((kept) => kept.accountId === accountId);
    if (own.some((kept) => commonPrefix(kept.tokens, tokens) === tokens.length)) return;
    const startedAtMs = performance.now();
    const saved = await this.#vault.save(slot.index).catch(() => undefined);
    // A failed save costs only time.
    if (saved === undefined) return;
    this.#costs.saved(tokens.length, performance.now() - startedAtMs);
    // The new cache contains the older ones that it continues.
    for (const kept of own)
      if (commonPrefix(kept.tokens, tokens) === kept.tokens.length) this.#memory.remove(kept);
    const bytes = saved.size + tokens.byteLength;
    this.#bytesPerToken = bytes / tokens.length;
    const kept: KeptCache = {
      accountId,
      tokens,
      saved,
      bytes,
      drop: () => {
        this.#kept.delete(kept);
        saved.dispose();
      },
    };
    this.#kept.add(kept);
    this.#memory.add(kept);
  }

  /**
   * Brings a kept cache to a slot: its first `length` tokens, or all. False: it could not be brought, and the slot is
   * empty.
   */
  async bring(kept: KeptCache, slot: Slot, length = kept.tokens.length): Promise<boolean> {
    const { tokens, saved, accountId } = kept;
    const positions = length - stillCells(tokens.subarray(0, length));
    rewind(this.#context, slot, 0);
    const startedAtMs = performance.now();
    const isThere = await this.#vault.restore(saved, slot.index, positions).catch(() => false);
    if (isThere) {
      this.#costs.restored(length, performance.now() - startedAtMs);
      slot.append(tokens.subarray(0, length));
      slot.accountId = accountId;
    } else rewind(this.#context, slot, 0);
    return isThere;
  }

  dispose(): void {
    for (const kept of this.#kept) this.#memory.remove(kept);
  }

  /** The kept cache that shares most tokens with the beginning of `prompt`, and how many. */
  #find(
    accountId: string,
    prompt: Uint32Array,
  ): { readonly kept: KeptCache; readonly shared: number } | undefined {
    let best: { readonly kept: KeptCache; readonly shared: number } | undefined;
    for (const kept of this.#kept) {
      const shared = kept.accountId === accountId ? commonPrefix(kept.tokens, prompt) : 0;
      if (shared > (best?.shared ?? 0)) best = { kept, shared };
    }
    return best;
  }

  async #restore(kept: KeptCache, slot: Slot, prompt: Uint32Array): Promise<void> {
    const { tokens } = kept;
    // At least one token is left to compute: the next one is drawn from its logits.
    const length = Math.min(commonPrefix(tokens, prompt), prompt.length - 1);
    const isThere = await this.bring(kept, slot, length);
    // The slot now holds all of it; where it holds only a part, another conversation may still continue the whole.
    if (!isThere || length >= tokens.length - leastBranchTokens) this.#memory.remove(kept);
  }
}
