import { constants } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';

/** A file that results are appended to. Only its first `bytes` count: those behind were never told to anybody. */
export class ResultFile {
  readonly #path: string;
  #bytes: number;
  #handle: FileHandle | undefined;

  constructor(path: string, bytes: number) {
    this.#path = path;
    this.#bytes = bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Writes `text` behind the bytes that count and resolves when it is on the disk, with the number that would count then. */
  async write(text: string): Promise<number> {
    if (text === '') return this.#bytes;
    this.#handle ??= await open(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600);
    const content = Buffer.from(text);
    for (let at = 0; at < content.length;) {
      const { bytesWritten } = await this.#handle.write(content, at, content.length - at, this.#bytes + at);
      at += bytesWritten;
    }
    await this.#handle.datasync();
    return this.#bytes + content.length;
  }

  /** From now on the first `bytes` count. */
  count(bytes: number): void {
    this.#bytes = bytes;
  }

  /** Cuts off the bytes that do not count, and removes a file without others. */
  async finish(): Promise<void> {
    if (this.#bytes > 0) {
      this.#handle ??= await open(this.#path, constants.O_RDWR, 0o600);
      await this.#handle.truncate(this.#bytes);
      await this.#handle.sync();
    } else await rm(this.#path, { force: true });
    await this.close();
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }
}
