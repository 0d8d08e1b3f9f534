import { readdirSync, readFileSync } from 'node:fs';

/** What stands under one heading of a data file, with its empty lines; wrapped lines are whole again. */
interface Section {
  readonly kind: string;
  readonly texts: readonly string[];
}

const folders = ['../data/', '../../evaluation/cases/'].map((path) => new URL(path, import.meta.url));
const heading = /^\[(\w[^:[\]]*)(?:: (words|list|table|records))?\]$/u;
const sections = readSections();

/** All sections of all files; README.md says how they are written. */
function readSections(): ReadonlyMap<string, Section> {
  const found = new Map<string, Section>();
  for (const file of folders.flatMap(listFiles)) {
    let texts: string[] = [];
    for (const written of readFileSync(file, 'utf8').split('\n')) {
      const [, title, kind = 'lines'] = heading.exec(written) ?? [];
      if (title === undefined) addLine(texts, written);
      else {
        if (found.has(title)) throw new Error(`two sections are called ${title}`);
        texts = [];
        found.set(title, { kind, texts });
      }
    }
  }
  return found;
}

function listFiles(folder: URL): URL[] {
  const names = readdirSync(folder, { recursive: true }).map(String);
  return names.filter((name) => name.endsWith('.txt')).map((name) => new URL(name, folder));
}

/** An indented line goes on with the one before: after a bar at once, else after a space. */
function addLine(texts: string[], written: string): void {
  if (written.startsWith('#')) return;
  const last = texts.at(-1);
  if (!written.startsWith('  ') || last === undefined) texts.push(written.trimEnd());
  else texts[texts.length - 1] = last + (last.endsWith('|') ? '' : ' ') + written.trim();
}

/** The section as it is written: `name` stands between brackets in one of the files. */
export function sectionOf(name: string): Section {
  const section = sections.get(name);
  if (section === undefined) throw new RangeError(`no data file has a section [${name}]`);
  return section;
}

/** Whether there is a section of this name. */
export function hasSection(name: string): boolean {
  return sections.has(name);
}

const read = new Map<string, readonly string[]>();

/** The lines, words or items of the section: inserted texts are in their place, weights still before them. */
export function lines(name: string): readonly string[] {
  const known = read.get(name);
  if (known !== undefined) return known;
  const complete = divide(sectionOf(name))
    .flatMap(expand)
    .map((text) => (text === '_' ? '' : text.replaceAll('{ }', ' ')));
  read.set(name, complete);
  return complete;
}

function divide({ kind, texts }: Section): readonly string[] {
  if (kind === 'words') return words(texts.join(' '));
  const items = kind === 'list' ? texts.join(' ').split(',') : texts;
  const parts = kind === 'table' ? items.flatMap((text) => text.split(';')) : items;
  return parts.map((text) => text.trim()).filter((text) => text !== '');
}

/** The only line of the section. */
export function line(name: string): string {
  const [only, ...others] = lines(name);
  if (only === undefined || others.length > 0) throw new RangeError(`[${name}] is not one line`);
  return only;
}

/** `@list text` stands for all lines of that list around the text, `<name>` for the line of that section. */
export function expand(text: string): readonly string[] {
  const [, list, about = ''] = /^@([\w-]+) (.*)$/u.exec(text) ?? [];
  if (list !== undefined) return lines(list).flatMap((form) => expand(form.replaceAll('{}', () => about)));
  return [text.replaceAll(/<([a-z][\w -]*)>/gu, (_, section: string) => line(section))];
}

/** The cells of each row: rows end at `;` or at a line's end, cells at `:`. */
export function rows(name: string): readonly (readonly string[])[] {
  return lines(name).map((row) => row.split(':').map((cell) => cell.trim()));
}

/** The first two cells of each row. */
export function pairs(name: string): readonly (readonly [string, string])[] {
  return rows(name).map(([first = '', second = '']) => [first, second] as const);
}

/** Words between white space. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
