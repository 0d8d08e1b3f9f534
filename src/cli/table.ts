/** How a column gives way when a table is too wide for the terminal; a column without it never does. */
export type GivingWay =
  /** Its cells are broken into several lines at their spaces. */
  | 'wrap'
  /** It is left out, the highest number first; below 1 its cells are broken into lines before that. */
  | number;

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string | number | null;
  /** Numbers read best from their last digit. */
  readonly align?: 'left' | 'right';
  /** Not set for ids and other values that people copy: they must stay whole. */
  readonly giveWay?: GivingWay;
}

export interface Layout {
  readonly lines: readonly string[];
  /** Titles of the columns that there was no room for. */
  readonly leftOut: readonly string[];
}

const gap = '  ';
/** Text in narrower columns is hard to read. */
const minWrappedWidth = 24;

interface Filled<Row> {
  readonly column: Column<Row>;
  readonly cells: readonly string[];
  readonly width: number;
  /** The width to which the column may be narrowed: that of its longest word where its cells may be broken into lines. */
  readonly leastWidth: number;
}

/**
 * Rows below their titles in lines of at most `width` characters. First, columns that may be left out are left out;
 * when the others are still too wide, each row becomes a block with a line for each column. Only a word that is longer
 * than a line goes beyond `width`.
 */
export function layOutTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width = Number.POSITIVE_INFINITY,
): Layout {
  const all = columns.map((column) => fill(column, rows));
  let shown = all;
  const leftOut: string[] = [];
  while (sumWidths(shown.map((one) => one.leastWidth)) > width) {
    const next = firstToGo(shown);
    if (next === undefined) return { lines: toBlocks(all, rows.length, width), leftOut: [] };
    leftOut.push(next.column.title);
    shown = shown.filter((one) => one !== next);
  }
  return { lines: toLines(narrow(shown, width), rows.length), leftOut: leftOut.reverse() };
}

function fill<Row>(column: Column<Row>, rows: readonly Row[]): Filled<Row> {
  const cells = rows.map((row) => String(column.value(row) ?? '-'));
  const width = Math.max(column.title.length, ...cells.map((cell) => cell.length));
  const { giveWay = 1 } = column;
  const longestWord = Math.max(...cells.flatMap((cell) => cell.split(' ')).map((word) => word.length));
  const wrappedWidth = Math.min(width, Math.max(minWrappedWidth, longestWord));
  return { column, cells, width, leastWidth: giveWay === 'wrap' || giveWay < 1 ? wrappedWidth : width };
}

function sumWidths(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + gap.length, -gap.length);
}

function firstToGo<Row>(columns: readonly Filled<Row>[]): Filled<Row> | undefined {
  const rankOf = ({ column }: Filled<Row>) => (typeof column.giveWay === 'number' ? column.giveWay : 0);
  const [first] = columns.toSorted((a, b) => rankOf(b) - rankOf(a));
  return first === undefined || rankOf(first) === 0 ? undefined : first;
}

/** The columns that wrap, from the widest on, made so narrow that the table has `width`. */
function narrow<Row>(columns: readonly Filled<Row>[], width: number): Filled<Row>[] {
  const result = [...columns];
  const byWidth = columns.toSorted((a, b) => b.width - a.width);
  for (const wide of byWidth) {
    const excess = sumWidths(result.map((one) => one.width)) - width;
    if (excess <= 0) break;
    const narrower = Math.max(wide.width - excess, wide.leastWidth);
    result[result.indexOf(wide)] = { ...wide, width: narrower };
  }
  return result;
}

function toLines<Row>(columns: readonly Filled<Row>[], rowCount: number): string[] {
  const pad = ({ column, width }: Filled<Row>, text: string) =>
    column.align === 'right' ? text.padStart(width) : text.padEnd(width);
  const join = (texts: readonly string[]) => texts.join(gap).trimEnd();
  const lines = [join(columns.map((one) => pad(one, one.column.title)))];
  for (let row = 0; row < rowCount; row++) {
    const wrapped = columns.map(({ cells, width }) => wrapText(cells[row] ?? '', width));
    const height = Math.max(...wrapped.map((parts) => parts.length));
    for (let line = 0; line < height; line++)
      lines.push(join(columns.map((one, index) => pad(one, wrapped[index]?.[line] ?? ''))));
  }
  return lines;
}

/** For each row a line per column, title first, and an empty line between two rows. */
function toBlocks<Row>(columns: readonly Filled<Row>[], rowCount: number, width: number): string[] {
  const rows = Array.from({ length: rowCount }, (_, row) =>
    layOutFields(
      columns.map(({ column, cells }) => [column.title, cells[row] ?? ''] as const),
      width,
    ),
  );
  return rows.flatMap((lines, row) => (row === 0 ? lines : ['', ...lines]));
}

/** Lines of names and values below each other, the values in a column of their own; long ones go on below. */
export function layOutFields(
  fields: readonly (readonly [name: string, value: string])[],
  width = Number.POSITIVE_INFINITY,
): string[] {
  const nameWidth = Math.max(...fields.map(([name]) => name.length));
  const valueWidth = Math.max(1, width - nameWidth - gap.length);
  return fields.flatMap(([name, value]) =>
    wrapText(value, valueWidth).map((part, index) =>
      `${(index === 0 ? name : '').padEnd(nameWidth)}${gap}${part}`.trimEnd(),
    ),
  );
}

/** `text` in lines of at most `width` characters, broken at spaces only: a path or an id can still be copied. */
function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line === '') line = word;
    else if (line.length + 1 + word.length <= width) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}
