import { readFile } from 'node:fs/promises';
import { createMiddleware } from 'hono/factory';
import { mostDocumentBytes, type DocumentReader } from '../../documents/document-reader.ts';
import { namedText, picturedText, quoteRequest } from '../../documents/document-text.ts';
import { AppError } from '../../errors/errors.ts';
import type { Catalog } from '../../catalog/types.ts';
import type { FileLibrary } from '../../files/file-library.ts';
import { formatPath } from '../../words/format-path.ts';
import type { Middleware } from '../add-routes.ts';
import type { AppContext, AppEnv, JsonObject, OpenedDocument } from '../env.ts';
import { createLeaving } from '../generation/leaving.ts';
import { checkScope } from '../middleware/scopes.ts';
import { findModelFor } from '../model/find-model.ts';
import { nameIgnored } from '../request/read-parameters.ts';
import { invalid, unsupported } from '../request/validate.ts';
import { AttachedFiles, dataUrl } from './attached-files.ts';
import type { RemotePictures } from './remote-pictures.ts';

type Path = readonly PropertyKey[];

export interface DocumentDeps {
  readonly documents: Pick<DocumentReader, 'read'>;
  readonly catalog: Catalog;
  readonly files: Pick<FileLibrary, 'get' | 'pathOf'>;
  /** undefined: nothing is fetched. */
  readonly remotePictures?: RemotePictures | undefined;
}

/** A file as it stands in a request: by one of these three. */
interface GivenFile {
  readonly data?: unknown;
  readonly id?: unknown;
  readonly url?: unknown;
  readonly name?: unknown;
}

/** A file in a list of parts, and the part that a text takes in its place. */
interface Place {
  readonly parts: unknown[];
  readonly index: number;
  readonly path: Path;
  readonly file: GivenFile;
  readonly toPart: (text: string) => unknown;
  /** A JPEG in base64 as a part. */
  readonly toPicture: (jpeg: string) => unknown;
  readonly isCited?: boolean;
  /** Names in the file that mean nothing here. */
  readonly ignored: readonly string[];
}

const mostDocuments = 32;
/** Pictures and recordings that came as files; the reader of such parts reads them. */
const mediaUrl = /^data:(?:image|audio)\//i;

/**
 * Puts the text of each document in the place of its file: of `file` parts of chat completions, `input_file` parts of
 * Responses, and `document` blocks of Anthropic's API, also in the results of tools. Routes find texts only, and pictures
 * of the pages of scans. `read` reads the body.
 */
export function inlineDocuments(read: Middleware, deps: DocumentDeps): Middleware {
  const inline = createMiddleware<AppEnv>(async (c, next) => {
    const { signal } = createLeaving(c);
    const documents = new Map<string, OpenedDocument>();
    c.set('documents', documents);
    for (const place of placesIn(c.get('body'))) {
      if (documents.size === mostDocuments)
        throw invalid(place.path, `is one too many: a request may have ${mostDocuments} documents`);
      const document = await readPlace(c, deps, place, signal);
      documents.set(formatPath(place.path), document);
      place.parts.splice(place.index, 1, ...shownParts(c, deps, place, document));
      nameIgnored(
        c,
        place.ignored.map((name) => formatPath([...place.path, name])),
      );
    }
    await next();
  });
  return (c, next) => read(c, async () => void (await inline(c, next)));
}

/** The text of a document, or its pages as pictures. Throws unsupported_content where the model sees none. */
function shownParts(
  c: AppContext,
  { catalog, remotePictures }: DocumentDeps,
  { toPart, toPicture, path }: Place,
  { name = 'document', text, pictures, isCited }: OpenedDocument,
): readonly unknown[] {
  if (pictures === undefined) {
    const named = namedText(name, text);
    return [toPart(isCited ? `${named}\n${quoteRequest}` : named)];
  }
  const principal = c.get('principal');
  const { model } = c.get('body');
  if (typeof model === 'string')
    new AttachedFiles(
      { catalog, remotePictures },
      principal,
      findModelFor('chat', catalog, principal, model),
    ).expect('image', { path, offset: 0, what: 'has no text but pictures of its pages' });
  return [
    toPart(picturedText(name)),
    ...pictures.map((picture) => toPicture(Buffer.from(picture).toString('base64'))),
  ];
}

async function readPlace(
  c: AppContext,
  deps: DocumentDeps,
  { file, path, isCited = false }: Place,
  signal: AbortSignal,
): Promise<OpenedDocument> {
  const { keyId } = c.get('principal');
  const { bytes, name, fileId } = await openFile(c, deps, file, path, signal);
  const read = await deps.documents.read({ bytes, keyId, param: formatPath(path) }, signal);
  const given = typeof file.name === 'string' ? file.name : '';
  // One line, and nothing that a terminal would obey.
  const shown = (given || name || '').slice(0, 255).replaceAll(/[\s\p{Cc}]+/gu, ' ');
  return { ...read, name: shown || undefined, fileId, isCited };
}

/** The bytes of a file that stands at `path`, and its name where that is known. Throws AppError. */
export async function openFile(
  c: AppContext,
  { files, remotePictures }: DocumentDeps,
  { data, id, url }: GivenFile,
  path: Path,
  signal: AbortSignal,
): Promise<{ readonly bytes: Uint8Array; readonly name?: string; readonly fileId?: string }> {
  const principal = c.get('principal');
  if (typeof data === 'string' && data !== '')
    return { bytes: Buffer.from(data.slice(dataUrl.exec(data.slice(0, 512))?.[0].length ?? 0), 'base64') };
  if (typeof id === 'string' && id !== '') {
    checkScope(principal, 'files', `a kept file (${formatPath(path)})`);
    const { filename } = findFile(files, principal.accountId, id, path);
    return { bytes: await readFile(files.pathOf(id), { signal }), name: filename, fileId: id };
  }
  if (typeof url !== 'string' || url === '')
    throw invalid(
      path,
      'is a file without its content: send that in base64, or the id of a file that was uploaded',
    );
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw invalid(path, 'must have an http(s) address');
  if (remotePictures === undefined)
    throw unsupported(
      path,
      'This server fetches no files: send the file itself in base64, or have the operator set "imageUrls: true".',
    );
  const wanted = { url: new URL(url), param: formatPath(path), isDocument: true };
  const [bytes = new Uint8Array()] = await remotePictures.fetchAll([wanted], principal, signal);
  return { bytes, name: decodeName(new URL(url).pathname) };
}

/** Throws invalid_value at `path`: the account has no such file, or one that is far too large. */
function findFile(files: DocumentDeps['files'], accountId: string, id: string, path: Path) {
  try {
    const file = files.get(accountId, id);
    if (file.bytes <= mostDocumentBytes) return file;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    throw invalid(path, 'names no file of this account. Upload it with POST /v1/files');
  }
  throw invalid(path, `names a file of more than ${mostDocumentBytes / 2 ** 20} MiB. Send a part of it`);
}

function decodeName(pathname: string): string {
  const name = pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** All documents of a body, which nobody has checked yet. */
function* placesIn({ messages, input }: JsonObject): Generator<Place> {
  for (const [list, start] of [
    [messages, 'messages'],
    [input, 'input'],
  ] as const) {
    if (!Array.isArray(list)) continue;
    for (const [index, message] of list.entries()) {
      if (!isObject(message)) continue;
      for (const field of ['content', 'output']) yield* collect(message[field], [start, index, field]);
    }
  }
}

function* collect(parts: unknown, path: Path): Generator<Place> {
  if (!Array.isArray(parts)) return;
  // Pages come in between.
  for (let index = 0; index < parts.length; index++) {
    const part: unknown = parts[index];
    if (!isObject(part)) continue;
    const here = [...path, index];
    if (part['type'] === 'tool_result') yield* collect(part['content'], [...here, 'content']);
    const place = placeOf(part);
    const data = place?.file.data;
    // A document of Anthropic's is one whatever it says of itself.
    const isMedia = part['type'] !== 'document' && typeof data === 'string' && mediaUrl.test(data);
    if (place !== undefined && !isMedia) yield { parts, index, path: here, ...place };
  }
}

/** The file in a part of any dialect; undefined: the part has none. */
function placeOf(part: JsonObject): Omit<Place, 'parts' | 'index' | 'path'> | undefined {
  const { file, ...beside } = part;
  if (part['type'] === 'file' && isObject(file)) {
    const { file_data: data, file_id: id, filename: name, ...others } = file;
    const toPart = (text: string) => ({ ...beside, type: 'text', text });
    const toPicture = (jpeg: string) => ({ type: 'image_url', image_url: { url: jpegUrl(jpeg) } });
    const ignored = Object.keys(others).map((other) => `file.${other}`);
    return { file: { data, id, name }, toPart, toPicture, ignored };
  }
  if (part['type'] === 'input_file') {
    const {
      type: _,
      file_data: data,
      file_id: id,
      file_url: url,
      filename: name,
      detail: __,
      citations,
      ...others
    } = part;
    const toPart = (text: string) => ({ type: 'input_text', text });
    const toPicture = (jpeg: string) => ({ type: 'input_image', image_url: jpegUrl(jpeg) });
    const isCited = isObject(citations) && citations['enabled'] === true;
    return { file: { data, id, url, name }, toPart, toPicture, isCited, ignored: Object.keys(others) };
  }
  const { source, title: name, ...rest } = part;
  if (part['type'] !== 'document' || !isObject(source)) return undefined;
  const { type: kind, media_type: _, data, url, file_id: id, ...others } = source;
  if (kind !== 'base64' && kind !== 'url' && kind !== 'file') return undefined;
  const toPart = (text: string) => ({
    ...rest,
    source: { type: 'text', media_type: 'text/plain', data: text },
  });
  const toPicture = (jpeg: string) => ({
    type: 'image',
    source: { type: 'base64', media_type: 'image/jpeg', data: jpeg },
  });
  const given = { base64: { data, name }, url: { url, name }, file: { id, name } }[kind];
  return { file: given, toPart, toPicture, ignored: Object.keys(others).map((other) => `source.${other}`) };
}

export const jpegUrl = (jpeg: string) => `data:image/jpeg;base64,${jpeg}`;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
