import { AppError } from '../../errors/errors.ts';
import { formatPath } from '../../words/format-path.ts';
import { nearestName } from '../../words/nearest-names.ts';
import type { JsonObject } from '../env.ts';
import { shapesFor, type KnownNames, type KnownObject } from './known-names.ts';

/** Most unknown names per request that are ignored. No client with its own extra parameters sends more. */
const maxIgnoredNames = 100;
const maxHeaderChars = 2048;
const maxListedNameChars = 160;

/**
 * The paths of the names in `body` that are unknown and ignored, such as extra parameters of other vendors, at every
 * depth. A name that many items of a list have is there once. Throws unknown_parameter for a name within two edits of a
 * known one: that is a typing mistake, and to ignore it would silently do something else than the client asked for.
 */
export function findIgnoredNames(body: JsonObject, known: KnownNames): string[] {
  const search = new NameSearch();
  search.visit(body, known);
  return search.ignored;
}

class NameSearch {
  readonly ignored: string[] = [];
  /** The paths in `ignored`, without the indices of lists. */
  readonly #seen = new Set<string>();
  readonly #path: PropertyKey[] = [];

  visit(value: unknown, known: KnownNames): void {
    if (Array.isArray(value)) this.#visitList(value, known);
    else this.#visitObject(value as JsonObject, known);
  }

  #visitList(list: readonly unknown[], known: KnownNames): void {
    const lists = known.filter((shape) => shape.kind === 'list');
    if (list.length > Math.max(...lists.map(({ maxItems }) => maxItems))) return;
    const items = lists.flatMap((shape) => shape.items);
    for (const [index, item] of list.entries()) this.#visitAt(index, item, items);
  }

  #visitObject(object: JsonObject, known: KnownNames): void {
    const shapes = shapesFor(known, object);
    if (shapes.length === 0) return;
    const isOpen = shapes.some((shape) => shape.isOpen);
    for (const name of Object.keys(object)) {
      if (object[name] === null) continue;
      const having = shapes.filter(({ fields }) => fields.has(name));
      if (having.length > 0)
        this.#visitAt(
          name,
          object[name],
          having.flatMap(({ fields }) => fields.get(name) ?? []),
        );
      else if (!isOpen) this.#ignore(name, shapes);
    }
  }

  #visitAt(step: PropertyKey, value: unknown, known: KnownNames): void {
    if (typeof value !== 'object' || value === null || known.length === 0) return;
    this.#path.push(step);
    this.visit(value, known);
    this.#path.pop();
  }

  #ignore(name: string, shapes: readonly KnownObject[]): void {
    const place = formatPath([...this.#path.filter((step) => typeof step === 'string'), name]);
    if (this.#seen.has(place)) return;
    const path = formatPath([...this.#path, name]);
    const near = nearestName(
      name,
      shapes.flatMap(({ fields }) => [...fields.keys()]),
    );
    if (near !== undefined) {
      const meant = formatPath([...this.#path, near]);
      throw new AppError('unknown_parameter', `Unknown parameter '${path}'. Did you mean '${meant}'?`, {
        param: path,
      });
    }
    this.#seen.add(place);
    this.ignored.push(path);
    if (this.ignored.length > maxIgnoredNames) {
      throw new AppError(
        'unknown_parameter',
        `The request has more than ${maxIgnoredNames} unknown parameters. Remove what this endpoint does not know.`,
      );
    }
  }
}

/** The header `x-ignored-parameters`: names, percent-encoded but for the characters of paths, up to its length. */
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
