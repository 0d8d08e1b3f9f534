import { expand, sectionOf } from './data.ts';

/** One block of lines `key: text`. A key may stand several times. */
export class Entry {
  readonly #texts = new Map<string, readonly string[]>();
  readonly #inOrder: (readonly [key: string, text: string])[] = [];

  constructor(block: readonly string[]) {
    for (const written of block) {
      const [, key, text = ''] = /^([^:]+):(?: (.*))?$/u.exec(written) ?? [];
      if (key === undefined) throw new RangeError(`no "key: text": ${written}`);
      for (const complete of expand(text)) {
        this.#texts.set(key, [...this.all(key), complete]);
        this.#inOrder.push([key, complete]);
      }
    }
  }

  /** All texts under the key: none where it is missing. */
  all(key: string): readonly string[] {
    return this.#texts.get(key) ?? [];
  }

  find(key: string): string | undefined {
    return this.#texts.get(key)?.[0];
  }

  get(key: string): string {
    const text = this.find(key);
    if (text === undefined) throw new RangeError(`an entry has no "${key}"`);
    return text;
  }

  /** All keys and texts as they are written. */
  inOrder(): readonly (readonly [key: string, text: string])[] {
    return this.#inOrder;
  }

  /** The first text under each key. */
  slots(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#texts].map(([key, [text = '']]) => [key, text]));
  }
}

/** The blocks of lines `key: text`, which empty lines part. */
export function entries(name: string): readonly Entry[] {
  const blocks: string[][] = [[]];
  for (const text of sectionOf(name).texts) {
    if (text === '') blocks.push([]);
    else blocks.at(-1)?.push(text);
  }
  return blocks
    .filter((block) => block.length > 0)
    .flatMap(repeatForEach)
    .map((block) => new Entry(block));
}

/** `each day: Monday, Sunday` at the start of a block makes a copy of it for each, with `{day}` filled. */
function repeatForEach(block: readonly string[]): readonly (readonly string[])[] {
  const [first = '', ...rest] = block;
  const [, slot, values = ''] = /^each (\w+): (.*)$/u.exec(first) ?? [];
  if (slot === undefined) return [block];
  return values.split(', ').map((value) => rest.map((text) => text.replaceAll(`{${slot}}`, value)));
}
