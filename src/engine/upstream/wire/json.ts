import { invalidAnswer } from '../failures.ts';

/** A JSON object whose fields were not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** The JSON object that `text` is. Throws AddressFailure. */
export function parseFields(text: string): Fields {
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
