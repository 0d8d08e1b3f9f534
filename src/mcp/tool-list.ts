import type { JsonObject, JsonValue } from '../engine/types.ts';
import { isDeeper } from './tool-result.ts';

/** A tool of a server, with texts of the server that are bounded and otherwise as it gave them. */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export const mostToolsPerServer = 128;
const mostNameChars = 128;
const mostDescriptionChars = 2048;
const mostSchemaChars = 32_768;
const mostSchemaDepth = 128;

/** The tools that `allowed` names, and the names of those that are faulty, too large or too many. */
export function boundTools(
  given: readonly unknown[],
  allowed: readonly string[] | undefined,
): { readonly tools: readonly McpTool[]; readonly leftOut: readonly string[] } {
  const tools = new Map<string, McpTool>();
  const leftOut: string[] = [];
  for (const [index, one] of given.entries()) {
    const name = nameOf(one);
    if (name !== undefined && (allowed?.includes(name) === false || tools.has(name))) continue;
    const tool = name === undefined ? undefined : readTool(one, name);
    if (tool !== undefined && tools.size < mostToolsPerServer) tools.set(tool.name, tool);
    else if (leftOut.length < mostToolsPerServer)
      leftOut.push(toDescription(name?.slice(0, mostNameChars) ?? `the tool ${index + 1}`));
  }
  return { tools: [...tools.values()], leftOut };
}

const nameOf = (tool: unknown) =>
  isObject(tool) && typeof tool['name'] === 'string' ? tool['name'] : undefined;

/** undefined: it is faulty or too large. A null is not there. */
function readTool(tool: unknown, name: string): McpTool | undefined {
  if (!isObject(tool) || name === '' || name.length > mostNameChars) return undefined;
  const { description, inputSchema: schema } = tool;
  if (!isObject(schema) || isDeeper(schema, mostSchemaDepth)) return undefined;
  if (JSON.stringify(schema).length > mostSchemaChars) return undefined;
  const inputSchema = withoutNulls(schema);
  const { type = 'object', properties = {} } = inputSchema;
  const takesObjects = type === 'object' || (Array.isArray(type) && type.includes('object'));
  if (!takesObjects || !isObject(properties)) return undefined;
  return {
    name,
    description: toDescription(typeof description === 'string' ? description : ''),
    inputSchema,
  };
}

/** Keywords whose values are data, of which null is one. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);
/** Keywords whose values are maps of schemas. Programs in PHP write an empty map as an empty list. */
const mapKeywords: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions']);

/** `schema` without keywords that are null, and without empty lists in the place of maps. */
function withoutNulls(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, JsonValue][] => {
    if (dataKeywords.has(keyword)) return [[keyword, value]];
    if (value === null) return [];
    if (!mapKeywords.has(keyword)) return [[keyword, ofSchemas(value)]];
    if (Array.isArray(value) && value.length === 0) return [[keyword, {}]];
    if (!isObject(value)) return [[keyword, value]];
    const map = Object.entries(value).filter(([, one]) => one !== null);
    return [[keyword, Object.fromEntries(map.map(([name, one]) => [name, ofSchemas(one)]))]];
  });
  return Object.fromEntries(entries);
}

const ofSchemas = (value: JsonValue): JsonValue =>
  Array.isArray(value) ? value.map(ofSchemas) : isObject(value) ? withoutNulls(value) : value;

const isObject = <Value>(value: Value): value is Value & JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lines stay; other control characters, such as those that colour a terminal, do not. */
function toDescription(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim();
  return plain.length <= mostDescriptionChars
    ? plain
    : `${plain.slice(0, mostDescriptionChars).toWellFormed()}…`;
}
