import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as formats from 'ajv-formats';

/** Formats that ajv-formats does not have; texts generated for them are also of one that it has. */
const otherFormats: Readonly<Record<string, string>> = {
  iri: 'uri',
  'iri-reference': 'uri-reference',
  'idn-email': 'email',
  'idn-hostname': 'hostname',
};
const wholeFormats = ['int8', 'uint8', 'int16', 'uint16', 'uint32', 'uint64', 'int', 'uint'];

/** A validator for `schema`, by ajv with formats. 2019-09 reads the older drafts' arrays of items as well. */
export function jsonValidator(schema: unknown): (value: unknown) => boolean {
  try {
    return validator(schema, true);
  } catch (error) {
    // An escape such as `\@` is an error with the flag u.
    if (error instanceof SyntaxError) return validator(schema, false);
    throw error;
  }
}

function validator(schema: unknown, unicodeRegExp: boolean): (value: unknown) => boolean {
  const options = {
    strict: false,
    validateSchema: false,
    logger: false,
    unicodeRegExp,
  } as const;
  const ajv = isNewDraft(schema) ? new Ajv2020(options) : new Ajv2019(options);
  formats.default.default(ajv);
  for (const [name, known] of Object.entries(otherFormats)) {
    ajv.addFormat(name, formats.default.default.get(known as 'uri'));
  }
  for (const name of wholeFormats) ajv.addFormat(name, { type: 'number', validate: Number.isInteger });
  ajv.addFormat('textarea', true);
  return ajv.compile(inNewWords(JSON.parse(JSON.stringify(schema))) as object);
}

/** Whether `schema` is written in draft 2020-12. */
export const isNewDraft = (schema: unknown): boolean => /"prefixItems"|2020-12/.test(JSON.stringify(schema));

/** `schema` in the words of 2020-12 where validators do not know older ones that mean the same. */
export function inNewWords(schema: unknown, isData = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => inNewWords(item, isData));
  if (isData || typeof schema !== 'object' || schema === null) return schema;
  const { $schema, id, exclusiveMinimum, exclusiveMaximum, nullable, ...rest } = schema as Record<
    string,
    unknown
  >;
  const parts: Record<string, unknown> = { ...rest };
  // These are names of properties where their values are schemas.
  if (typeof $schema === 'object') parts['$schema'] = $schema;
  if (typeof id === 'object' || typeof id === 'boolean') parts['id'] = id;
  if (typeof nullable === 'object') parts['nullable'] = nullable;
  if (nullable === true && 'type' in schema) parts['type'] = [...[schema.type].flat(), 'null'];
  bound('minimum', 'exclusiveMinimum', exclusiveMinimum);
  bound('maximum', 'exclusiveMaximum', exclusiveMaximum);
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, inNewWords(part, dataKeywords.has(name))]),
  );

  function bound(inclusive: string, exclusive: string, value: unknown): void {
    if (value === true) {
      parts[exclusive] = parts[inclusive];
      delete parts[inclusive];
    } else if (value !== undefined && value !== false) parts[exclusive] = value;
  }
}

const dataKeywords = new Set(['enum', 'const', 'default', 'examples', 'example']);
