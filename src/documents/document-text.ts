import type { ReadDocument } from './read-document.ts';

/** The text of the document, with the marks of its pages, sheets or chapters. */
export const bodyOf = ({ parts }: ReadDocument): string =>
  parts.map(({ mark, text }) => (mark === undefined ? text : `[${mark}]\n${text}`)).join('\n\n');

/** A text under the name of its file, as models read it, between fences that it does not have itself. */
export function namedText(name: string, text: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${name}:\n${fence}\n${text.trimEnd()}\n${fence}`;
}
