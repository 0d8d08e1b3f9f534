/** The cells of each row: rows end at `;` or at a line's end, cells at `:`. */
export function rows(text: string): string[][] {
  return text
    .split(/[;\n]/)
    .map((row) => row.trim())
    .filter((row) => row !== '')
    .map((row) => row.split(':').map((cell) => cell.trim()));
}

/** Rows of two cells. */
export function pairs(text: string): [string, string][] {
  return rows(text).map(([first = '', second = '']) => [first, second]);
}

/** Words between white space. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
