import { AppError } from '../../errors/errors.ts';
import { nearestName } from '../../words/nearest-names.ts';
import type { JsonObject } from '../env.ts';

/** Most unknown names per request that are ignored. No client with its own extra parameters sends more. */
const maxIgnoredNames = 100;
const maxHeaderChars = 2048;
const maxListedNameChars = 160;

/**
 * The names in `body` that are unknown and ignored, such as extra parameters of other vendors. Throws
 * unknown_parameter for a name within two edits of a known one: that is a typing mistake, and to ignore it would
 * silently do something else than the client asked for.
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

/**
 * The value of the header `x-ignored-parameters`: names, in which other characters than those of paths such as
 * `tools[0].$defs` are percent-encoded, cut off at its greatest length.
 */
export function toIgnoredHeader(names: readonly string[]): string {
  let header = '';
  for (const name of names) {
    const encoded = encodeURIComponent(name.slice(0, maxListedNameChars).toWellFormed()).replaceAll(
      /%(?:5B|5D|24|2F|40)/g,
      decodeURIComponent,
    );
    const next = header === '' ? encoded : `${header}, ${encoded}`;
    if (next.length > maxHeaderChars) return `${header}, ...`;
    header = next;
  }
  return header;
}
