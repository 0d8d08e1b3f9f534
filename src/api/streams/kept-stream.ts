import { setTimeout as sleep } from 'node:timers/promises';

/** How long a stream goes on that nobody reads. */
const unreadMs = 60_000;
/** About 60,000 tokens of a chat completion. Of a longer stream the beginning is dropped. */
const maxBytes = 16_000_000;
/** The sizes of a stream's first blocks, which double, and of its others. */
const firstBlockBytes = 4096;
const blockBytes = 65_536;
/** Each of them has a block at most on its way, and the system's buffers for its connection. */
const mostReaders = 32;

/** A part of the stream, of which readers get views: all of them together hold one copy. */
interface Block {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly startByte: number;
  filled: number;
}

/** The events of one answer, kept as they come, for any number of readers. */
export class KeptStream {
  /** The documented route that writes it. */
  readonly route: string;
  /** Aborts the writer of the stream. */
  readonly leaving = new AbortController();
  #unreadMs: number;
  readonly #blocks: Block[] = [];
  /** The place of the first block that is still there. */
  #startByte = 0;
  #endByte = 0;
  #hasEnded = false;
  readonly #ended = Promise.withResolvers<void>();
  /** The clients that read it. */
  readonly #readers = new Set<AbortSignal>();
  #unread = new AbortController();
  #grown = Promise.withResolvers<void>();

  constructor(route: string, timeoutMs = unreadMs) {
    this.route = route;
    this.#unreadMs = timeoutMs;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Resolves at the last event. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get heldBytes(): number {
    return this.#endByte - this.#startByte;
  }

  /** As many read it as may at a time. */
  get isCrowded(): boolean {
    return this.#readers.size >= mostReaders;
  }

  /**
   * Counts a reader until `client` aborts, which no client does that has got everything, or its reading has ended. A
   * stream without readers is stopped after a minute.
   */
  attach(client: AbortSignal): void {
    this.#readers.add(client);
    this.#unread.abort();
    if (client.aborted) this.#leave(client);
    else client.addEventListener('abort', () => this.#leave(client), { once: true });
  }

  #leave(client: AbortSignal): void {
    if (this.#readers.delete(client) && this.#readers.size === 0) void this.#stopUnread();
  }

  /** From now on it is stopped as soon as nobody reads it. */
  needReader(): void {
    this.#unreadMs = 0;
    if (this.#readers.size === 0 && !this.#hasEnded) this.leaving.abort();
  }

  /** Keeps everything that comes from `source`, however fast it is read. */
  async run(source: AsyncIterable<string | Uint8Array>): Promise<void> {
    for await (const chunk of source) this.#append(chunk);
    this.#end();
  }

  /** Ends a stream that did not begin, with the event of its error if there is one. */
  fail(event = ''): void {
    if (event !== '') this.#append(event);
    this.#end();
  }

  /** Whether the bytes from `fromByte` on are there or still to come. */
  has(fromByte: number): boolean {
    return fromByte >= this.#startByte && fromByte <= this.#endByte;
  }

  /** The bytes from `fromByte` on, those still to be written included, for a `client` that is attached. */
  async *read(fromByte: number, client: AbortSignal): AsyncGenerator<Buffer<ArrayBuffer>> {
    try {
      for (let at = fromByte; this.has(at);) {
        const unread = this.#from(at);
        if (unread.length > 0) yield unread;
        at += unread.length;
        if (at < this.#endByte) continue;
        if (this.#hasEnded) return;
        await this.#grown.promise;
      }
    } finally {
      this.#leave(client);
    }
  }

  /** The bytes from `fromByte` to the end of their block. */
  #from(fromByte: number): Buffer<ArrayBuffer> {
    // A reader is most often near the end.
    const block = this.#blocks.findLast(({ startByte }) => startByte <= fromByte);
    return block?.bytes.subarray(fromByte - block.startByte, block.filled) ?? Buffer.alloc(0);
  }

  #append(added: string | Uint8Array): void {
    const chunk = typeof added === 'string' ? Buffer.from(added) : added;
    for (let at = 0; at < chunk.length;) {
      const block = this.#openBlock();
      const piece = chunk.subarray(at, at + block.bytes.length - block.filled);
      block.bytes.set(piece, block.filled);
      block.filled += piece.length;
      this.#endByte += piece.length;
      at += piece.length;
    }
    while (this.heldBytes > maxBytes) this.#startByte += this.#blocks.shift()?.filled ?? 0;
    this.#wake();
  }

  /** The last block, or a new one where that is full. */
  #openBlock(): Block {
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.filled < last.bytes.length) return last;
    const bytes = Buffer.alloc(Math.min(blockBytes, Math.max(firstBlockBytes, this.heldBytes)));
    const block = { bytes, startByte: this.#endByte, filled: 0 };
    this.#blocks.push(block);
    return block;
  }

  #end(): void {
    this.#hasEnded = true;
    this.#ended.resolve();
    this.#unread.abort();
    this.#wake();
  }

  #wake(): void {
    this.#grown.resolve();
    this.#grown = Promise.withResolvers();
  }

  async #stopUnread(): Promise<void> {
    if (this.#hasEnded) return;
    this.#unread = new AbortController();
    const { signal } = this.#unread;
    await sleep(this.#unreadMs, undefined, { signal, ref: false }).catch(() => undefined);
    if (!signal.aborted) this.leaving.abort();
  }
}
