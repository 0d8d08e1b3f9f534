import type { Principal } from '../../accounts/types.ts';
import type { Catalog, CatalogModel } from '../../catalog/types.ts';
import { PictureError, pictureLimits, takenFormats } from '../../engine/pictures/header/picture-header.ts';
import { readPictureHeader } from '../../engine/pictures/header/read-header.ts';
import type { Attachment } from '../../engine/types.ts';
import { AppError } from '../../errors/errors.ts';
import { can } from '../../model-kinds.ts';
import type { OpenedDocument } from '../env.ts';
import { formatPath } from '../../words/format-path.ts';
import type { NamedModel } from '../model/model-names.ts';
import { invalid, notUnderstood, unsupported } from '../request/validate.ts';
import type { RemotePictures } from './remote-pictures.ts';

type Path = readonly PropertyKey[];

/** Most pictures and recordings of one request together. */
export const maxAttachments = 32;

export interface AttachmentDeps {
  readonly catalog: Catalog;
  /** undefined: none are fetched. */
  readonly remotePictures?: RemotePictures | undefined;
}

export interface AttachmentPlace {
  /** Where it stands in the text of its message. */
  readonly offset: number;
  readonly path: Path;
  /** Its kind, for errors: `is of type image_url`. */
  readonly what: string;
}

interface Pending {
  readonly url: URL;
  readonly param: string;
  readonly attachment: { file: Uint8Array };
}

/** How a data: URL with base64 begins; only the first characters of a text need to be looked at. */
export const dataUrl = /^data:[^,]{0,256};base64,/i;
const maxBase64Chars = Math.ceil(pictureLimits.fileBytes / 3) * 4 + 1024;
/** A file of this size lasts minutes, and no encoder takes more. */
const maxSoundBytes = 25 * 2 ** 20;
const soundSignature = /^(?:RIFF.{4}WAVE|ID3|\xff[\xe2-\xff])/s;

/** The pictures and recordings of one request, checked when they are added, and fetched by `whenFetched`. */
export class AttachedFiles {
  readonly #deps: AttachmentDeps;
  readonly #principal: Principal;
  readonly #named: NamedModel;
  readonly #documents: ReadonlyMap<string, OpenedDocument> | undefined;
  readonly #pending: Pending[] = [];
  #count = 0;

  constructor(
    deps: AttachmentDeps,
    principal: Principal,
    named: NamedModel,
    documents?: ReadonlyMap<string, OpenedDocument>,
  ) {
    this.#documents = documents;
    this.#deps = deps;
    this.#principal = principal;
    this.#named = named;
  }

  /** The document whose text stands in the place of its file; undefined: something else stands there. */
  documentAt(path: Path): OpenedDocument | undefined {
    return this.#documents?.get(formatPath(path));
  }

  /** The picture of a data: URL or, where the server fetches pictures, of an http(s) address. Throws AppError. */
  addPicture(source: string, place: AttachmentPlace): Attachment {
    this.expect('image', place);
    const [head] = dataUrl.exec(source.slice(0, 512)) ?? [];
    if (head !== undefined) return this.#toPicture(source.slice(head.length), place);
    if (!/^https?:\/\//i.test(source) || !URL.canParse(source))
      throw invalid(place.path, 'must be a data: URL with base64, or an http(s) address');
    if (this.#deps.remotePictures === undefined)
      throw unsupported(
        place.path,
        'This server fetches no pictures: send the picture itself as a data: URL, or have the operator set "imageUrls: true".',
      );
    const attachment = { kind: 'picture' as const, offset: place.offset, file: new Uint8Array() };
    this.#pending.push({ url: new URL(source), param: formatPath(place.path), attachment });
    return attachment;
  }

  /** A picture that is here already. Throws as `addPicture`. */
  addPictureFile(file: Uint8Array, place: AttachmentPlace): Attachment {
    this.expect('image', place);
    return { kind: 'picture', offset: place.offset, file: checkPicture(file, formatPath(place.path)) };
  }

  /** The picture in base64. Throws as `addPicture`. */
  addPictureData(base64: string, place: AttachmentPlace): Attachment {
    this.expect('image', place);
    return this.#toPicture(base64, place);
  }

  /** The recording in base64, a WAV or MP3 file. Throws AppError. */
  addSound(base64: string, place: AttachmentPlace): Attachment {
    this.expect('audio', place);
    const file = Buffer.from(base64.slice(0, Math.ceil(maxSoundBytes / 3) * 4 + 4), 'base64');
    if (file.length > maxSoundBytes)
      throw invalid(place.path, `has more than ${maxSoundBytes / 2 ** 20} MiB`, 'invalid_audio');
    if (!soundSignature.test(file.subarray(0, 12).toString('latin1')))
      throw invalid(place.path, 'is no WAV and no MP3 file', 'invalid_audio');
    return { kind: 'sound', offset: place.offset, file };
  }

  /** The result of `begin`, called once all pictures that stand elsewhere are here. Rejects with AppError. */
  whenFetched<Result>(signal: AbortSignal, begin: () => Result | Promise<Result>): Result | Promise<Result> {
    const { remotePictures } = this.#deps;
    if (remotePictures === undefined || this.#pending.length === 0) return begin();
    return remotePictures.fetchAll(this.#pending, this.#principal, signal).then((files) => {
      for (const [index, { attachment, param }] of this.#pending.entries())
        attachment.file = checkPicture(files[index] ?? new Uint8Array(), param);
      return begin();
    });
  }

  get count(): number {
    return this.#count;
  }

  #toPicture(base64: string, { offset, path }: AttachmentPlace): Attachment {
    const param = formatPath(path);
    if (base64.length > maxBase64Chars)
      throw new AppError(
        'invalid_image',
        `'${param}' has more than ${pictureLimits.fileBytes / 2 ** 20} MiB. Send a smaller picture.`,
        { param },
      );
    return { kind: 'picture', offset, file: checkPicture(Buffer.from(base64, 'base64'), param) };
  }

  /** Counts one more. Throws unsupported_content where the model does not understand it, or there are too many. */
  expect(sense: 'image' | 'audio', { path, what }: AttachmentPlace): void {
    const { name, model } = this.#named;
    const understands = (one: CatalogModel) => can(one, 'generate') && one.capabilities[sense];
    if (!understands(model)) {
      const others = this.#named.others?.(understands) ?? '';
      if (others === '') throw notUnderstood(path, what);
      throw invalid(
        path,
        `${what}, which the model '${name}' does not understand. Send text only, or use ${others}`,
        'unsupported_content',
      );
    }
    this.#count += 1;
    if (this.#count > maxAttachments)
      throw invalid(path, `is one too many: a request may have ${maxAttachments} pictures and recordings`);
  }
}

/** Whether a file's content, as clients send it in JSON, says that it is a picture. */
export function isPictureFile(content: string | null | undefined): content is string {
  return /^data:image\//i.test(content ?? '');
}

/** Throws unsupported_content where there are pictures or recordings, which consist of no tokens. */
export function refuseAttachments({ count }: AttachedFiles): void {
  if (count > 0)
    throw new AppError(
      'unsupported_content',
      'Pictures and recordings have no tokens that could be listed. Count what they take with POST /v1/responses/input_tokens or /v1/messages/count_tokens.',
      { param: 'messages' },
    );
}

/** `file`, if its header is that of a picture that is taken. Throws invalid_image. */
function checkPicture(file: Uint8Array, param: string): Uint8Array {
  try {
    readPictureHeader(file);
    return file;
  } catch (error) {
    if (!(error instanceof PictureError)) throw error;
    throw new AppError(
      'invalid_image',
      `'${param}' is refused: ${error.message.replace(/^The/, 'the')}. Send a whole picture in ${takenFormats}.`,
      { param },
    );
  }
}
