import { joinPath } from '../budget/refusal.ts';
import { isArray, isObject, own, type Json, type JsonObject } from './json-value.ts';

/** A schema with a URI of its own, and the anchors in it. */
export interface Resource {
  readonly root: JsonObject;
  readonly uri: string;
  readonly anchors: Map<string, JsonObject>;
}

export function absolute(uri: string, base: string): string {
  return URL.canParse(uri, base) ? new URL(uri, base).href : uri;
}

export function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

export function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** The schema at `pointer`, a JSON pointer or an anchor, in `resource`; undefined: there is none. */
export function schemaAt({ root, anchors }: Resource, pointer: string): Json | undefined {
  if (pointer !== '' && !pointer.startsWith('/')) return anchors.get(pointer);
  let found: Json | undefined = root;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (isArray(found)) found = found[Number(name)];
    else found = isObject(found) ? own(found, name) : undefined;
  }
  return found;
}

export const isSchema = (value: Json | undefined): value is JsonObject | boolean =>
  typeof value === 'boolean' || isObject(value);

export const pointerPath = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .reduce((path, step) => joinPath(path, step.replaceAll('~1', '/').replaceAll('~0', '~')), '');
