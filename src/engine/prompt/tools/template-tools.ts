import type { JsonObject, JsonValue, ToolDefinition } from '../../types.ts';
import { isJsonArray, isJsonObject, listOf, mapParts } from './schema/call-arguments.ts';

/** A tool in OpenAI's shape, as templates expect it. */
export interface TemplateTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonObject;
  };
}

const noParameters: JsonObject = { type: 'object', properties: {}, required: [] };
const deepestSchema = 32;

/** The richest first. */
export const toolForms = ['whole', 'simple', 'plain'] as const;

/**
 * `tool` for a template, with the fields that templates read without checking for them: a description, items. With
 * `simple`, the schema has only keywords that templates can describe; with `plain`, lists and objects have a
 * description only: some templates' text about their types raises in llama.cpp's engine.
 */
export function toTemplateTool(tool: ToolDefinition, form: (typeof toolForms)[number]): TemplateTool {
  const { name, description = '', parameters = noParameters } = tool;
  const schema = form === 'whole' ? withItems(parameters) : simplify(parameters, 0, form === 'plain');
  return {
    type: 'function',
    function: { name, description, parameters: toTemplateJson(schema) as JsonObject },
  };
}

/** `value` with the numbers that llama.cpp's template engine refuses turned into strings. */
export function toTemplateJson(value: JsonValue): JsonValue {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER ? String(value) : value;
  return mapParts(value, toTemplateJson);
}

/** `value` with empty `items` for arrays that have none: templates would get the method `items` of objects instead. */
function withItems(value: JsonValue): JsonValue {
  const whole = mapParts(value, withItems);
  const lacksItems = isJsonObject(whole) && whole['type'] === 'array' && whole['items'] === undefined;
  return lacksItems ? { ...whole, items: {} } : whole;
}

function simplify(schema: JsonValue | undefined, depth: number, plain: boolean): JsonObject {
  if (!isJsonObject(schema) || depth > deepestSchema) return { type: 'string', description: '' };
  const { description, enum: values, properties, required, items } = schema;
  const type = simpleType(schema);
  if (plain && depth > 0 && (type === 'array' || type === 'object'))
    return { description: typeof description === 'string' ? description : type };
  return {
    type,
    description: typeof description === 'string' ? description : '',
    ...(isJsonArray(values) && { enum: values }),
    ...(type === 'array' && { items: simplify(items, depth + 1, plain) }),
    ...(type === 'object' && {
      properties: isJsonObject(properties)
        ? mapParts(properties, (item) => simplify(item, depth + 1, plain))
        : {},
      required: listOf(required),
    }),
  };
}

const simpleTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object'];

function simpleType(schema: JsonObject): string {
  const { type } = schema;
  const known = (isJsonArray(type) ? type : [type]).find(
    (name) => typeof name === 'string' && simpleTypes.includes(name),
  );
  if (typeof known === 'string') return known;
  if (isJsonObject(schema['properties'])) return 'object';
  if (schema['items'] !== undefined) return 'array';
  const [first] = listOf(schema['anyOf'] ?? schema['oneOf']);
  return isJsonObject(first) ? simpleType(first) : 'string';
}
