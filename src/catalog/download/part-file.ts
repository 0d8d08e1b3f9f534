import { createHash, type Hash } from 'node:crypto';
import { constants, open, readFile, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { messageOf } from '../../words/describe-error.ts';
import { DownloadError } from './download-error.ts';

const stateSchema = z.object({
  /** URL without its query, which may be signed anew every time. */
  origin: z.string(),
  /** Strong entity tag or, failing that, modification date; undefined: the server gives neither. */
  validator: z.string().optional(),
  totalBytes: z.number().optional(),
  sha256: z.string().optional(),
});

/** The server's facts about the file when its transfer began; a resumed transfer compares them. */
type PartState = z.output<typeof stateSchema>;

/** Bytes of one write, a job in the libuv pool, which may wait for a decode step of a model: there are to be few. */
const writeBytes = 4 * 1024 * 1024;
const rehashBytes = 1024 * 1024;

/** An unfinished download: the received bytes in `<target>.part`, and its state in `<target>.part.json`. */
export class PartFile {
  readonly path: string;
  readonly #handle: FileHandle;
  #state: PartState | undefined;
  #hash: Hash = createHash('sha256');
  #buffered: Buffer[] = [];
  #bufferedBytes = 0;
  #writtenBytes = 0;
  #isFinished = false;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /** The part at `path`, continued when it is of the same file (same `origin` and `sha256`), else emptied. */
  static async open(path: string, origin: string, sha256: string | undefined): Promise<PartFile> {
    const state = await readState(statePath(path));
    const part = new PartFile(path, await open(path, constants.O_RDWR | constants.O_CREAT, 0o644));
    try {
      if (state?.origin === origin && state.sha256 === sha256) {
        part.#writtenBytes = await hashInto(part.#hash, part.#handle);
        part.#state = state;
      } else await part.restart();
    } catch (error) {
      await part.#handle.close();
      throw error;
    }
    return part;
  }

  get receivedBytes(): number {
    return this.#writtenBytes + this.#bufferedBytes;
  }

  /** The facts of an earlier transfer of the file; undefined when nothing has come yet. */
  get state(): PartState | undefined {
    return this.#state;
  }

  /** Stores the server's facts about the file before its first bytes come. */
  async begin(state: PartState): Promise<void> {
    this.#state = state;
    await writeFile(statePath(this.path), JSON.stringify(state));
  }

  async restart(): Promise<void> {
    this.#buffered = [];
    this.#bufferedBytes = 0;
    this.#writtenBytes = 0;
    this.#hash = createHash('sha256');
    this.#state = undefined;
    await rm(statePath(this.path), { force: true });
    await this.#handle.truncate(0);
  }

  async append(chunk: Buffer): Promise<void> {
    this.#hash.update(chunk);
    this.#buffered.push(chunk);
    this.#bufferedBytes += chunk.length;
    if (this.#bufferedBytes >= writeBytes) await this.flush();
  }

  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#buffered);
    this.#buffered = [];
    this.#bufferedBytes = 0;
    let offset = 0;
    try {
      while (offset < bytes.length) {
        const lengthBytes = bytes.length - offset;
        const { bytesWritten } = await this.#handle.write(bytes, offset, lengthBytes, this.#writtenBytes);
        offset += bytesWritten;
        this.#writtenBytes += bytesWritten;
      }
    } catch (error) {
      // The hash is ahead of the file now. A resumed transfer computes it anew from the file.
      throw new DownloadError(`${this.path} cannot be written: ${messageOf(error)}`, { cause: error });
    }
  }

  sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  /** Closes the file and keeps the received bytes for a later attempt. An empty part is not left behind. */
  async close(): Promise<void> {
    if (this.#isFinished) return;
    try {
      await this.flush();
    } finally {
      await this.#handle.close();
      if (this.receivedBytes === 0)
        for (const path of [this.path, statePath(this.path)]) await rm(path, { force: true });
    }
  }

  /** Renames the complete file to `targetPath`, after its bytes were forced to the disk. */
  async finish(targetPath: string): Promise<void> {
    await this.flush();
    await this.#handle.sync();
    await this.#handle.close();
    await rename(this.path, targetPath);
    this.#isFinished = true;
    await rm(statePath(this.path), { force: true });
  }
}

/** SHA-256 of a whole file, in hex. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  const handle = await open(path, 'r');
  try {
    await hashInto(hash, handle);
    return hash.digest('hex');
  } finally {
    await handle.close();
  }
}

/** The length of the file in bytes, all of which were put into `hash`. */
async function hashInto(hash: Hash, handle: FileHandle): Promise<number> {
  const bytes = Buffer.allocUnsafe(rehashBytes);
  for (let position = 0; ;) {
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, position);
    if (bytesRead === 0) return position;
    hash.update(bytes.subarray(0, bytesRead));
    position += bytesRead;
  }
}

/** The files of an unfinished download to `targetPath`: the bytes, and the server's facts about them. */
export function partPathsOf(targetPath: string): readonly [bytes: string, state: string] {
  const path = `${targetPath}.part`;
  return [path, statePath(path)];
}

function statePath(path: string): string {
  return `${path}.json`;
}

async function readState(path: string): Promise<PartState | undefined> {
  try {
    return stateSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}
