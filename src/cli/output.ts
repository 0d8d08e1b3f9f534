import { CliError } from '../errors/operator-errors.ts';
import { describeError } from '../words/describe-error.ts';
import { layOutFields, layOutTable, type Column } from './table.ts';

export type { Column } from './table.ts';

/** Characters in a line of standard output: of the terminal or as COLUMNS says, the fewer; undefined: no limit. */
function lineWidth(): number | undefined {
  const columns = Number(process.env['COLUMNS']);
  const wished = Number.isInteger(columns) && columns > 0 ? columns : Number.POSITIVE_INFINITY;
  const width = Math.min(wished, process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY);
  return Number.isFinite(width) ? width : undefined;
}

/** Prints lines without control characters, with which somebody's text could rewrite the terminal. */
export function printLines(lines: readonly string[]): void {
  process.stdout.write(`${lines.map(harmless).join('\n')}\n`);
}

/** Prints a line of the program itself on standard error, likewise. */
export function tell(line: string): void {
  process.stderr.write(`hearth: ${harmless(line.replaceAll(/\s*\n\s*/g, ' '))}\n`);
}

/** `text` with a mark in place of each control character, and of those that turn the direction of writing. */
export const harmless = (text: string) => text.replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');

/** `text` without control characters, which could move the cursor or make the terminal type something. */
export const withoutControls = (text: string) => text.replaceAll(/[^\P{Cc}\n\t]/gu, '');

/** Prints a text that somebody else wrote: as it is for programs and files, without control characters on a terminal. */
export function printText(text: string): void {
  process.stdout.write(process.stdout.isTTY ? withoutControls(text) : text);
}

/** Prints rows below their titles, no wider than the terminal; `empty` instead when there are none. */
export function printTable<Row extends object>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  empty = 'nothing to show',
): void {
  if (rows.length === 0) {
    printLines([empty]);
    return;
  }
  const { lines, leftOut } = layOutTable(rows, columns, lineWidth());
  printLines(lines);
  if (leftOut.length > 0)
    tell(`no room for ${leftOut.join(', ')}: a wider terminal shows more, --json everything`);
}

/** Prints rows as one JSON document or as a table. */
export function printRows<Row extends object>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  json: boolean | undefined,
  empty?: string,
): void {
  if (json === true) printJson(rows);
  else printTable(rows, columns, empty);
}

/** Prints one row as a JSON document or as a table. */
export function printRow<Row extends object>(
  row: Row,
  columns: readonly Column<Row>[],
  json: boolean | undefined,
): void {
  if (json === true) printJson(row);
  else printTable([row], columns);
}

/** Prints a line for each name and its value. */
export function printFields(
  fields: readonly (readonly [name: string, value: string | number | null])[],
): void {
  printLines(
    layOutFields(
      fields.map(([name, value]) => [name, String(value ?? '-')] as const),
      lineWidth(),
    ),
  );
}

/** JSON in which characters that a terminal would obey, or that turn the direction of writing, are written as escapes. */
export const toJson = (document: unknown, indent?: number) =>
  JSON.stringify(document, null, indent).replaceAll(
    /[\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

export function printJson(document: unknown): void {
  process.stdout.write(`${toJson(document, 2)}\n`);
}

/** A time for people, in UTC to the minute; null stays null. */
export function formatTime(timeMs: number | null): string | null {
  return timeMs === null ? null : `${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')}Z`;
}

/** Runs a command; an error is printed, never thrown. */
export async function orFail(command: () => void | Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    fail(error);
  }
}

/** Runs a command until Ctrl-C aborts its signal; an error is printed, never thrown. */
export async function untilStopped(command: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop);
  try {
    await command(stopping.signal);
  } catch (error) {
    fail(stopping.signal.aborted ? new CliError('stopped') : error);
  } finally {
    process.off('SIGINT', stop);
  }
}

/** Prints an error as one line with its hint, and makes the process exit with 1 when it is done. */
export function fail(error: unknown): void {
  tell(describeError(error));
  process.exitCode = 1;
}
