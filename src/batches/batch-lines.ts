import type { BatchLineRow } from '../store/tables/batches/batch-line-table.ts';
import { createReadStream } from 'node:fs';
import { AppError } from '../errors/errors.ts';
import { hasMoreJsonParts, isNestedDeeper } from '../json-parts.ts';
import { nextTurn } from '../timing/next-turn.ts';

export const mostLines = 50_000;
export const mostLineBytes = 4 * 2 ** 20;
/** Most parts of a line: those of a request that comes by itself. */
const mostLineParts = 100_000;
/** Deeper than any schema; JSON of a hundred times that depth cannot be written again. */
const mostLineDepth = 1000;
const mostBlankLines = 2 * mostLines;
const mostIdChars = 512;

/** The routes that lines of a batch may ask, each answered as for a request that comes by itself. */
export const batchEndpoints = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/completions',
  '/v1/embeddings',
] as const;

export interface BatchLine extends Omit<BatchLineRow, 'model' | 'beginning'> {
  /** From 1, with empty lines. */
  readonly number: number;
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Its names that mean nothing. */
  readonly unknown: readonly string[];
}

/** The fault of a line of an input file, by its number from 1; null: of the whole file. */
export class LineError extends AppError {
  readonly line: number | null;
  readonly complaint: string;

  constructor(line: number | null, complaint: string) {
    const what = line === null ? 'The file' : `Line ${line}`;
    super('invalid_value', `${what} ${complaint}.`, { param: 'file' });
    this.line = line;
    this.complaint = complaint;
  }
}

/** The lines of an input file, one at a time. Throws the LineError of the first wrong one. */
export async function* readBatchLines(file: string): AsyncGenerator<BatchLine> {
  const lineOfId = new Map<string, number>();
  for await (const { number, byteOffset, content } of readLines(file)) {
    const parsed = parseLine(content, number);
    const earlier = lineOfId.get(parsed.customId);
    if (earlier !== undefined) throw new LineError(number, `has the custom_id of line ${earlier}`);
    if (lineOfId.size === mostLines) throw new LineError(number, `is one too many: ${mostLines} may be sent`);
    const position = lineOfId.size;
    lineOfId.set(parsed.customId, number);
    yield { ...parsed, position, byteOffset, bytes: content.length };
  }
  if (lineOfId.size === 0) throw new LineError(null, 'is empty: it has no requests');
}

interface RawLine {
  readonly number: number;
  readonly byteOffset: number;
  readonly content: Buffer;
}

const lineFeed = 10;
const byteOrderMark = Buffer.from('\uFEFF');

/** The lines that are not empty, without their ends, and without a mark of UTF-8 before the first. */
async function* readLines(file: string): AsyncGenerator<RawLine> {
  let [number, byteOffset, blankLines] = [1, 0, 0];
  let pieces: Buffer[] = [];
  let bytes = 0;
  const add = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > mostLineBytes) throw new LineError(number, 'is longer than 4 MiB');
    if (piece.length > 0) pieces.push(piece);
  };
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    let start = 0;
    if (number === 1 && byteOffset + bytes === 0 && chunk.indexOf(byteOrderMark) === 0)
      byteOffset = start = byteOrderMark.length;
    for (let end = chunk.indexOf(lineFeed, start); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      add(chunk.subarray(start, end));
      const content = Buffer.concat(pieces);
      if (!isBlank(content)) yield { number, byteOffset, content };
      else if (++blankLines > mostBlankLines)
        throw new LineError(number, `is one too many of ${mostBlankLines} blank lines`);
      byteOffset += bytes + 1;
      [pieces, bytes, start] = [[], 0, end + 1];
      number++;
    }
    add(chunk.subarray(start));
    await nextTurn();
  }
  const content = Buffer.concat(pieces);
  if (!isBlank(content)) yield { number, byteOffset, content };
}

const isBlank = (content: Buffer) => content.length < 64 && content.toString('latin1').trim() === '';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The JSON value of a line. Throws where it has none. */
export const parseBatchLine = (content: Buffer): unknown => JSON.parse(utf8.decode(content));

/** Throws LineError. */
function parseLine(
  content: Buffer,
  number: number,
): Pick<BatchLine, 'number' | 'customId' | 'url' | 'body' | 'unknown'> {
  if (hasMoreJsonParts(content, mostLineParts))
    throw new LineError(number, `has more than ${mostLineParts} objects, arrays and fields`);
  if (hasMoreJsonParts(content, mostLineDepth) && isNestedDeeper(content.toString('latin1'), mostLineDepth))
    throw new LineError(number, `is nested more than ${mostLineDepth} deep`);
  let value: unknown;
  try {
    value = parseBatchLine(content);
  } catch {
    throw new LineError(number, 'is not valid JSON. Each line must be one JSON object in UTF-8');
  }
  if (!isObject(value)) throw new LineError(number, 'is no JSON object');
  const { custom_id: customId, method, url, body, ...rest } = value;
  if (typeof customId !== 'string' || customId === '' || customId.length > mostIdChars)
    throw new LineError(number, `needs a custom_id: a text of 1 to ${mostIdChars} characters`);
  if (method !== 'POST') throw new LineError(number, 'needs the method "POST"');
  if (typeof url !== 'string') throw new LineError(number, 'needs a url, such as "/v1/chat/completions"');
  if (!isObject(body)) throw new LineError(number, 'needs a body: the JSON object of the request');
  if (body['stream'] === true)
    throw new LineError(number, 'asks for a stream, which a batch has none of: leave "stream" out');
  return { number, customId, url, body, unknown: Object.keys(rest) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
