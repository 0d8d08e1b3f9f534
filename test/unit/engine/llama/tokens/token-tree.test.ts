import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GrammarQuestions } from '../../../../../src/engine/llama/sampling/grammar-questions.ts';
import { growTokenTree, type TokenTree } from '../../../../../src/engine/llama/tokens/token-tree.ts';

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
        const found = await tree.find(new GrammarQuestions(allows), 1000);
        expect(found?.toSorted((a, b) => a - b)).toEqual(expected);
      }),
    );
  });

  it('asks about none that begins with a refused one', async () => {
    const vocabulary = ['a', 'ab', 'abc', 'b', 'bc'];
    const asked: string[] = [];
    const tree = await treeOf(vocabulary);
    const questions = new GrammarQuestions((token) => {
      asked.push(vocabulary[token] ?? '');
      return vocabulary[token] === 'a';
    });
    await tree.find(questions, 10);
    expect(asked.toSorted()).toEqual(['a', 'ab', 'b']);
  });

  it('gives up when too many would have to be asked about', async () => {
    const tree = await treeOf(['a', 'b', 'c']);
    const questions = new GrammarQuestions(() => true);
    expect(await tree.find(questions, 3)).toHaveLength(3);
    expect(await tree.find(questions, 2)).toBeUndefined();
  });

  it('lets other work have its turn where questions take long, and ends when all of them take too long', async () => {
    const tree = await treeOf(Array.from({ length: 4000 }, (_, token) => `${token} `));
    const slow = new GrammarQuestions(() => {
      for (const until = performance.now() + 1; performance.now() < until;);
      return true;
    });
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    await expect(tree.find(slow, 4000)).rejects.toMatchObject({ code: 'schema_too_complex' });
    clearInterval(counting);
    expect(turns).toBeGreaterThan(50);
    expect(() => slow.mustAllowAskingAbout(150_000)).toThrow(/alternatives/);
    expect(() => slow.mustAllowAskingAbout(100)).not.toThrow();
  });

  it('of a large vocabulary leaves other work its turns while it is made', async () => {
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    const vocabulary = Array.from({ length: 200_000 }, (_, token) => `${token}`);
    const tree = await treeOf(vocabulary);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(5);
    const questions = new GrammarQuestions((token) => '7919'.startsWith(vocabulary[token] ?? ''));
    expect(await tree.find(questions, 100)).toEqual([7, 79, 791, 7919]);
  });
});
