import type { PromptParameters } from './schema.ts';

/** The name under which a dropped header is listed in `x-ignored-parameters`. */
export const attributionHeaderPath = 'system.x-anthropic-billing-header';

/** A longer line is content, whatever it begins with. */
const maxHeaderChars = 1024;

/**
 * The system prompt without the line with which Claude Code begins it, such as
 * `x-anthropic-billing-header: cc_version=2.1.197.d7d; cc_entrypoint=cli;`. Its values differ between sessions, and with
 * some versions between requests. As the first line of every prompt it would make all that follows differ from what the
 * prefix cache holds: 20,000 tokens that are computed anew.
 */
export function dropAttributionHeader(system: PromptParameters['system']): PromptParameters['system'] {
  if (system === undefined) return undefined;
  if (typeof system === 'string') return withoutHeaderLine(system) || undefined;
  const [first, ...others] = system;
  if (first === undefined) return system;
  const text = withoutHeaderLine(first.text);
  if (text === first.text) return system;
  const left = text === '' ? others : [{ ...first, text }, ...others];
  return left.length > 0 ? left : undefined;
}

function withoutHeaderLine(text: string): string {
  const end = text.indexOf('\n');
  const line = end === -1 ? text : text.slice(0, end);
  return isAttributionHeader(line) ? text.slice(line.length).replace(/^\n+/, '') : text;
}

/** The line holds the header's name and pairs `name=value` between semicolons, and nothing else. */
function isAttributionHeader(line: string): boolean {
  if (line.length > maxHeaderChars) return false;
  const [name, ...rest] = line.split(':');
  if (name?.toLowerCase() !== 'x-anthropic-billing-header') return false;
  const fields = rest.join(':').split(';');
  return fields.every((field) => field.trim() === '' || /^[\w-]+=\S*$/.test(field.trim()));
}
