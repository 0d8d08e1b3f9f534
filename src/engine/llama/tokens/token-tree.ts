import { Slices } from '../../../timing/slices.ts';
import type { GrammarQuestions } from '../sampling/grammar-questions.ts';

/** A token and its bytes, each byte as one character: strings compare and sort faster than arrays. */
interface TokenText {
  readonly token: number;
  readonly text: string;
}

/** The tree of all tokens that stand for bytes. It is built in parts with other work between them. */
export async function growTokenTree(
  size: number,
  bytesOf: (token: number) => Uint8Array,
): Promise<TokenTree> {
  const slices = new Slices();
  const byBeginning = new Map<string, TokenText[]>();
  for (let token = 0; token < size; token++) {
    if (slices.isOver) await slices.next();
    const text = Buffer.from(bytesOf(token)).toString('latin1');
    if (text === '') continue;
    const beginning = text.slice(0, 2);
    const group = byBeginning.get(beginning);
    if (group === undefined) byBeginning.set(beginning, [{ token, text }]);
    else group.push({ token, text });
  }
  const tree = new TokenTree();
  for (const beginning of [...byBeginning.keys()].toSorted()) {
    if (slices.isOver) await slices.next();
    const group = byBeginning.get(beginning) ?? [];
    for (const one of group.toSorted((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0)))
      tree.append(one);
  }
  return tree;
}

/**
 * The tokens of a vocabulary; the parent of each is the longest other token that it begins with. A grammar that refuses
 * a token refuses all tokens below it, so where it leaves little choice it has to be asked about few tokens.
 */
export class TokenTree {
  readonly #roots: number[] = [];
  readonly #children = new Map<number, number[]>();
  /** From a root to the last token that was appended. */
  readonly #path: TokenText[] = [];

  /** Adds a token. Tokens must be added in the order of their texts. */
  append(one: TokenText): void {
    const path = this.#path;
    while (path.length > 0 && !one.text.startsWith(path.at(-1)?.text ?? '')) path.pop();
    const parent = path.at(-1);
    if (parent === undefined) this.#roots.push(one.token);
    else {
      const siblings = this.#children.get(parent.token);
      if (siblings === undefined) this.#children.set(parent.token, [one.token]);
      else siblings.push(one.token);
    }
    path.push(one);
  }

  /** The tokens that `questions` allow; undefined when more than `mostChecks` would have to be asked. */
  async find(
    questions: Pick<GrammarQuestions, 'allows' | 'isPauseDue' | 'pause'>,
    mostChecks: number,
  ): Promise<number[] | undefined> {
    const found: number[] = [];
    const open = [...this.#roots];
    let checks = 0;
    for (let token = open.pop(); token !== undefined; token = open.pop()) {
      checks++;
      if (checks > mostChecks) return undefined;
      if (questions.isPauseDue) await questions.pause();
      if (!questions.allows(token)) continue;
      found.push(token);
      for (const child of this.#children.get(token) ?? []) open.push(child);
    }
    return found;
  }
}
