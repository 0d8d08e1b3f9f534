import type { ReadDocument } from './read-document.ts';

/** A text under the name of its file, as models read it, between fences that it does not have itself. */
export function namedText(name: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, longestFence(text) + 1));
  return `${name}:\n${fence}\n${text.trimEnd()}\n${fence}`;
}

/** The text before the pictures of the pages of a document. */
export const picturedText = (name: string): string => `${name}, page by page:`;

/** The texts of the pages, sheets or chapters of a document, without their marks. */
export const partsOf = ({ text, parts }: Pick<ReadDocument, 'text' | 'parts'>): readonly string[] =>
  parts.map(({ start, end }) => text.slice(start, end));

/** The request to the model where its answer is to have citations of the text before. */
export const quoteRequest =
  'Where you use this text, quote the words that say so: exactly as they stand there, between quotation marks.';

/** The length of the longest fence in a text, which may consist of nothing else. */
function longestFence(text: string): number {
  let longest = 0;
  for (let at = text.indexOf('```'); at >= 0; at = text.indexOf('```', at)) {
    const start = at;
    while (text[at] === '`') at++;
    longest = Math.max(longest, at - start);
  }
  return longest;
}
