import type { JsonObject, JsonValue, ToolDefinition } from '../../types.ts';
import { isJsonObject } from './schema/call-arguments.ts';

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
 * `tool` for a template, with what templates read without checking whether it is there: a description, items. With
 * `simple`, the schema has only what templates can describe; with `plain`, lists and objects have a description only:
 * what some templates write about their types raises in llama.cpp's engine.
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
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(toTemplateJson);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toTemplateJson(item)]));
}

/** `value` with empty `items` for arrays that have none: templates would get the method `items` of objects instead. */
function withItems(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(withItems);
  if (!isJsonObject(value)) return value;
  const whole = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withItems(item)]));
  return value['type'] === 'array' && value['items'] === undefined ? { ...whole, items: {} } : whole;
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
    ...(Array.isArray(values) && { enum: values as readonly JsonValue[] }),
    ...(type === 'array' && { items: simplify(items, depth + 1, plain) }),
    ...(type === 'object' && {
      properties: isJsonObject(properties)
        ? Object.fromEntries(
            Object.entries(properties).map(([key, item]) => [key, simplify(item, depth + 1, plain)]),
          )
        : {},
      required: Array.isArray(required) ? (required as readonly JsonValue[]) : [],
    }),
  };
}

const simpleTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object'];

function simpleType(schema: JsonObject): string {
  const { type } = schema;
  const named = Array.isArray(type) ? (type as readonly JsonValue[]) : [type];
  const known = named.find((name) => typeof name === 'string' && simpleTypes.includes(name));
  if (typeof known === 'string') return known;
  if (isJsonObject(schema['properties'])) return 'object';
  if (schema['items'] !== undefined) return 'array';
  const alternatives = schema['anyOf'] ?? schema['oneOf'];
  const [first] = Array.isArray(alternatives) ? (alternatives as readonly JsonValue[]) : [];
  return isJsonObject(first) ? simpleType(first) : 'string';
}
