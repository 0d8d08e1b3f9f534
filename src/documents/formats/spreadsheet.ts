import { DocumentError } from '../document-error.ts';
import { parseMarkup } from './parse-markup.ts';
import { textOfMarkup } from './markup-text.ts';

export interface DocumentPart {
  /** As in `page 3`; undefined: the document has but one part. */
  readonly mark?: string | undefined;
  readonly text: string;
}

const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes ?? new Uint8Array());
/** A column number of three letters: more than any spreadsheet program writes is no column. */
const mostColumns = 16_384;
/** Of a sheet, empty ones as well: a cell at the end of a row has all before it written. */
const mostCells = 5_000_000;

/** The sheets of an Excel file, each row a line with its cells apart by commas, as CSV has them. */
export function readSheets(files: ReadonlyMap<string, Uint8Array>): readonly DocumentPart[] {
  const shared = sharedTexts(decode(files.get('xl/sharedStrings.xml')));
  const names = attributesOf(decode(files.get('xl/workbook.xml')), 'sheet').map(({ name }) => name ?? '');
  const sheets = [...files.keys()]
    .filter((name) => /^xl\/worksheets\/sheet\d+\.xml$/.test(name))
    .toSorted((a, b) => numberIn(a) - numberIn(b));
  return sheets.map((file, index) => ({
    mark: `sheet ${names[index] ?? index + 1}`,
    text: rowsOf(decode(files.get(file)), shared),
  }));
}

const numberIn = (name: string) => Number(/\d+/.exec(name)?.[0] ?? 0);

/** The texts that cells name by their number. */
function sharedTexts(xml: string): readonly string[] {
  // A text may consist of several pieces in different fonts, and of a reading aid that is not shown.
  const marked = textOfMarkup(xml, {
    isXml: true,
    before: { si: '\u0001' },
    behind: {},
    texts: new Set(['t']),
    hidden: new Set(['rph']),
  });
  return marked.split('\u0001').slice(1);
}

function rowsOf(xml: string, shared: readonly string[]): string {
  const rows: string[] = [];
  let cells: string[] = [];
  let count = 0;
  let [column, type, value, isValue] = [0, '', '', false];
  parseMarkup(xml, true, {
    onopentag(name, attributes) {
      if (name === 'row') cells = [];
      if (name === 'c')
        [column, type, value] = [columnOf(attributes['r'], cells.length), attributes['t'] ?? '', ''];
      isValue = name === 'v' || name === 't';
    },
    ontext(text) {
      if (isValue) value += text;
    },
    onclosetag(name) {
      isValue = false;
      if (name === 'c' && column < mostColumns) {
        while (cells.length < column) cells.push('');
        cells[column] = quoted(type === 's' ? (shared[Number(value)] ?? '') : value);
      }
      if (name !== 'row') return;
      count += cells.length;
      if (count > mostCells) throw new DocumentError('has more cells than can be read');
      rows.push(cells.join(','));
    },
  });
  return rows.join('\n');
}

/** `C7` is in column 2. Without a place a cell follows the one before it. */
function columnOf(place: string | undefined, next: number): number {
  const letters = /^[A-Z]{1,3}/.exec(place ?? '')?.[0];
  if (letters === undefined) return next;
  return Array.from(letters).reduce((column, letter) => 26 * column + letter.charCodeAt(0) - 64, 0) - 1;
}

const quoted = (value: string) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

export function attributesOf(xml: string, wanted: string): readonly Readonly<Record<string, string>>[] {
  const found: Record<string, string>[] = [];
  const onopentag = (name: string, attributes: Record<string, string>) => {
    if (name.split(':').at(-1) === wanted) found.push(attributes);
  };
  parseMarkup(xml, true, { onopentag });
  return found;
}
