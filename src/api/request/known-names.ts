import type { z } from 'zod';
import { resolveReference, toFullJsonSchema } from '../openapi/json-schema.ts';
import type { JsonObject } from '../env.ts';

/** The shapes of a JSON value, as far as it has names: one of these. Texts, numbers and booleans have none. */
export type KnownNames = readonly KnownShape[];

type KnownShape = KnownList | KnownObject;

interface KnownList {
  readonly kind: 'list';
  readonly items: KnownNames;
  /** More are refused, whatever they are. */
  readonly maxItems: number;
}

export interface KnownObject {
  readonly kind: 'object';
  readonly fields: ReadonlyMap<string, KnownNames>;
  /** The only texts that some fields may have, by which objects are told apart. */
  readonly marks: readonly (readonly [name: string, texts: ReadonlySet<unknown>])[];
  readonly required: readonly string[];
  /** Whether it may have any other names, too. */
  readonly isOpen: boolean;
}

/** The names that a value may have which `schema` accepts, at every depth: those of its description in OpenAPI. */
export function knownNamesOf(schema: z.ZodType): KnownNames {
  return toNames(toFullJsonSchema(schema));
}

function toNames(given: unknown): KnownNames {
  const schema = resolveReference((given ?? {}) as JsonObject);
  const choices = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choices)) return choices.flatMap(toNames);
  const { type, items, maxItems = Infinity, properties = {}, required = [] } = schema;
  const types = Array.isArray(type) ? (type as unknown[]) : [type];
  const mayBe = (name: string) => type === undefined || types.includes(name);
  const shapes: KnownShape[] = [];
  if (mayBe('array')) {
    const itemNames = items === undefined ? [] : toNames(items);
    shapes.push({ kind: 'list', items: itemNames, maxItems: maxItems as number });
  }
  if (mayBe('object')) {
    const fields = Object.entries(properties as JsonObject);
    const { additionalProperties = !('properties' in schema) } = schema;
    shapes.push({
      kind: 'object',
      fields: new Map(fields.map(([name, field]) => [name, toNames(field)])),
      marks: fields.flatMap(([name, field]) => {
        const texts = textsOf(field);
        return texts === undefined ? [] : [[name, new Set(texts)] as const];
      }),
      required: required as string[],
      isOpen: additionalProperties !== false,
    });
  }
  return shapes;
}

function textsOf(field: unknown): readonly unknown[] | undefined {
  const schema = field as { readonly const?: unknown; readonly enum?: readonly unknown[] };
  return 'const' in schema ? [schema.const] : schema.enum;
}

/**
 * Those of `names` that the object `given` is meant for: they agree with most of the texts by which objects are told
 * apart, such as `type`, and then lack the fewest fields.
 */
export function shapesFor(names: KnownNames, given: JsonObject): readonly KnownObject[] {
  let best: KnownObject[] = [];
  let bestMarks = 0;
  let fewestLacking = Infinity;
  for (const shape of names) {
    if (shape.kind !== 'object') continue;
    const marks = countMarks(shape, given);
    if (marks === undefined || marks < bestMarks) continue;
    const lacking = shape.required.filter((name) => !Object.hasOwn(given, name)).length;
    if (marks === bestMarks && lacking > fewestLacking) continue;
    best = marks > bestMarks || lacking < fewestLacking ? [shape] : [...best, shape];
    bestMarks = marks;
    fewestLacking = lacking;
  }
  return best;
}

/** How many texts of `given` are those of `shape`; undefined: one is another. */
function countMarks({ marks }: KnownObject, given: JsonObject): number | undefined {
  let agreeing = 0;
  for (const [name, texts] of marks) {
    if (!Object.hasOwn(given, name) || given[name] === null) continue;
    if (!texts.has(given[name])) return undefined;
    agreeing += 1;
  }
  return agreeing;
}
