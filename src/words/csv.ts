/**
 * `rows` as lines of CSV, the names of the fields first. A text that a spreadsheet would compute, such as `=1+1`, gets an
 * apostrophe in front.
 */
export function toCsv<Row>(
  rows: readonly Row[],
  fields: Readonly<Record<string, (row: Row) => string | number>>,
): string[] {
  const cell = (value: string | number) => {
    const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = rows.map((row) => Object.values(fields).map((valueOf) => cell(valueOf(row))));
  return [Object.keys(fields), ...lines].map((cells) => cells.join(','));
}
