/**
 * A `precompiled_charsmap` as SentencePiece and llama.cpp read it: the beginnings of texts that are known, as a trie in
 * an XOR-compressed double array, and the text in place of each.
 */

/** A node of the trie; key 0 is the end of a beginning. */
interface Node {
  readonly children: Map<number, Node>;
  /** Where the text begins that takes its place. */
  value?: number;
}

/** Parts of a unit: the byte by which it was come to, whether a beginning ends there, and the offset of its children. */
const endsBit = 1 << 8;
const offsetShift = 10;
const valueBit = 2 ** 31;
const blockSize = 256;
/** Offsets from here on take another notation, which no lexicon of this size needs. */
const mostUnits = 2 ** 21;
const lastUnits = 1024;

/** The bytes of the table; the longest of the keys that fits counts. */
export function encodeNormalForms(forms: Readonly<Record<string, string>>): Uint8Array {
  const { root, texts } = buildTrie(forms);
  const units = new UnitArray();
  const toPlace: { node: Node; at: number }[] = [{ node: root, at: 0 }];
  for (let next = toPlace.pop(); next !== undefined; next = toPlace.pop()) {
    const { node, at } = next;
    const base = units.place(at, [...node.children.keys()]);
    for (const [key, child] of node.children) {
      if (key === 0) units.setValue(base, child.value ?? 0);
      else toPlace.push({ node: child, at: base ^ key });
    }
  }
  const array = units.bytes();
  const header = Buffer.alloc(4);
  header.writeUInt32LE(array.length);
  return Buffer.concat([header, array, texts]);
}

function buildTrie(forms: Readonly<Record<string, string>>): { root: Node; texts: Buffer } {
  const root: Node = { children: new Map() };
  const starts = new Map<string, number>();
  const texts: Buffer[] = [];
  let length = 0;
  for (const [key, text] of Object.entries(forms)) {
    let start = starts.get(text);
    if (start === undefined) {
      start = length;
      starts.set(text, start);
      const bytes = Buffer.from(`${text}\0`);
      texts.push(bytes);
      length += bytes.length;
    }
    let node = root;
    for (const byte of Buffer.from(key)) node = childOf(node, byte);
    childOf(node, 0).value = start;
  }
  return { root, texts: Buffer.concat(texts) };
}

function childOf(node: Node, key: number): Node {
  const known = node.children.get(key);
  if (known !== undefined) return known;
  const child: Node = { children: new Map() };
  node.children.set(key, child);
  return child;
}

/** The double array: the children of a node stand at its base, each XOR the byte that leads to it. */
class UnitArray {
  readonly #units: number[] = [];
  readonly #taken = new Set<number>([0]);
  readonly #bases = new Set<number>();
  #firstFree = 1;
  #lastBase = 0;

  /** Finds room for the children of the node at `at`, and returns their base. */
  place(at: number, keys: readonly number[]): number {
    const [first = 0] = keys;
    while (this.#taken.has(this.#firstFree)) this.#firstFree++;
    // Further ahead nearly all is taken.
    let free = Math.max(this.#firstFree, this.#units.length - lastUnits);
    while (!this.#fits(free ^ first, keys)) free++;
    const base = free ^ first;
    this.#bases.add(base);
    this.#lastBase = Math.max(this.#lastBase, base);
    for (const key of keys) {
      this.#taken.add(base ^ key);
      this.#units[base ^ key] = key;
    }
    const offset = at ^ base;
    if (offset >= mostUnits) throw new RangeError('the table of normal forms is too large');
    this.#units[at] = (this.#units[at] ?? 0) | (keys.includes(0) ? endsBit : 0) | (offset << offsetShift);
    return base;
  }

  #fits(base: number, keys: readonly number[]): boolean {
    return !this.#bases.has(base) && keys.every((key) => !this.#taken.has(base ^ key));
  }

  setValue(at: number, value: number): void {
    this.#units[at] = valueBit + value;
  }

  /** Whole blocks, so that every byte leads to a unit from every base. */
  bytes(): Buffer {
    const bytes = Buffer.alloc(4 * Math.ceil((this.#lastBase + 1) / blockSize) * blockSize);
    this.#units.forEach((unit, index) => bytes.writeUInt32LE(unit >>> 0, 4 * index));
    return bytes;
  }
}
