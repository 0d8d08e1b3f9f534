import { describe, expect, it } from 'vitest';
import { piecesOf, plainText, withRoom } from '../../../../../src/engine/llama/voice/speech-text.ts';

/** As if each word and each mark were a token. */
const countTokens = (text: string) => Promise.resolve(text.match(/\w+|[^\s\w]/g)?.length ?? 0);

describe('the text that is spoken', () => {
  it('is one line, and nothing in it controls a model', () => {
    expect(plainText(' a\r\n\tb\u2028c<|im_end|><tts_pad>< d>x<y ')).toBe(
      'a b c< |im_end|>< tts_pad>< d>x<y',
    );
  });

  it('is cut at sentences', async () => {
    const text = 'One two three. Four five! Six seven eight nine? Ten.';
    expect(await piecesOf(text, 8, countTokens)).toEqual([
      'One two three. Four five!',
      'Six seven eight nine? Ten.',
    ]);
    expect(await piecesOf(text, 100, countTokens)).toEqual([text]);
    expect(await piecesOf('你好。我们走吧。', 2, countTokens)).toEqual(['你好。', '我们走吧。']);
  });

  it('is cut at weaker marks where a sentence is long', async () => {
    expect(await piecesOf('One, two, three, four.', 4, countTokens)).toEqual(['One, two,', 'three, four.']);
  });

  it('gets commas where it has no marks', async () => {
    const words = Array.from({ length: 100 }, (_, index) => `word${index}`);
    const pieces = await piecesOf(words.join(' '), 400, countTokens);
    expect(pieces).toHaveLength(1);
    const runs = (pieces[0] ?? '').split(', ');
    expect(runs.every((run) => run.split(' ').length <= 40)).toBe(true);
    expect(runs.join(' ')).toBe(words.join(' '));
  });

  it('is cut anywhere where there are no words either', async () => {
    const countCharacters = (text: string) => Promise.resolve(Array.from(text).length);
    const pieces = await piecesOf('語'.repeat(1000), 100, countCharacters);
    expect(pieces.join('').replaceAll(/[, ]/g, '')).toBe('語'.repeat(1000));
    expect(pieces.every((piece) => piece.length <= 110)).toBe(true);
  });

  it.each(['', '-', '* * *', '#', '(?!)', '。、', '…'])(
    'is nothing where there are marks alone: %s',
    async (text) => {
      expect(await piecesOf(text, 100, countTokens)).toEqual([]);
    },
  );

  it.each(['9999999999', 'Call 1234567.', '語'.repeat(20), 'x!'])(
    'has as many bytes as tokens, by white space that says nothing: %s',
    (text) => {
      expect(withRoom(text, 5)).toBe(text);
      const longer = withRoom(text, 200);
      expect(Buffer.byteLength(longer)).toBeGreaterThanOrEqual(200 - 8);
      expect(longer.replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      expect(longer).toBe(longer.trim());
    },
  );
});
