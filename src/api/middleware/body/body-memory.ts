import { overloaded } from '../../../errors/unavailable.ts';
import type { Caller } from '../../../engine/queue/waiting-room.ts';
import { waitFor } from '../../../timing/wait-for.ts';

export interface BodyMemoryLimits {
  /** For all bodies together. */
  readonly bytes: number;
  readonly waitMs: number;
}

export interface BodyRoom {
  /** Reduces the room to `bytes`, once the size of the body is known. */
  shrink(bytes: number): void;
  release(): void;
}

interface Claim {
  readonly sender: Caller;
  bytes: number;
}

const retryAfterMs = 5000;

/** Limits the memory of bodies: those that do not fit wait, and no account takes more than it leaves to others. */
export class BodyMemory {
  readonly #limits: BodyMemoryLimits;
  readonly #held = new Set<Claim>();
  /** In the order of their arrival. */
  readonly #waiting = new Map<Claim, () => void>();

  constructor(limits: BodyMemoryLimits) {
    this.#limits = limits;
  }

  /** Room for a body of that size, as soon as there is enough. Throws server_overloaded, or the reason of `signal`. */
  async claim({ accountId, keyId }: Caller, bytes: number, signal: AbortSignal): Promise<BodyRoom> {
    const claim: Claim = { sender: { accountId, keyId }, bytes: Math.min(bytes, this.#limits.bytes) };
    if (this.#fits(claim)) this.#held.add(claim);
    else await this.#wait(claim, signal);
    return {
      shrink: (actualBytes) => {
        claim.bytes = Math.min(claim.bytes, actualBytes);
        this.#admit();
      },
      release: () => {
        this.#held.delete(claim);
        this.#admit();
      },
    };
  }

  async #wait(claim: Claim, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(claim, resolve);
    const leave = () => this.#waiting.delete(claim);
    const timeoutError = () => overloaded('Too many large requests are being worked on.', retryAfterMs);
    await waitFor(promise, { signal, timeoutMs: this.#limits.waitMs, timeoutError, leave });
  }

  /** Admits waiting claims that fit, beginning with the account and key that hold the least. */
  #admit(): void {
    const byShare = [...this.#waiting].toSorted(
      ([a], [b]) =>
        this.#heldBy('accountId', a) - this.#heldBy('accountId', b) ||
        this.#heldBy('keyId', a) - this.#heldBy('keyId', b),
    );
    for (const [claim, enter] of byShare) {
      if (!this.#fits(claim)) continue;
      this.#waiting.delete(claim);
      this.#held.add(claim);
      enter();
    }
  }

  #fits(claim: Claim): boolean {
    let freeBytes = this.#limits.bytes;
    for (const { bytes } of this.#held) freeBytes -= bytes;
    const ownBytes = this.#heldBy('accountId', claim);
    const leftBytes = freeBytes - claim.bytes;
    return leftBytes >= 0 && (ownBytes === 0 || ownBytes + claim.bytes <= leftBytes);
  }

  #heldBy(who: keyof Caller, { sender }: Claim): number {
    let heldBytes = 0;
    for (const held of this.#held) if (held.sender[who] === sender[who]) heldBytes += held.bytes;
    return heldBytes;
  }
}
