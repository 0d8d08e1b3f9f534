import os from 'node:os';

/** How many of `physicalCores` models may use. With more than four, one is left for HTTP and the system. */
export function coresForModels(physicalCores: number): number {
  const cores = Math.max(1, Math.min(physicalCores, os.availableParallelism()));
  return cores > 4 ? cores - 1 : cores;
}

/** Threads that a transcription may compute with until it gives them back. */
export interface ThreadLease {
  readonly threads: number;
  /** Chat is computing too, so the transcription must let it go first where both want the same core. */
  readonly yields: boolean;
  release(): void;
}

interface Waiting {
  readonly most: number;
  readonly resolve: (lease: ThreadLease) => void;
}

/**
 * The processor's cores, shared between chat and speech. Each has all of them while the other does not compute, and
 * half of them, at least one, while it does. More threads than cores would wait for each other at every layer.
 */
export class ThreadBudget {
  readonly #cores: number;
  #chats = 0;
  #leased = 0;
  #leases = 0;
  readonly #waiting: Waiting[] = [];

  /** `cores` is at least 1. */
  constructor(cores: number) {
    this.#cores = cores;
  }

  get cores(): number {
    return this.#cores;
  }

  /** To be called when a chat begins to compute. Returns a function to be called once when it ends. */
  beginChat(): () => void {
    this.#chats++;
    return () => {
      this.#chats--;
      this.#grant();
    };
  }

  /** Threads for a step of a chat model that would use `wanted`. */
  chatThreads(wanted: number): number {
    const isShared = this.#leases > 0 || this.#waiting.length > 0;
    return isShared ? Math.min(wanted, Math.max(1, this.#cores - this.#speechCores())) : wanted;
  }

  /** Up to `most` threads, as soon as some are free. Those that wait at the same time share them. */
  lease(most: number): Promise<ThreadLease> {
    return new Promise((resolve) => {
      this.#waiting.push({ most, resolve });
      this.#grant();
    });
  }

  #speechCores(): number {
    return this.#chats === 0 ? this.#cores : Math.max(1, Math.floor(this.#cores / 2));
  }

  #grant(): void {
    while (this.#waiting.length > 0) {
      const free = this.#speechCores() - this.#leased;
      if (free <= 0) return;
      const next = this.#waiting.shift();
      if (next === undefined) return;
      const share = Math.ceil(free / (this.#waiting.length + 1));
      next.resolve(this.#open(Math.max(1, Math.min(next.most, share))));
    }
  }

  #open(threads: number): ThreadLease {
    this.#leased += threads;
    this.#leases++;
    let isOpen = true;
    return {
      threads,
      yields: this.#chats > 0,
      release: () => {
        if (!isOpen) return;
        isOpen = false;
        this.#leased -= threads;
        this.#leases--;
        this.#grant();
      },
    };
  }
}
