/**
 * The tokens of a vocabulary, each below the longest other one that it begins with. What may not come next rules out
 * all that begins with it: where a grammar leaves little choice, few tokens have to be asked about.
 */
export class TokenTree {
  readonly #roots: number[] = [];
  readonly #children = new Map<number, number[]>();

  constructor(size: number, bytesOf: (token: number) => Uint8Array) {
    const tokens = Array.from({ length: size }, (_, token) => ({
      token,
      // One character for each byte: strings compare and sort faster than arrays.
      text: Buffer.from(bytesOf(token)).toString('latin1'),
    })).filter(({ text }) => text !== '');
    tokens.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
    const path: typeof tokens = [];
    for (const one of tokens) {
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
  }

  /** The tokens that `allows` allows; undefined when it would have to be asked more than `mostChecks` times. */
  find(allows: (token: number) => boolean, mostChecks: number): number[] | undefined {
    const found: number[] = [];
    const open = [...this.#roots];
    let checks = 0;
    for (let token = open.pop(); token !== undefined; token = open.pop()) {
      checks++;
      if (checks > mostChecks) return undefined;
      if (!allows(token)) continue;
      found.push(token);
      for (const child of this.#children.get(token) ?? []) open.push(child);
    }
    return found;
  }
}
