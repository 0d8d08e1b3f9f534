import type { CacheMemory } from './cache-memory.ts';
import type { NativeContext } from '../native/context.ts';
import type { SavedSequence, SequenceVault } from '../native/sequence-vault.ts';
import { leastGainTokens, rewind } from './prefix-cache.ts';
import { commonPrefix, type Slot } from '../steps/slot.ts';

/** Shorter caches are computed again nearly as fast as they are brought back. */
const leastKeptTokens = 128;

interface KeptCache {
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
  #bytesPerToken = 0;

  constructor(context: NativeContext, vault: SequenceVault, memory: CacheMemory) {
    this.#context = context;
    this.#vault = vault;
    this.#memory = memory;
  }

  /**
   * True when anything was copied. Makes a free slot ready for a prompt: keeps what the slot holds of another
   * conversation, and brings back what is kept of this one where that saves more than what the slot still holds of it.
   */
  async exchange(slot: Slot, accountId: string, prompt: Uint32Array): Promise<boolean> {
    const shared = slot.accountId === accountId ? slot.sharedPrefix(prompt) : 0;
    const kept = this.#find(accountId, prompt, shared + leastGainTokens);
    // As the most recently used one it is not dropped to make room for the one kept next.
    if (kept !== undefined) this.#memory.touch(kept);
    const isLost = slot.length - shared >= leastKeptTokens;
    if (isLost) await this.#keep(slot);
    if (kept !== undefined && this.#kept.has(kept)) await this.#restore(kept, slot, prompt);
    return isLost || kept !== undefined;
  }

  dispose(): void {
    for (const kept of this.#kept) this.#memory.remove(kept);
  }

  /** The kept cache with the longest prefix of `prompt`; undefined when that is shorter than `leastTokens`. */
  #find(accountId: string, prompt: Uint32Array, leastTokens: number): KeptCache | undefined {
    let best: KeptCache | undefined;
    let most = leastTokens - 1;
    for (const kept of this.#kept) {
      const shared = kept.accountId === accountId ? commonPrefix(kept.tokens, prompt) : 0;
      if (shared <= most) continue;
      best = kept;
      most = shared;
    }
    return best;
  }

  async #keep(slot: Slot): Promise<void> {
    const { accountId } = slot;
    const tokens = slot.tokens.slice();
    if (accountId === undefined || !this.#memory.holds(tokens.length * this.#bytesPerToken)) return;
    const own = [...this.#kept].filter((kept) => kept.accountId === accountId);
    if (own.some((kept) => commonPrefix(kept.tokens, tokens) === tokens.length)) return;
    const saved = await this.#vault.save(slot.index).catch(() => undefined);
    // A failed save costs only time.
    if (saved === undefined) return;
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

  async #restore(kept: KeptCache, slot: Slot, prompt: Uint32Array): Promise<void> {
    const { tokens, saved, accountId } = kept;
    // At least one token is left to compute: the next one is drawn from its logits.
    const length = Math.min(commonPrefix(tokens, prompt), prompt.length - 1);
    rewind(this.#context, slot, 0);
    const restored = await this.#vault.restore(saved, slot.index, length).catch(() => false);
    if (restored) {
      slot.append(tokens.subarray(0, length));
      slot.accountId = accountId;
    } else rewind(this.#context, slot, 0);
    // The slot now holds all of it; where it holds only a part, another conversation may still continue the whole.
    if (!restored || length >= tokens.length - leastGainTokens) this.#memory.remove(kept);
  }
}
