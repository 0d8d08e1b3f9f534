import { hasMoreJsonParts } from '../../../json-parts.ts';
import { invalidAnswer } from '../failures.ts';

/** A JSON object whose fields were not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Objects, arrays and fields of one answer that are parsed within some 20 ms. A megabyte of numbers and texts takes no
 * longer, and a megabyte of objects with fields of different names takes half a second.
 */
const mostParts = 2 ** 13;
/** In the lists of large providers, and in the transcript of an hour. */
export const mostPartsOfLists = 2 ** 15;

/** The JSON object that `text` is, of at most `most` objects, arrays and fields. Throws AddressFailure. */
export function parseFields(text: string, most = mostParts): Fields {
  // Each part takes a character at least.
  if (text.length > most && hasMoreJsonParts(Buffer.from(text), most))
    throw invalidAnswer(`it has more than ${most} objects, arrays and fields`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidAnswer('it is not JSON');
  }
  return fieldsOf(value) ?? fail('it is no JSON object');
}

/** `value` where it is an object; undefined otherwise. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** `value` as a list. Throws AddressFailure that names `what`. */
export function listOf(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value) ? value : fail(`${what} is no list`);
}

/** A text that may be missing, which null means too. Throws AddressFailure that names `what`. */
export function textOf(value: unknown, what: string): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value.toWellFormed() : fail(`${what} is no text`);
}

/** A finite number. Throws AddressFailure that names `what`. */
export function numberOf(value: unknown, what: string): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : fail(`${what} is no number`);
}

function fail(what: string): never {
  throw invalidAnswer(what);
}
