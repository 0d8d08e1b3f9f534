import { formatPatterns, freeFormats, numberFormats, patternOfFormat } from './language/format-patterns.ts';
import { refusal } from './refusal.ts';
import type { SchemaNode } from './schema-document.ts';

/** Whether `text` matches `pattern` as validators read it: with the flag u where the pattern allows it. */
export function matchesPattern(node: SchemaNode, keyword: string, pattern: string, text: string): boolean {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags).test(text);
    } catch {
      // Not valid with this flag: `\-` outside of a class, for one, is read only without u.
    }
  }
  throw refusal(node.path, keyword, `'${pattern}' is not a regular expression.`);
}

/** The pattern of the string format `format`; undefined when any string or only numbers are meant. */
export function formatPattern(node: SchemaNode, format: string): string | undefined {
  const pattern = patternOfFormat(format);
  if (pattern === undefined && !freeFormats.has(format) && !numberFormats.has(format))
    throw refusal(
      node.path,
      'format',
      `the format '${format}' is not one that can be guaranteed (${[...formatPatterns.keys()].join(', ')}); ` +
        `describe it with 'pattern', or remove it.`,
    );
  return pattern;
}
