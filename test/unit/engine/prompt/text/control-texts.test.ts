import { fc } from '../../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import {
  breakControlTexts,
  compileControlPattern,
} from '../../../../../src/engine/prompt/text/control-texts.ts';

const controlTexts = [
  '<s>',
  '</s>',
  '<unk>',
  '<|im_start|>',
  '<|im_end|>',
  '|im_end|>',
  '<｜User｜>',
  '[INST]',
  '[/INST]',
  '<|a.b*c|>',
  '<<',
  '<0x0A>',
];

/** `text` as it comes back, cut at the marks. */
async function brokenPieces(text: string): Promise<readonly string[]> {
  const { texts, mark } = await breakControlTexts([text], compileControlPattern(controlTexts));
  return mark === undefined ? texts : (texts[0] ?? '').split(mark);
}

const holdsControlText = (piece: string) => controlTexts.some((control) => piece.includes(control));

describe('breakControlTexts', () => {
  it.each(controlTexts)('leaves no whole %s', async (control) => {
    const pieces = await brokenPieces(`before ${control}${control} after`);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.some(holdsControlText)).toBe(false);
  });

  it('breaks every one of them in any mixture, and changes nothing else', async () => {
    const part = fc.oneof(
      fc.constantFrom(...controlTexts),
      fc.constantFrom('<', '|', '>', '[', '😀', '\u{F0000}', 'im_end'),
      fc.string({ maxLength: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => {
        const text = parts.join('');
        const pieces = await brokenPieces(text);
        expect(pieces.join('')).toBe(text);
        expect(pieces.some(holdsControlText)).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['<parameter=', '<|im_end|', '>'],
    ['<', '|im_end|', '>'],
    ['<', 's', '>'],
    ['</', 's', '>'],
    ['<', '|im_end|>', ''],
    ['', '<|im_', 'end|>'],
    ['[', 'INST', ']'],
  ])('has the template make no control text of a part: %s %s %s', async (before, text, after) => {
    const { texts, mark } = await breakControlTexts([text], compileControlPattern(controlTexts));
    const pieces = `${before}${texts[0] ?? ''}${after}`.split(mark ?? '\0');
    expect(pieces.join('')).toBe(`${before}${text}${after}`);
    expect(pieces.some(holdsControlText)).toBe(false);
  });

  it('takes a mark that is in none of the texts, though they hold every private-use character', async () => {
    const everyMark = Array.from({ length: 65_534 }, (_, index) =>
      String.fromCodePoint(0xf0000 + index),
    ).join('');
    for (const taken of [everyMark, Array.from(everyMark).toReversed().join(''), everyMark.repeat(10)]) {
      const { texts, mark = '' } = await breakControlTexts(
        ['[INST]', taken],
        compileControlPattern(controlTexts),
      );
      expect(taken).not.toContain(mark);
      expect(new Set(mark).size).toBe(2);
      expect(texts[0]).toBe(`[INST${mark}]`);
    }
  });

  it('leaves texts alone that hold no control text', async () => {
    const texts = ['a < b', 'im_end is', ''];
    const broken = await breakControlTexts(texts, compileControlPattern(controlTexts));
    expect(broken).toEqual({ texts, mark: undefined });
  });

  it('cuts no character in two', async () => {
    const pattern = compileControlPattern(['<😀', '🦊😀']);
    const { texts, mark = '' } = await breakControlTexts(['🦊😀<😀🦊'.repeat(30_000)], pattern);
    const pieces = (texts[0] ?? '').split(mark);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
    expect(pieces.some((piece) => piece.includes('<😀') || piece.includes('🦊😀'))).toBe(false);
    expect(pieces.join('')).toBe('🦊😀<😀🦊'.repeat(30_000));
  });

  it('breaks one that begins in one slice and ends in the next', async () => {
    for (let length = 65_526; length <= 65_540; length++) {
      const pieces = await brokenPieces(`${'x'.repeat(length)}<|im_start|>`);
      expect(pieces.some(holdsControlText)).toBe(false);
    }
  });

  it('has nothing to do for a vocabulary without control texts', async () => {
    expect(compileControlPattern([])).toBeUndefined();
    expect(await breakControlTexts(['<s>'], undefined)).toEqual({ texts: ['<s>'], mark: undefined });
  });
});

/** Control texts of a model, and a client's text of which each character is compared with as many as possible. */
const hostile = [
  ['one very long text', ['a'.repeat(1024) + 'b'], 'a'],
  ['texts of all lengths', Array.from({ length: 1023 }, (_, index) => 'a'.repeat(index + 2)), 'a'],
  [
    'a long beginning in common',
    Array.from({ length: 9999 }, (_, index) => `<|reserved_token_${index}|>`),
    '<|reserved_token_',
  ],
  ['brackets around nothing', ['<'.repeat(500) + '>'.repeat(500)], '<>'],
  ['brackets around a name', ['<'.repeat(500) + 'x' + '>'.repeat(500)], 'x>!'],
  [
    'private-use characters',
    Array.from({ length: 9999 }, (_, index) => '<' + String.fromCodePoint(0xf0000 + index)),
    '\u{f0001}<',
  ],
] as const;

describe('with 4 MB of text', () => {
  it.each(hostile)(
    '%s take no more time than other texts, and leave the loop its turns',
    async (_what, controls, unit) => {
      const texts = ['', '', ''].map(() => unit.repeat(1_400_000 / unit.length));
      const before = process.threadCpuUsage();
      let turns = 0;
      const counting = setInterval(() => turns++, 0);
      const pattern = compileControlPattern(controls);
      const broken = await breakControlTexts(
        [...texts, ...Array.from({ length: 20_000 }, () => unit)],
        pattern,
      );
      clearInterval(counting);
      expect(broken.texts).toHaveLength(20_003);
      expect(turns).toBeGreaterThan(5);
      const { user, system } = process.threadCpuUsage(before);
      // Some 0.3 s; comparing each character with each text, or each part of one, takes minutes.
      expect((user + system) / 1_000_000).toBeLessThan(10);
    },
  );
});
