import { describe, expect, it } from 'vitest';
import { toSentences } from '../../../src/web/voice/reading/sentences.ts';

describe('the sentences that are read of an answer', () => {
  it('are those of paragraphs, titles, lists and quotations, without their marks', () => {
    const markdown =
      '# A title of several words\n\nThe **first** sentence, with a [link](https://example.com/x). Is this the `second` one?\n\n' +
      '- An item of a longer list\n- Another item, also *long*\n\n> [!NOTE]\n> Somebody said this once.';
    expect(toSentences(markdown, false)).toEqual([
      'A title of several words.',
      'The first sentence, with a link.',
      'Is this the second one?',
      'An item of a longer list.',
      'Another item, also long.',
      'Somebody said this once.',
    ]);
  });

  it('are not of code, tables, formulas by themselves, rules, HTML and pictures of letters', () => {
    const markdown =
      'Here is the whole program: 🎉\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n$$x^2$$\n\n---\n\n<div>no</div>\n\nThat was all of it. 👍';
    expect(toSentences(markdown, false)).toEqual(['Here is the whole program:', 'That was all of it.']);
  });

  it('are spoken together where they are short, and cut where they have no end', () => {
    expect(toSentences('Yes. It is. I am quite sure of it.\n\n- Milk\n- Eggs\n- Bread', false)).toEqual([
      'Yes. It is. I am quite sure of it.',
      'Milk. Eggs. Bread.',
    ]);
    const words = 'word '.repeat(300).trim();
    const cut = toSentences(words, false);
    expect(cut.every((piece) => piece.length <= 401)).toBe(true);
    expect(cut.join(' ')).toBe(`${words}.`);
  });

  it('end neither after a title nor in a number or an address, but at the full stop of Chinese', () => {
    expect(toSentences('Yesterday I met Dr. Smith and J. Doe. It took 3.5 hours.', false)).toEqual([
      'Yesterday I met Dr. Smith and J. Doe.',
      'It took 3.5 hours.',
    ]);
    expect(toSentences('See https://example.com/a/b?c=d for all that.', false)).toEqual([
      'See example.com for all that.',
    ]);
    const chinese = '今天天气很好，我们一起去公园散步吧，好不好。明天可能会下雨，所以我们最好今天就去公园。';
    expect(toSentences(chinese, false)).toHaveLength(2);
  });

  it('stay the same while the answer grows, whatever it has', () => {
    const markdown =
      'Let **me think. It is** an answer. Here (see below) it comes:\n| a | b |\n|---|---|\n| 1. X | 2 |\n\n' +
      '1. First do this, e.g. with a 3.5 mm drill. Then that!\n2. Second, do *these two things. Both* of them.\n\n```sh\nls. Ls\n```\nIt is done. "Really?" Yes, really so.';
    let told: string[] = [];
    for (let length = 1; length <= markdown.length; length++) {
      const sentences = toSentences(markdown.slice(0, length), true);
      // Marks that are closed later were read as letters before.
      expect(plain(sentences.slice(0, told.length))).toEqual(plain(told));
      told = sentences;
    }
    const whole = toSentences(markdown, false);
    expect(plain(whole.slice(0, told.length))).toEqual(plain(told));
    expect(whole).toHaveLength(told.length + 1);
  });
});

const plain = (sentences: readonly string[]) => sentences.map((one) => one.replaceAll('*', ''));
