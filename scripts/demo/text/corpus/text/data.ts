import { readdirSync, readFileSync } from 'node:fs';

/** The lines under one heading of a data file, with its empty lines; wrapped lines are whole again. */
interface Section {
  readonly kind: string;
  readonly texts: string[];
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

/** Whether there is a section of this name. */
export const hasSection = (name: string): boolean => sections.has(name);

/** Gives the value with a name; throws where none has it. */
export function finder<Value>(what: string, named: Iterable<readonly [string, Value]>) {
  const known = new Map(named);
  return (name: string): Value => {
    const found = known.get(name);
    if (found === undefined) throw new RangeError(`there is no ${what} [${name}]`);
    return found;
  };
}

const sectionOf = finder('section', sections);

/** The function, computed once for each name. */
export function memo<Value>(compute: (name: string) => Value): (name: string) => Value {
  const known = new Map<string, Value>();
  return (name) => {
    const value = known.get(name) ?? compute(name);
    known.set(name, value);
    return value;
  };
}

/** The lines, words or items of the section: inserted texts are in their place, weights still before them. */
export const lines = memo((name): readonly string[] =>
  divide(sectionOf(name))
    .flatMap(expand)
    .map((text) => (text === '_' ? '' : text.replaceAll('{ }', ' '))),
);

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
function expand(text: string): readonly string[] {
  const [, list, about = ''] = /^@([\w-]+) (.*)$/u.exec(text) ?? [];
  if (list !== undefined) return lines(list).flatMap((form) => expand(form.replaceAll('{}', () => about)));
  return [text.replaceAll(/<([a-z][\w -]*)>/gu, (_, section: string) => line(section))];
}

/** The cells of each row: rows end at `;` or at a line's end, cells at `:`. */
export const rows = (name: string): readonly (readonly string[])[] =>
  lines(name).map((row) => row.split(':').map((cell) => cell.trim()));

/** The first two cells of each row. */
export const pairs = (name: string) =>
  rows(name).map(([first = '', second = '']) => [first, second] as const);

/** Words between white space. */
export const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** One block of lines `key: text`. A key may stand several times. */
export class Entry {
  /** All keys and texts as they are written. */
  readonly inOrder: readonly (readonly [key: string, text: string])[];

  constructor(block: readonly string[]) {
    this.inOrder = block.flatMap((written) => {
      const [, key, text = ''] = /^([^:]+):(?: (.*))?$/u.exec(written) ?? [];
      if (key === undefined) throw new RangeError(`no "key: text": ${written}`);
      return expand(text).map((complete) => [key, complete] as const);
    });
  }

  /** All texts under the key: none where it is missing. */
  readonly all = memo((wanted): readonly string[] =>
    this.inOrder.flatMap(([key, text]) => (key === wanted ? [text] : [])),
  );

  find(key: string): string | undefined {
    return this.all(key)[0];
  }

  get(key: string): string {
    const text = this.find(key);
    if (text === undefined) throw new RangeError(`an entry has no "${key}"`);
    return text;
  }
}

/** The blocks of lines `key: text`, which empty lines part. */
export function entries(name: string): readonly Entry[] {
  const blocks: string[][] = [[]];
  for (const text of sectionOf(name).texts) {
    if (text === '') blocks.push([]);
    else blocks.at(-1)?.push(text);
  }
  const filled = blocks.filter((block) => block.length > 0);
  return filled.flatMap(repeatForEach).map((block) => new Entry(block));
}

/** `each day: Monday, Sunday` at the start of a block makes a copy of it for each, with `{day}` filled. */
function repeatForEach(block: readonly string[]): readonly (readonly string[])[] {
  const [first = '', ...rest] = block;
  const [, slot, values = ''] = /^each (\w+): (.*)$/u.exec(first) ?? [];
  if (slot === undefined) return [block];
  return values.split(', ').map((value) => rest.map((text) => text.replaceAll(`{${slot}}`, value)));
}
