import { chmod, mkdir, readdir, rename, rm, stat, statfs, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { CacheFilePlace } from '../../model-backend.ts';
import { commonPrefix } from '../slots/common-prefix.ts';
import type { SavedConversation } from '../slots/checkpoints.ts';
import { cacheFileName, isWhole, ownerInName, ownerTag } from './cache-names.ts';
import { readParts, writeParts } from './conversation-file.ts';
import { readSealed, sealFile, type CacheDescription } from './sealed-file.ts';

/** Free bytes that a saved cache must leave on the disk: 1 GiB. */
const leastFreeBytes = 2 ** 30;

/** A file that lies in the folder; nothing in it is known to be true yet. */
export interface FoundFile {
  readonly name: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** The cache of a conversation, and whose it is. */
export interface CachedTokens {
  readonly accountId: string;
  readonly tokens: Uint32Array;
}

/** A file that is written, to be sealed and added. */
export interface DraftFile extends CachedTokens {
  readonly path: string;
  readonly name: string;
  readonly description: CacheDescription;
}

interface KnownFile extends CachedTokens {
  readonly bytes: number;
}

/** The files of one model's caches. Methods throw the system's errors. */
export class CacheFolder {
  readonly #place: CacheFilePlace;
  readonly #layout: string;
  /** By name, the least recently used first. */
  readonly #known = new Map<string, KnownFile>();
  /** As measured; at first the least that it could be. */
  #tokenBytes = 1;
  /** The times of the files tell their order also where several are touched within a millisecond. */
  #lastTouchMs = 0;

  /** `layout`: the form that caches must have; see `cacheLayout`. */
  constructor(place: CacheFilePlace, layout: string) {
    this.#place = place;
    this.#layout = layout;
  }

  /** The files, the newest first. Half-written ones are deleted. */
  async list(): Promise<FoundFile[]> {
    const { folder } = this.#place;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    const found: FoundFile[] = [];
    for (const name of await readdir(folder)) {
      if (!isWhole(name)) await this.remove(name);
      else {
        const state = await stat(join(folder, name)).catch(() => undefined);
        if (state !== undefined) found.push({ name, bytes: state.size, mtimeMs: state.mtimeMs });
      }
    }
    return found.sort((a, b) => b.mtimeMs - a.mtimeMs);
  }

  /**
   * The conversation in a file that fits and is as it was written; undefined where the file must not be used. `mostTokens`:
   * more than that are not read.
   */
  async read(file: FoundFile, mostTokens: number): Promise<SavedConversation | undefined> {
    const path = this.pathOf(file.name);
    const description = await readSealed(path, this.#place.secret);
    if (description?.layout !== this.#layout) return undefined;
    const { accountId } = description;
    if (ownerInName(file.name) !== ownerTag(this.#place.secret, accountId)) return undefined;
    const saved = await readParts(path, description, mostTokens);
    if (saved !== undefined) this.#remember(file, saved);
    return saved;
  }

  pathOf(name: string): string {
    return join(this.#place.folder, name);
  }

  /** Estimated bytes of the cache's file, from the bytes per token of the file that was read or written last. */
  bytesOf({ tokens }: CachedTokens): number {
    return tokens.length * this.#tokenBytes;
  }

  /** Remembers the tokens in a file, as the most recently used one. */
  #remember({ name, bytes }: Pick<FoundFile, 'name' | 'bytes'>, { accountId, tokens }: CachedTokens): void {
    this.#known.set(name, { accountId, tokens, bytes });
    this.#tokenBytes = bytes / tokens.length;
  }

  /** True when a file begins with all of these tokens. */
  has(cached: CachedTokens): boolean {
    return this.#find(cached) !== undefined;
  }

  /** Makes the file that begins with these tokens, if there is one, the most recently used one. */
  async touch(cached: CachedTokens): Promise<void> {
    const [name, known] = this.#find(cached) ?? [];
    if (name === undefined || known === undefined) return;
    this.#known.delete(name);
    this.#known.set(name, known);
    this.#lastTouchMs = Math.max(this.#lastTouchMs + 1, Date.now());
    // It is gone where its account was removed, and is not to be written again.
    await utimes(this.pathOf(name), this.#lastTouchMs / 1000, this.#lastTouchMs / 1000).catch(
      () => undefined,
    );
  }

  /** Writes a conversation into a file that only its owner can read. Throws where too little of the disk would stay free. */
  async write(saved: SavedConversation): Promise<DraftFile> {
    const { accountId, tokens } = saved;
    const { folder, secret } = this.#place;
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize - saved.state.byteLength < leastFreeBytes) throw new Error('the disk is nearly full');
    const name = cacheFileName(secret, accountId, tokens);
    const path = this.pathOf(`${name}.part`);
    await rm(path, { force: true });
    try {
      return { accountId, tokens, path, name, description: await writeParts(path, saved, this.#layout) };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  /** Seals a draft and gives it its name. The files whose conversations it continues are deleted. */
  async add({ accountId, tokens, path, name, description }: DraftFile): Promise<void> {
    const bytes = await sealFile(path, description, this.#place.secret);
    await rename(path, this.pathOf(name));
    for (const [older, known] of this.#known)
      if (known.accountId === accountId && commonPrefix(known.tokens, tokens) === known.tokens.length)
        await this.remove(older);
    this.#remember({ name, bytes }, { accountId, tokens });
  }

  /** Deletes the least recently used files until `holds` says that the bytes of the others are not too many. */
  async trim(holds: (bytes: number) => boolean): Promise<void> {
    let bytes = [...this.#known.values()].reduce((sum, known) => sum + known.bytes, 0);
    for (const [name, known] of this.#known) {
      if (holds(bytes)) return;
      bytes -= known.bytes;
      await this.remove(name);
    }
  }

  async remove(name: string): Promise<void> {
    this.#known.delete(name);
    await rm(this.pathOf(name), { recursive: true, force: true });
  }

  #find({ accountId, tokens }: CachedTokens): [string, KnownFile] | undefined {
    return [...this.#known].find(
      ([, known]) => known.accountId === accountId && commonPrefix(known.tokens, tokens) === tokens.length,
    );
  }
}
