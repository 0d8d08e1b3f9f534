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

export function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** The schema at `pointer`, a JSON pointer or an anchor, in `resource`; undefined: there is none. */
export const schemaAt = ({ root, anchors }: Resource, pointer: string): Json | undefined =>
  pointer === '' || pointer.startsWith('/') ? valueAt(root, stepsOf(pointer)) : anchors.get(pointer);

/** The value to which `steps` lead from `root`; undefined: there is none. */
export const valueAt = (root: Json, steps: readonly (string | number)[]): Json | undefined =>
  steps.reduce<Json | undefined>(
    (value, step) =>
      isArray(value) ? value[Number(step)] : isObject(value) ? own(value, String(step)) : undefined,
    root,
  );

/** The value in `root` to which a reference such as `#/$defs/a` points; undefined: there is none. */
export function valueOfReference(root: Json, reference: string): Json | undefined {
  const pointer = reference.startsWith('#') ? decoded(reference.slice(1)) : undefined;
  return pointer === undefined ? undefined : valueAt(root, stepsOf(pointer));
}

export const isSchema = (value: Json | undefined): value is JsonObject | boolean =>
  typeof value === 'boolean' || isObject(value);

export const pointerPath = (pointer: string): string => stepsOf(pointer).reduce(joinPath, '');

const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
