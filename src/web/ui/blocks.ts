const fenceMark = /^ {0,3}(`{3,}|~{3,}|\$\$)/;
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/;
/** It gives an address a name that any other block may use. */
const linkDefinition = /^ {0,3}\[[^\]\n]+\]:\s/m;

/**
 * `markdown` in pieces that mean the same alone: cut at blank lines outside code, formulas and lists. While an answer
 * grows only its last piece changes, so the others need not be read again.
 */
export function toBlocks(markdown: string): string[] {
  if (linkDefinition.test(markdown)) return [markdown];
  const blocks: string[][] = [];
  let fence: string | undefined;
  let isAfterBlank = true;
  for (const line of markdown.split('\n')) {
    const isBlank = line.trim() === '';
    const block = blocks.at(-1);
    const begins = isAfterBlank ? !continues(block, line) : isLongList(block) && topItem.test(line);
    if (fence === undefined && !isBlank && begins) blocks.push([line]);
    else block?.push(line);
    const mark = fenceMark.exec(line)?.[1];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) === true) fence = undefined;
    isAfterBlank = isBlank;
  }
  return blocks.map((lines) => lines.join('\n').trimEnd());
}

/** An item of the outermost list, which tells its number itself. */
const topItem = /^(?:[-*+]|\d{1,9}[.)])\s/;
/** A list of more lines is cut: while it grows, all of its last piece is read again in every frame. */
const mostListLines = 40;

const isLongList = (block: readonly string[] | undefined): boolean =>
  block !== undefined && block.length >= mostListLines && topItem.test(block[0] ?? '');

/** Whether `line`, after a blank one, still belongs to the list that `block` is, or to its indented code. */
function continues(block: readonly string[] | undefined, line: string): boolean {
  const [first = ''] = block ?? [];
  if (listItem.test(first)) return listItem.test(line) || /^\s{2,}/.test(line);
  return /^(?: {4}|\t)/.test(first) && /^(?: {4}|\t)/.test(line);
}
