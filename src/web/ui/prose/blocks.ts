/** It opens code or a formula, unless its line has the end too. */
const fenceMark = /^ {0,3}(?:(`{3,}(?!.*`)|~{3,})|(\$\$)(?!.*\$\$)|\\\[(?!.*\\\]))/;
/** A fold may have blank lines, and ends with its own tag. */
const foldedMark = /^<details>(?!.*<\/details>)/i;
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/;
/** It gives an address a name that any other block may use. A footnote looks like one and is not. */
const linkDefinition = /^ {0,3}\[(?!\^)([^\]\n]+)\]:\s.*$/gm;

/**
 * `markdown` in pieces that mean the same alone: cut at blank lines outside code, formulas and lists; addresses with
 * names are repeated in each piece that uses them. While an answer grows only its last piece changes, so the others need
 * not be read again.
 */
export function toBlocks(markdown: string): string[] {
  const blocks = cutAtBlankLines(markdown);
  const definitions = blocks
    .filter((block) => !fenceMark.test(block))
    .flatMap((block) => [...block.matchAll(linkDefinition)]);
  if (definitions.length === 0) return blocks;
  return blocks.map((block) => {
    const isUsed = ([line, name = '']: RegExpExecArray) =>
      !block.includes(line) && block.toLowerCase().includes(`[${name.toLowerCase()}]`);
    const used = fenceMark.test(block) ? [] : definitions.filter(isUsed).map(([line]) => line);
    return used.length === 0 ? block : [block, '', ...used].join('\n');
  });
}

function cutAtBlankLines(markdown: string): string[] {
  const blocks: string[][] = [];
  let end: RegExp | undefined;
  let isAfterBlank = true;
  for (const line of markdown.split('\n')) {
    const isBlank = line.trim() === '';
    const block = blocks.at(-1);
    const begins = (isAfterBlank && !continues(block, line)) || (isLongList(block) && topItem.test(line));
    if (end === undefined && !isBlank && begins) blocks.push([line]);
    else block?.push(line);
    const closes = end?.test(line) === true;
    end = closes ? undefined : (end ?? endOf(line));
    // Code that stands by itself ends with its fence; in a list it is part of that.
    isAfterBlank = isBlank || (closes && fenceMark.test(blocks.at(-1)?.[0] ?? ''));
  }
  return blocks.map((lines) => lines.join('\n').trimEnd());
}

/** How the last line of that ends which `line` opens, and which may have blank lines; undefined: it opens nothing. */
function endOf(line: string): RegExp | undefined {
  const [mark, code, dollars] = fenceMark.exec(line) ?? [];
  if (code !== undefined) return new RegExp(`^ {0,3}${code[0]}{${code.length},}\\s*$`);
  if (mark !== undefined) return dollars === undefined ? /\\\]\s*$/ : /\$\$\s*$/;
  return foldedMark.test(line) ? /<\/details>/i : undefined;
}

/** An item of the outermost list, which tells its number itself. */
const topItem = /^(?:[-*+]|\d{1,9}[.)])\s/;
/** A list of more lines is cut: while it grows, all of its last piece is read again in every frame. */
const mostListLines = 20;

const isLongList = (block: readonly string[] | undefined): boolean =>
  block !== undefined && block.length >= mostListLines && topItem.test(block[0] ?? '');

/** Whether `line`, after a blank one, still belongs to the list that `block` is, or to its indented code. */
function continues(block: readonly string[] | undefined, line: string): boolean {
  const [first = ''] = block ?? [];
  if (listItem.test(first)) return listItem.test(line) || /^\s{2,}/.test(line);
  return /^(?: {4}|\t)/.test(first) && /^(?: {4}|\t)/.test(line);
}

/** A piece of an answer that is read by itself. */
export interface Piece {
  readonly markdown: string;
  /** The part of the piece before that it is: rows or lines of code stand in its element, items below it. */
  readonly goesOn?: 'rows' | 'items';
}

/** A table or code of more than 20 lines is read in pieces while it grows. */
const mostLines = 20;

/** The blocks of `markdown`, long tables and long code cut: each piece repeats the line or two that say what it is. */
export const toPieces = (markdown: string): Piece[] =>
  toBlocks(markdown).flatMap((block, index, blocks) =>
    listItem.test(block) && listItem.test(blocks[index - 1] ?? '')
      ? [{ markdown: block, goesOn: 'items' }]
      : cut(block),
  );

function cut(block: string): Piece[] {
  const lines = block.split('\n');
  const headLines = countHeadLines(lines);
  if (headLines === 0 || lines.length <= headLines + mostLines) return [{ markdown: block }];
  const head = lines.slice(0, headLines);
  const pieces: Piece[] = [];
  for (let at = headLines; at < lines.length; at += mostLines)
    pieces.push({
      markdown: [...head, ...lines.slice(at, at + mostLines)].join('\n'),
      ...(at > headLines && { goesOn: 'rows' }),
    });
  return pieces;
}

const underTitles = /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

/** How many lines begin every piece: 1 of code, 2 of a table; 0: it cannot be cut. */
function countHeadLines(lines: readonly string[]): number {
  const [first = '', second = ''] = lines;
  if (/^(?:```|~~~)/.test(first)) return 1;
  // The last row may be half written.
  return first.includes('|') &&
    underTitles.test(second) &&
    lines.slice(2, -1).every((row) => row.includes('|'))
    ? 2
    : 0;
}

/** From a fence to the next line that is one, or to the end. */
const fencedCode = /^(`{3,}(?!.*`)|~{3,}).*(?:\n(?!\1[`~]* *$).*)*(?:\n.*)?/gm;

/** `text` with the fenced code in it as parts of their own: every second part is code, and the others may be empty. */
export function cutOutCode(text: string): string[] {
  const parts: string[] = [];
  let at = 0;
  for (const { 0: code, index } of text.matchAll(fencedCode)) {
    parts.push(text.slice(at, index), code);
    at = index + code.length;
  }
  return [...parts, text.slice(at)].map((part) => part.replaceAll(/^\n+|\n+$/g, ''));
}
