import { AppError } from '../../errors.ts';
import { nearestName } from '../../nearest-names.ts';
import type { JsonObject } from '../env.ts';

/** Names that are neither known nor near a known one, per request; more than this is not a client with extras. */
const maxIgnoredNames = 100;
const maxHeaderChars = 1024;
const maxListedNameChars = 64;

/**
 * The names in `body` that mean nothing here and are left alone, for other vendors' extras.
 * Throws unknown_parameter for a name within two edits of a known one: that is a typing mistake,
 * and ignoring it would silently do something else than was asked.
 */
export function findIgnoredNames(body: JsonObject, known: ReadonlySet<string>): string[] {
  const ignored: string[] = [];
  for (const name in body) {
    if (known.has(name) || body[name] === null) continue;
    const near = nearestName(name, known);
    if (near !== undefined) {
      throw new AppError('unknown_parameter', `Unknown parameter '${name}'. Did you mean '${near}'?`, {
        param: name,
      });
    }
    ignored.push(name);
    if (ignored.length > maxIgnoredNames) {
      throw new AppError(
        'unknown_parameter',
        `The request has more than ${maxIgnoredNames} unknown parameters. Remove what this endpoint does not know.`,
      );
    }
  }
  return ignored;
}

/** The value of `x-ignored-parameters`: percent-encoded names, cut where the header would grow long. */
export function toIgnoredHeader(names: readonly string[]): string {
  let header = '';
  for (const name of names) {
    const encoded = encodeURIComponent(name.slice(0, maxListedNameChars).toWellFormed());
    const next = header === '' ? encoded : `${header}, ${encoded}`;
    if (next.length > maxHeaderChars) return `${header}, ...`;
    header = next;
  }
  return header;
}
