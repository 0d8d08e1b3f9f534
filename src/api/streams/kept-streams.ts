import { setTimeout as sleep } from 'node:timers/promises';
import { KeptStream } from './kept-stream.ts';

/** How long a stream can be read that has ended. */
const endedMs = 5 * 60_000;
/** Of each account. A further one has the oldest that has ended forgotten or, if none has, the oldest of all. */
const mostPerAccount = 16;
/** Of all accounts together; beyond these the oldest that have ended are forgotten. */
const mostBytes = 128_000_000;

/** The streams that go on without their client for a while. Each account finds its own. */
export class KeptStreams {
  /** By account and name, oldest first. */
  readonly #streams = new Map<string, KeptStream>();

  /** A new stream of the account, with `client` as its first reader. One of the same name is stopped. */
  open(accountId: string, name: string, route: string, client: AbortSignal): KeptStream {
    const key = toKey(accountId, name);
    this.#forget(key);
    this.#makeRoomOf(toKey(accountId, ''));
    this.#makeRoom();
    const stream = new KeptStream(route);
    this.#streams.set(key, stream);
    stream.attach(client);
    void stream.ended
      .then(() => sleep(endedMs, undefined, { ref: false }))
      .then(() => this.#streams.get(key) === stream && this.#streams.delete(key));
    return stream;
  }

  /** The account's stream of that name; undefined: there is none, or no more. */
  find(accountId: string, name: string): KeptStream | undefined {
    return this.#streams.get(toKey(accountId, name));
  }

  /** Stops the account's stream of that name. Whether there was one. */
  stop(accountId: string, name: string): boolean {
    return this.#forget(toKey(accountId, name));
  }

  /** From now on streams that nobody reads are stopped: when the server ends, nobody will. */
  needReaders(): void {
    for (const stream of this.#streams.values()) stream.needReader();
  }

  #forget(key: string): boolean {
    this.#streams.get(key)?.leaving.abort();
    return this.#streams.delete(key);
  }

  /** A stream that is forgotten while it is written goes on for its readers, as one without a name does. */
  #makeRoomOf(account: string): void {
    const mine = [...this.#streams].filter(([key]) => key.startsWith(account));
    const [key, stream] = mine.find(([, { hasEnded }]) => hasEnded) ?? mine[0] ?? [];
    if (mine.length < mostPerAccount || key === undefined) return;
    stream?.needReader();
    this.#streams.delete(key);
  }

  #makeRoom(): void {
    let bytes = 0;
    for (const stream of this.#streams.values()) bytes += stream.heldBytes;
    for (const [key, { hasEnded, heldBytes }] of this.#streams) {
      if (bytes <= mostBytes) return;
      if (!hasEnded) continue;
      bytes -= heldBytes;
      this.#streams.delete(key);
    }
  }
}

const toKey = (accountId: string, name: string) => `${accountId}\n${name}`;
