import { AppError } from '../errors.ts';

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string | number | null;
  /** Numbers read best from their last digit. */
  readonly align?: 'left' | 'right';
}

/** One column for each property of the rows, in their order. */
function columnsOf<Row extends object>([row]: readonly Row[]): Column<Row>[] {
  const names = Object.keys(row ?? {}) as (keyof Row & string)[];
  return names.map((name) => ({ title: name.toUpperCase(), value: (one) => String(one[name] ?? '-') }));
}

/** Prints rows below their titles; `empty` instead when there are none. */
export function printTable<Row extends object>(
  rows: readonly Row[],
  columns: readonly Column<Row>[] = columnsOf(rows),
  empty = 'nothing to show',
): void {
  if (rows.length === 0) {
    process.stdout.write(`${empty}\n`);
    return;
  }
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ value }) => String(value(row) ?? '-'))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  for (const line of cells) {
    const padded = line.map((cell, index) => {
      const width = widths[index] ?? 0;
      return columns[index]?.align === 'right' ? cell.padStart(width) : cell.padEnd(width);
    });
    process.stdout.write(`${padded.join('  ').trimEnd()}\n`);
  }
}

/** Prints one JSON document. */
export function printJson(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

/** A time for people, in UTC to the minute; null stays null. */
export function formatTime(timeMs: number | null): string | null {
  return timeMs === null ? null : `${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')}Z`;
}

/** An error as one line with its hint. */
export function toErrorLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof Error && 'hint' in error ? error.hint : undefined;
  const reason = error instanceof AppError && error.cause instanceof Error ? error.cause.message : '';
  const cause = message.includes(reason) ? '' : `: ${reason}`;
  const line = `${message}${cause}${typeof hint === 'string' ? ` (${hint})` : ''}`;
  return line.replaceAll(/\s*\n\s*/g, ' ');
}

/** Prints an error as one line with its hint, and makes the process exit with 1 when it is done. */
export function fail(error: unknown): void {
  process.stderr.write(`hearth: ${toErrorLine(error)}\n`);
  process.exitCode = 1;
}
