import type { Token } from 'marked';
import { marked } from '../../ui/prose/marked.ts';

/** In characters. A shorter sentence is spoken together with the next one: single words sound clipped. */
const leastCharacters = 20;
/** In characters. A sentence that is longer is cut between two words. */
const mostCharacters = 400;

/**
 * The texts of an answer that are spoken, a sentence or a few short ones each; code, tables and formulas of their own
 * are left out. `growing`: more is being written; the texts that came back for less of the answer then stay the same.
 */
export function toSentences(markdown: string, growing: boolean): string[] {
  const tokens = marked.lexer(markdown).filter(({ type }) => type !== 'space');
  const pieces = textsOf(tokens).flatMap(toPieces);
  const last = tokens.at(-1);
  // The end of a text may become another sentence, or the titles of a table.
  if (growing && last !== undefined && textsOf([last]).length > 0) pieces.pop();
  const sentences: string[] = [];
  let begun = '';
  for (const piece of pieces) {
    begun = begun === '' ? piece : `${begun} ${piece}`;
    if (begun.length < leastCharacters) continue;
    sentences.push(begun);
    begun = '';
  }
  return begun === '' || growing ? sentences : [...sentences, begun];
}

/** The texts of paragraphs, titles and items. */
function textsOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    if (token.type === 'list')
      return (token['items'] as Token[]).flatMap((item) => textsOf(childrenOf(item)));
    if (token.type === 'blockquote') return textsOf(childrenOf(token));
    if (!['heading', 'paragraph', 'text'].includes(token.type)) return [];
    const text = toText(childrenOf(token), token.raw)
      // The mark of an alert.
      .replace(/^\[!\w+\]/, '')
      .replaceAll(/\p{Extended_Pictographic}|\uFE0F/gu, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    return /[\p{L}\p{N}]/u.test(text) ? [text] : [];
  });
}

const childrenOf = (token: Token): readonly Token[] => ('tokens' in token ? (token.tokens ?? []) : []);

/** The spoken text of `tokens`, the parts of a line; `raw` where it has no parts. */
function toText(tokens: readonly Token[], raw: string): string {
  if (tokens.length === 0) return raw;
  return tokens
    .map((token) => {
      if (token.type === 'br') return ' ';
      if (token.type === 'html') return '';
      if (token.type === 'inlineFormula') return String(token['tex']).replaceAll(/[\\{}$^_]/g, ' ');
      const text = toText(childrenOf(token), 'text' in token ? String(token.text) : token.raw);
      // Of an address that stands for itself its host is enough.
      return token.type === 'link' ? text.replace(/^https?:\/\/([^/\s]+)\S*$/, '$1') : text;
    })
    .join('');
}

/** Where a sentence ends: before a blank and no small letter, or at the full stop of a script without blanks. */
const sentenceEnd =
  /(?<=(?<!\b(?:Mr|Mrs|Ms|Dr|Prof|St|No|Nr|\p{Lu}))[.!?…]["'”’)\]]*)\s+(?=[^\s\p{Ll}])|(?<=[。！？])/u;
const longSentence = new RegExp(
  String.raw`\S.{0,${mostCharacters - 1}}(?=\s|$)|\S{1,${mostCharacters}}`,
  'g',
);

/** `text` in sentences. The last one is given a full stop where it has none, as titles and items have. */
function toPieces(text: string): string[] {
  const whole = /[\p{L}\p{N}]$/u.test(text) ? `${text}.` : text;
  return whole.split(sentenceEnd).flatMap((sentence) => sentence.match(longSentence) ?? []);
}
