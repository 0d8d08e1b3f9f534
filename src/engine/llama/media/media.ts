import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../../errors/errors.ts';
import { messageOf } from '../../../words/describe-error.ts';
import { Slices } from '../../../timing/slices.ts';
import { sampleRateHz } from '../../speech/transcription-types.ts';
import type { Attachment } from '../../types.ts';
import type { CacheMemory, Droppable } from '../caches/cache-memory.ts';
import type { Medium, MediumPiece } from '../native/media-addon.ts';
import type { Projector } from '../native/projector.ts';
import type { MediaFiles } from './media-files.ts';
import { mediumIds, mostSerials } from './medium-ids.ts';

/** Contents whose serial numbers are remembered: one more than that comes back as if it were another content. */
const mostContents = 65_536;
const hashedAtOnceBytes = 2 ** 20;

/** A part of a picture or recording in a prompt. */
export interface PromptMedium {
  readonly medium: Medium;
  readonly projector: Projector;
  /** It is being encoded, or was. */
  isBegun: boolean;
  isEncoded: boolean;
}

/** The tokens and parts that stand for an attachment in a prompt. */
export interface PreparedAttachment {
  /** Tokens around its parts, and the ids of these. */
  readonly ids: Uint32Array;
  /** Its parts by the first of their ids. */
  readonly parts: ReadonlyMap<number, PromptMedium>;
}

interface KeptAttachment extends PreparedAttachment, Droppable {}

/** Who sent an attachment. */
export interface Sender {
  readonly accountId: string;
  readonly keyId: string;
}

export interface MediaOptions {
  readonly projector: Projector;
  readonly files: MediaFiles;
  /** Holds the embeddings of media, and the caches of conversations. */
  readonly memory: CacheMemory;
  /** Tokens that a step computes. */
  readonly batchTokens: number;
}

/** The pictures and recordings that one model was asked about. The embeddings of one are kept for its account. */
export class Media {
  readonly #options: MediaOptions;
  readonly #kept = new Map<string, KeptAttachment>();
  /** The serial number of each content. */
  readonly #serials = new LRUCache<string, number>({ max: mostContents });
  #lastSerial = 0;

  constructor(options: MediaOptions) {
    this.#options = options;
  }

  /**
   * The tokens and parts for `attachment`, decoded where they are not known any more. Throws AppError
   * (unsupported_value, and those of the decoders) or the reason of `signal`.
   */
  async prepare(attachment: Attachment, sender: Sender, signal: AbortSignal): Promise<PreparedAttachment> {
    this.#mustPerceive(attachment.kind);
    const hash = await contentHash(attachment);
    const key = `${sender.accountId} ${hash}`;
    const known = this.#kept.get(key);
    if (known !== undefined) {
      this.#options.memory.touch(known);
      return known;
    }
    const pieces = await this.#read(attachment, sender, signal);
    return this.#keep(key, this.#describe(hash, pieces));
  }

  dispose(): Promise<void> {
    for (const kept of this.#kept.values()) this.#options.memory.remove(kept);
    return this.#options.projector.close();
  }

  #mustPerceive(kind: Attachment['kind']): void {
    const { sees, sampleRate } = this.#options.projector;
    if (kind === 'picture' ? sees : sampleRate === sampleRateHz) return;
    throw new AppError(
      'unsupported_value',
      kind === 'picture' ? 'This model cannot see pictures.' : 'This model cannot hear recordings.',
      { param: 'messages' },
    );
  }

  async #read({ kind, file }: Attachment, sender: Sender, signal: AbortSignal): Promise<MediumPiece[]> {
    const { projector, files, batchTokens } = this.#options;
    const pieces =
      kind === 'picture'
        ? await this.#readPicture(file, sender, signal)
        : await unfit(projector.prepareSound(await files.decodeSound(file, signal)));
    // libmtmd writes -1 for a text that the vocabulary has no token for.
    if (pieces.some((piece) => 'tokens' in piece && piece.tokens.some((token) => token < 0)))
      throw unfitError('the model has not all tokens by which its projector marks them');
    for (const piece of pieces)
      if ('cells' in piece && piece.isWhole && piece.cells > batchTokens)
        throw unfitError(`it takes ${piece.cells} tokens at once, and a step computes ${batchTokens}`);
    return pieces;
  }

  async #readPicture(file: Uint8Array, { keyId }: Sender, signal: AbortSignal): Promise<MediumPiece[]> {
    const { projector, files } = this.#options;
    const { widthPixels, heightPixels, rgb } = await files.decodePicture(file, keyId, signal);
    return await unfit(projector.preparePicture(widthPixels, heightPixels, rgb));
  }

  #describe(hash: string, pieces: readonly MediumPiece[]): PreparedAttachment {
    const ids: number[] = [];
    const parts = new Map<number, PromptMedium>();
    for (const [index, piece] of pieces.entries()) {
      if ('tokens' in piece) {
        ids.push(...piece.tokens);
        continue;
      }
      const own = mediumIds(this.#serialOf(`${hash} ${index}`), piece.cells, piece.positions);
      ids.push(...own);
      parts.set(own[0] ?? 0, {
        medium: piece,
        projector: this.#options.projector,
        isBegun: false,
        isEncoded: false,
      });
    }
    return { ids: Uint32Array.from(ids), parts };
  }

  #keep(key: string, prepared: PreparedAttachment): PreparedAttachment {
    const cells = [...prepared.parts.values()].reduce((total, { medium }) => total + medium.cells, 0);
    const bytes = prepared.ids.byteLength + cells * this.#options.projector.embeddingBytes;
    const kept = { ...prepared, bytes, drop: () => void this.#kept.delete(key) };
    const earlier = this.#kept.get(key);
    if (earlier !== undefined) this.#options.memory.remove(earlier);
    this.#kept.set(key, kept);
    this.#options.memory.add(kept);
    return kept;
  }

  #serialOf(content: string): number {
    const serial = this.#serials.get(content) ?? (this.#lastSerial = (this.#lastSerial + 1) % mostSerials);
    this.#serials.set(content, serial);
    return serial;
  }
}

const unfitError = (reason: string, cause?: unknown) =>
  new AppError('invalid_value', `An attachment does not fit this model: ${reason}.`, {
    param: 'messages',
    cause,
  });

async function unfit(pieces: Promise<MediumPiece[]>): Promise<MediumPiece[]> {
  try {
    return await pieces;
  } catch (cause) {
    throw unfitError(messageOf(cause), cause);
  }
}

async function contentHash({ kind, file }: Attachment): Promise<string> {
  const hash = createHash('sha256').update(`${kind}:`);
  const slices = new Slices();
  for (let at = 0; at < file.length; at += hashedAtOnceBytes) {
    hash.update(file.subarray(at, at + hashedAtOnceBytes));
    if (slices.isOver) await slices.next();
  }
  return hash.digest('hex');
}
