import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../engine/types.ts';

/** A tool of a server, with texts of the server that are bounded and otherwise as it gave them. */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of its arguments. */
  readonly inputSchema: JsonObject;
}

export const mostToolsPerServer = 128;
const mostNameChars = 128;
const mostDescriptionChars = 2048;
const mostSchemaChars = 32_768;

/** The tools of `given` that `allowed` names, without those whose texts are too long, and the names of these. */
export function boundTools(
  given: readonly Tool[],
  allowed: readonly string[] | undefined,
): { readonly tools: readonly McpTool[]; readonly tooLong: readonly string[] } {
  const tools: McpTool[] = [];
  const tooLong: string[] = [];
  const names = new Set<string>();
  for (const { name, description = '', inputSchema } of given) {
    if (allowed?.includes(name) === false || names.has(name)) continue;
    const isBounded =
      name !== '' && name.length <= mostNameChars && JSON.stringify(inputSchema).length <= mostSchemaChars;
    if (!isBounded || tools.length >= mostToolsPerServer) {
      tooLong.push(name.slice(0, mostNameChars));
      continue;
    }
    names.add(name);
    tools.push({ name, description: toDescription(description), inputSchema: inputSchema as JsonObject });
  }
  return { tools, tooLong };
}

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
