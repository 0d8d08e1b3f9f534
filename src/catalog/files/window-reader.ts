import { readSync } from 'node:fs';

/** The fault of a file that looks like a model; the message fits in one log line. */
export class MalformedFileError extends Error {
  override readonly name = 'MalformedFileError';
}

/**
 * Reads little-endian values of an untrusted file through one fixed window. Every length is checked against the file's
 * size before anything is allocated or skipped. Reading past the end throws MalformedFileError.
 */
export class WindowReader {
  readonly #fd: number;
  readonly #window: Buffer;
  readonly #fileSizeBytes: number;
  #windowStart = 0;
  #windowLength = 0;
  #position = 0;

  constructor(fd: number, fileSizeBytes: number, windowBytes: number) {
    this.#fd = fd;
    this.#fileSizeBytes = fileSizeBytes;
    this.#window = Buffer.allocUnsafe(Math.max(16, Math.min(windowBytes, fileSizeBytes)));
  }

  get position(): number {
    return this.#position;
  }

  get remainingBytes(): number {
    return this.#fileSizeBytes - this.#position;
  }

  /** The next value of `sizeBytes`, which `read` finds at a place in the window. */
  value<Value>(sizeBytes: number, read: (window: Buffer, at: number) => Value): Value {
    return read(this.#window, this.#take(sizeBytes));
  }

  u32(): number {
    return this.#window.readUInt32LE(this.#take(4));
  }

  i32(): number {
    return this.#window.readInt32LE(this.#take(4));
  }

  /** Rounded to a double beyond 2^53, which no count, offset or length of a real file reaches. */
  u64(): number {
    return Number(this.#window.readBigUInt64LE(this.#take(8)));
  }

  /** The next `lengthBytes` as UTF-8 text; throws when there are more than `maxBytes` of them. */
  text(lengthBytes: number, maxBytes: number): string {
    if (lengthBytes > maxBytes) throw new MalformedFileError(`a text of ${lengthBytes} bytes is too long`);
    this.#require(lengthBytes);
    const bytes = Buffer.allocUnsafe(lengthBytes);
    let filled = 0;
    while (filled < lengthBytes) {
      const pieceBytes = Math.min(lengthBytes - filled, this.#window.length);
      const start = this.#take(pieceBytes);
      this.#window.copy(bytes, filled, start, start + pieceBytes);
      filled += pieceBytes;
    }
    return bytes.toString('utf8');
  }

  skip(lengthBytes: number): void {
    this.#require(lengthBytes);
    this.#position += lengthBytes;
  }

  #require(lengthBytes: number): void {
    if (!(lengthBytes >= 0 && lengthBytes <= this.remainingBytes)) {
      throw new MalformedFileError('the file ends too early: it is cut short or not what it claims to be');
    }
  }

  /** Index in the window at which the next `lengthBytes` (at most a window) lie; moves past them. */
  #take(lengthBytes: number): number {
    this.#require(lengthBytes);
    const offset = this.#position - this.#windowStart;
    if (offset >= 0 && offset + lengthBytes <= this.#windowLength) {
      this.#position += lengthBytes;
      return offset;
    }
    this.#windowStart = this.#position;
    this.#windowLength = 0;
    while (this.#windowLength < lengthBytes) {
      const readBytes = readSync(
        this.#fd,
        this.#window,
        this.#windowLength,
        this.#window.length - this.#windowLength,
        this.#windowStart + this.#windowLength,
      );
      // The file shrank since its size was read.
      if (readBytes === 0)
        throw new MalformedFileError('the file ends too early: it changed while it was read');
      this.#windowLength += readBytes;
    }
    this.#position += lengthBytes;
    return 0;
  }
}
