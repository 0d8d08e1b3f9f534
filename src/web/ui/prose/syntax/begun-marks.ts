import { isInCode } from './begun-table.ts';

/** A mark that is not closed yet. */
interface OpenMark {
  readonly sign: string;
  /** Where it begins in the line. */
  readonly index: number;
  /** How many of its signs are to be closed. */
  count: number;
}

/**
 * `block`, whose end is being written, with the marks closed that its last line has opened: they would be read as signs
 * until their other halves are there. Marks with nothing behind them are left out, and so is the address of a link.
 */
export function withClosedMarks(block: string): string {
  if (isInCode(block)) return block;
  const at = block.lastIndexOf('\n') + 1;
  const line = block.slice(at).trimEnd();
  const { text, open } = scan(line);
  if (text === line && open.length === 0) return block;
  let end = text.trimEnd();
  // A mark at the end has nothing behind it, where the rest of the line was left out.
  for (
    let last = open.at(-1);
    last !== undefined && last.index + last.count >= end.length;
    last = open.at(-1)
  ) {
    end = end.slice(0, last.index).trimEnd();
    open.pop();
  }
  const closing = open.toReversed().map(({ sign, count }) => sign.repeat(count));
  return block.slice(0, at) + end + closing.join('');
}

const signs = /\\.|`+|\*+|~+|\[|\]\(/g;

/** The part of `line` that is shown, and the marks that are open at its end. */
function scan(line: string): { text: string; open: OpenMark[] } {
  const open: OpenMark[] = [];
  let label = 0;
  for (const { 0: found, index } of walk(line)) {
    const next = index + found.length;
    if (found === '[') label = index;
    else if (found === '](' && !line.includes(')', next))
      return { text: line.slice(0, label).replace(/!$/, '') + line.slice(label + 1, index), open };
    else if (found.startsWith('`') && endOfCode(line, found, next) < 0) {
      if (next === line.length) return { text: line.slice(0, index), open };
      // Its last signs may be the first of those that close it.
      const text = line.replace(/`+$/, '');
      return { text, open: [...open, { sign: '`', index, count: found.length }] };
    } else if (/^[*~]/.test(found)) {
      const [before = ' ', after = ' '] = [line[index - 1], line[next]];
      if (/\S/.test(before) && close(open, found)) continue;
      if (next === line.length && /[\s(]/.test(before)) return { text: line.slice(0, index), open };
      const isMark = found.startsWith('*') || found.length > 1;
      if (isMark && /[^\w*]/.test(before) && /\S/.test(after))
        open.push({ sign: found.charAt(0), index, count: found.length });
    }
  }
  return { text: line, open };
}

/** The signs in `line`; what is in code or in the address of a link is none. */
function* walk(line: string): Generator<RegExpExecArray> {
  const reader = new RegExp(signs);
  for (let match = reader.exec(line); match !== null; match = reader.exec(line)) {
    yield match;
    const [found] = match;
    if (found === '](') reader.lastIndex = line.indexOf(')', reader.lastIndex);
    if (found.startsWith('`')) reader.lastIndex = endOfCode(line, found, reader.lastIndex);
  }
}

/** The place behind the code in `line` that begins at `from`, after `ticks`; below 0: it goes on. */
function endOfCode(line: string, ticks: string, from: number): number {
  for (let at = line.indexOf(ticks, from); at >= 0; at = line.indexOf(ticks, at)) {
    const start = at;
    while (line[at] === '`') at += 1;
    if (at - start === ticks.length) return at;
  }
  return -1;
}

/** Takes out of `open` the marks that `found` closes; false: it closes none. */
function close(open: OpenMark[], found: string): boolean {
  let rest = found.length;
  for (let last = open.at(-1); last?.sign === found.charAt(0) && rest > 0; last = open.at(-1)) {
    const closed = Math.min(rest, last.count);
    rest -= closed;
    last.count -= closed;
    if (last.count === 0) open.pop();
  }
  return rest < found.length;
}
