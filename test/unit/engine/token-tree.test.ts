import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenTree } from '../../../src/engine/llama/token-tree.ts';

const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é', ' '), maxLength: 4 }), {
  maxLength: 30,
});
const treeOf = (vocabulary: readonly string[]) =>
  new TokenTree(vocabulary.length, (token) => Buffer.from(vocabulary[token] ?? ''));

describe('TokenTree', () => {
  it('finds every token that is allowed, where what begins with a refused one is refused too', () => {
    const inputs = fc.tuple(texts, fc.string({ unit: fc.constantFrom('a', 'b', 'é', ' '), maxLength: 6 }));
    fc.assert(
      fc.property(inputs, ([vocabulary, wanted]) => {
        const allows = (token: number) => wanted.startsWith(vocabulary[token] ?? '');
        const expected = vocabulary.flatMap((text, token) => (text !== '' && allows(token) ? [token] : []));
        const found = treeOf(vocabulary).find(allows, 1000);
        expect(found?.toSorted((a, b) => a - b)).toEqual(expected);
      }),
    );
  });

  it('asks about none that begins with a refused one', () => {
    const vocabulary = ['a', 'ab', 'abc', 'b', 'bc'];
    const asked: string[] = [];
    treeOf(vocabulary).find((token) => {
      asked.push(vocabulary[token] ?? '');
      return vocabulary[token] === 'a';
    }, 10);
    expect(asked.toSorted()).toEqual(['a', 'ab', 'b']);
  });

  it('gives up when too many would have to be asked about', () => {
    const tree = treeOf(['a', 'b', 'c']);
    expect(tree.find(() => true, 3)).toHaveLength(3);
    expect(tree.find(() => true, 2)).toBeUndefined();
  });
});
