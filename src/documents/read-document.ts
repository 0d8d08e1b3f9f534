import { posix } from 'node:path';
import { extractText, getDocumentProxy } from 'unpdf';
import { DocumentError } from './document-error.ts';
import { isArchive, unpack } from './formats/archive.ts';
import { htmlMarkup, textOfMarkup, wordMarkup } from './formats/markup-text.ts';
import { picturesOf } from './formats/page-pictures.ts';
import { attributesOf, readSheets, type DocumentPart } from './formats/spreadsheet.ts';

/** Characters that no text has. */
// oxlint-disable-next-line no-control-regex
const binary = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

/** The text of bytes in UTF-8, UTF-16 with its mark, or else the Latin letters of Windows; undefined: no text. */
function decodeText(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const encodings = isUtf16 ? [first === 0xff ? 'utf-16le' : 'utf-16be'] : ['utf-8', 'windows-1252'];
  for (const encoding of encodings) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      return binary.test(text) ? undefined : text;
    } catch {
      // It is not in this encoding.
    }
  }
  return undefined;
}

export type DocumentKind = 'pdf' | 'docx' | 'xlsx' | 'epub' | 'html' | 'text';

export interface ReadDocument {
  readonly kind: DocumentKind;
  /** Its pages, sheets or chapters: where each begins in `text`, behind its mark, and ends. */
  readonly parts: readonly { readonly start: number; readonly end: number }[];
  /** With the marks of its parts: `[page 3]`. */
  readonly text: string;
  /** Instead of a text: the pages of a PDF that has none, as JPEG. */
  readonly pictures?: readonly Uint8Array[];
}

interface DocumentParts {
  readonly kind: DocumentKind;
  readonly parts: readonly DocumentPart[];
}

const mostPdfPages = 3000;
/** No model's context has room for more. */
const mostChars = 8 * 2 ** 20;

/** The text of a document, which may do harm: for a process of its own only. Throws DocumentError. */
export async function readDocument(bytes: Uint8Array): Promise<ReadDocument> {
  const { kind, parts } = await readKind(bytes);
  if (!parts.some(({ text }) => text.trim() !== '')) {
    if (kind !== 'pdf' || parts.length === 0) throw new DocumentError('is empty');
    const pictures = await picturesOf(bytes, parts.length).catch(refuseDamaged);
    return { kind, parts: parts.map(() => ({ start: 0, end: 0 })), text: '', pictures };
  }
  const marked = parts.map(({ mark, text }) => (mark === undefined ? text : `[${mark}]\n${text}`));
  const chars = marked.reduce((sum, { length }) => sum + length, 0);
  let end = -2;
  const places = parts.map(({ text }, index) => {
    end += 2 + (marked[index]?.length ?? 0);
    return { start: end - text.length, end };
  });
  if (chars <= mostChars) return { kind, parts: places, text: marked.join('\n\n') };
  const found = `${chars.toLocaleString('en')} characters, and no model takes more than ${mostChars.toLocaleString('en')}`;
  throw new DocumentError(`has ${found}. Send a part of it`);
}

async function readKind(bytes: Uint8Array): Promise<DocumentParts> {
  if (isPdf(bytes)) return { kind: 'pdf', parts: await readPdf(bytes) };
  if (isArchive(bytes)) return readArchive(bytes);
  const text = decodeText(bytes);
  if (text === undefined) throw new DocumentError('is no PDF, DOCX, XLSX, EPUB, HTML or text');
  if (/^\s*(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype html|html|head|body)\b/is.test(text.slice(0, 2000)))
    return { kind: 'html', parts: [{ text: textOfMarkup(text, htmlMarkup) }] };
  return { kind: 'text', parts: [{ text }] };
}

/** Writers put the mark anywhere in the first kilobyte. */
const isPdf = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(1024, bytes.length)).includes('%PDF-');

async function readPdf(bytes: Uint8Array): Promise<readonly DocumentPart[]> {
  try {
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
    if (pdf.numPages > mostPdfPages)
      throw new DocumentError(
        `has ${pdf.numPages} pages, and at most ${mostPdfPages} are read. Send a part of it`,
      );
    const { text } = await extractText(pdf);
    return text.map((page, index) => {
      const shown = page.trim();
      return { mark: `page ${index + 1}${shown === '' ? ', which has no text' : ''}`, text: shown };
    });
  } catch (error) {
    return refuseDamaged(error);
  }
}

function refuseDamaged(error: unknown): never {
  if (error instanceof DocumentError) throw error;
  const isLocked = error instanceof Error && error.name === 'PasswordException';
  const reason = isLocked ? 'is encrypted. Send it without a password' : 'is a damaged PDF';
  throw new DocumentError(reason, { cause: error });
}

const archived =
  /^(?:word\/document\.xml|xl\/(?:workbook|sharedStrings)\.xml|xl\/worksheets\/sheet\d+\.xml|META-INF\/container\.xml|.*\.(?:opf|x?html?))$/;

function readArchive(bytes: Uint8Array): DocumentParts {
  const files = unpack(bytes, (name) => archived.test(name));
  const word = files.get('word/document.xml');
  if (word !== undefined) return { kind: 'docx', parts: [{ text: textOfMarkup(decoded(word), wordMarkup) }] };
  if (files.has('xl/workbook.xml')) return { kind: 'xlsx', parts: readSheets(files) };
  if (files.has('META-INF/container.xml')) return { kind: 'epub', parts: readBook(files) };
  throw new DocumentError(
    'is an archive, and only DOCX, XLSX and EPUB are read of these. Send the files in it',
  );
}

/** The chapters of a book in the order in which they are read. */
function readBook(files: ReadonlyMap<string, Uint8Array>): readonly DocumentPart[] {
  const [root] = attributesOf(decoded(files.get('META-INF/container.xml')), 'rootfile');
  const path = root?.['full-path'] ?? '';
  const description = decoded(files.get(path));
  const items = new Map(attributesOf(description, 'item').map(({ id, href }) => [id, href]));
  // Each once, however often a book that is made to do harm names it.
  const chapters = [
    ...new Set(attributesOf(description, 'itemref').map(({ idref }) => items.get(idref) ?? '')),
  ];
  return chapters.flatMap((href, index) => {
    const file = files.get(posix.join(posix.dirname(path), unescaped(href.split('#', 1)[0] ?? '')));
    const text = file === undefined ? '' : textOfMarkup(decoded(file), htmlMarkup);
    return text === '' ? [] : [{ mark: `chapter ${index + 1}`, text }];
  });
}

function unescaped(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

const decoded = (bytes: Uint8Array | undefined) => decodeText(bytes ?? new Uint8Array()) ?? '';
