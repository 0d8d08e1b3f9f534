import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growTokenTree, type TokenTree } from '../../../../src/engine/llama/tokens/token-tree.ts';

const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é', ' '), maxLength: 4 }), {
  maxLength: 30,
});
const treeOf = (vocabulary: readonly string[]): Promise<TokenTree> =>
  growTokenTree(vocabulary.length, (token) => Buffer.from(vocabulary[token] ?? ''));

describe('TokenTree', () => {
  it('finds every token that is allowed, where what begins with a refused one is refused too', async () => {
    const inputs = fc.tuple(texts, fc.string({ unit: fc.constantFrom('a', 'b', 'é', ' '), maxLength: 6 }));
    await fc.assert(
      fc.asyncProperty(inputs, async ([vocabulary, wanted]) => {
        const allows = (token: number) => wanted.startsWith(vocabulary[token] ?? '');
        const expected = vocabulary.flatMap((text, token) => (text !== '' && allows(token) ? [token] : []));
        const tree = await treeOf(vocabulary);
        const found = tree.find(allows, 1000);
        expect(found?.toSorted((a, b) => a - b)).toEqual(expected);
      }),
    );
  });

  it('asks about none that begins with a refused one', async () => {
    const vocabulary = ['a', 'ab', 'abc', 'b', 'bc'];
    const asked: string[] = [];
    const tree = await treeOf(vocabulary);
    tree.find((token) => {
      asked.push(vocabulary[token] ?? '');
      return vocabulary[token] === 'a';
    }, 10);
    expect(asked.toSorted()).toEqual(['a', 'ab', 'b']);
  });

  it('gives up when too many would have to be asked about', async () => {
    const tree = await treeOf(['a', 'b', 'c']);
    expect(tree.find(() => true, 3)).toHaveLength(3);
    expect(tree.find(() => true, 2)).toBeUndefined();
  });

  it('of a large vocabulary leaves other work its turns while it is made', async () => {
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    const vocabulary = Array.from({ length: 200_000 }, (_, token) => `${token}`);
    const tree = await treeOf(vocabulary);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(5);
    expect(tree.find((token) => '7919'.startsWith(vocabulary[token] ?? ''), 100)).toEqual([7, 79, 791, 7919]);
  });
});
