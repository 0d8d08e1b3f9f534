/** The line below the titles of a table, as far as it is written. */
const begunRule = /^[\s>]*[|:-][\s|:-]*$/;
/** A table has had that line already. */
const wholeRule = /^[\s>]*\|?\s*:?-+:?\s*\|[\s|:-]*$/;
const listItem = /^[\s>]*(?:[-*+]|\d+[.)])\s/;
const fence = /^[\s>]*(?:`{3,}(?!.*`)|~{3,})/;

const cellsOf = (row: string): string[] =>
  row
    .replace(/^[\s>]*\|?/, '')
    .trimEnd()
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/);

/** Whether the end of `block` is a line of code. */
export const isInCode = (block: string): boolean =>
  /^(?: {4}|\t)/.test(block) || block.split('\n').filter((line) => fence.test(line)).length % 2 > 0;

/**
 * `block`, whose end is being written, with the table that begins there as a table: its titles would be a text with
 * strokes until the line below them is whole.
 */
export function withBegunTable(block: string): string {
  const lines = block.replace(/\n[\s>]*$/, '').split('\n');
  if (isInCode(block)) return block;
  const last = lines.at(-1) ?? '';
  const hasRule = begunRule.test(last) && lines.at(-2)?.includes('|') === true;
  const before = lines.slice(0, hasRule ? -2 : -1);
  const titles = (hasRule ? lines.at(-2) : last) ?? '';
  const isTable = hasRule ? !listItem.test(titles) : /^[\s>]*\|/.test(titles);
  if (!isTable || before.some((line) => wholeRule.test(line))) return block;
  const cells = cellsOf(titles);
  if (hasRule && cellsOf(last).length === cells.length && cellsOf(last).every((cell) => cell.includes('-')))
    return block;
  // Its first stroke alone is nothing yet.
  if (cells.join('').trim() === '') return before.join('\n');
  const [indent = ''] = /^[\s>]*/.exec(titles) ?? [];
  return [...before, titles, `${indent}|${' - |'.repeat(cells.length)}`].join('\n');
}
