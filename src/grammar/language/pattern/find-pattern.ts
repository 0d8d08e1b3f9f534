import { remembered } from '../../remembered.ts';
import { hasChar } from '../../char-set.ts';
import type { PatternNode } from './pattern-node.ts';
import type { Spending } from '../../budget/work.ts';

/** Whether `pattern` is found anywhere in `chars`, a list of code points. */
export function isFound(pattern: PatternNode, chars: readonly number[], work: Spending): boolean {
  const matching = new Matching(chars, work);
  return matching.reach(pattern, matching.everywhere, false).size > 0;
}

/** Places between the characters of a text. */
type Places = ReadonlySet<number>;

/**
 * Follows patterns from all places at once where a part may begin to all where it may end. The steps grow with the text
 * and the pattern, whatever that is: no place is followed twice for the same part.
 */
class Matching {
  readonly everywhere: Places;
  readonly #chars: readonly number[];
  readonly #work: Spending;
  /** Where the insides of lookaheads and lookbehinds are found. */
  readonly #looks = new Map<PatternNode, Places>();

  constructor(chars: readonly number[], work: Spending) {
    this.everywhere = new Set([...chars.keys(), chars.length]);
    this.#chars = chars;
    this.#work = work;
  }

  /** The places to which `node` leads from `from`: its ends, or with `backward` its beginnings. */
  reach(node: PatternNode, from: Places, backward: boolean): Places {
    this.#work.spend(1 + from.size);
    const where = (holds: (place: number) => boolean): Places => new Set([...from].filter(holds));
    switch (node.kind) {
      case 'chars': {
        const [read, step] = backward ? [-1, -1] : [0, 1];
        const matched = where((place) => hasChar(node.set, this.#chars[place + read] ?? -1));
        return new Set([...matched].map((place) => place + step));
      }
      case 'sequence': {
        const parts = backward ? node.parts.toReversed() : node.parts;
        return parts.reduce((places, part) => this.reach(part, places, backward), from);
      }
      case 'choice':
        return new Set(node.parts.flatMap((part) => [...this.reach(part, from, backward)]));
      case 'repeat':
        return this.#repeat(node, from, backward);
      case 'start':
        return where((place) => place === 0);
      case 'end':
        return where((place) => place === this.#chars.length);
      case 'boundary':
        return where((place) => (this.#isWord(place - 1) !== this.#isWord(place)) !== node.negative);
      case 'look': {
        // From the ends of a lookahead back to its beginnings: one pass finds all places where it holds.
        const found = remembered(this.#looks, node, () =>
          this.reach(node.inner, this.everywhere, !node.behind),
        );
        return where((place) => found.has(place) !== node.negative);
      }
    }
  }

  #repeat({ inner, min, max }: PatternNode & { kind: 'repeat' }, from: Places, backward: boolean): Places {
    let least = from;
    for (let count = 0; count < min; count++) {
      const next = this.reach(inner, least, backward);
      // Where the places stay the same, more repetitions change nothing.
      const isSame = next.size === least.size && [...next].every((place) => least.has(place));
      least = next;
      if (isSame) break;
    }
    const reached = new Set(least);
    let newest = least;
    for (let count = min; count < max && newest.size > 0; count++) {
      const next = this.reach(inner, newest, backward);
      newest = new Set([...next].filter((place) => !reached.has(place)));
      for (const place of newest) reached.add(place);
    }
    return reached;
  }

  #isWord(place: number): boolean {
    const char = this.#chars[place];
    return char !== undefined && char < 128 && /\w/.test(String.fromCharCode(char));
  }
}
