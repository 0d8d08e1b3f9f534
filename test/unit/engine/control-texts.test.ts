import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breakControlTexts, compileControlPattern } from '../../../src/engine/prompt/control-texts.ts';

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
function brokenPieces(text: string): readonly string[] {
  const { texts, mark } = breakControlTexts([text], compileControlPattern(controlTexts));
  return mark === undefined ? texts : (texts[0] ?? '').split(mark);
}

const holdsControlText = (piece: string) => controlTexts.some((control) => piece.includes(control));

describe('breakControlTexts', () => {
  it.each(controlTexts)('leaves no whole %s', (control) => {
    const pieces = brokenPieces(`before ${control}${control} after`);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.some(holdsControlText)).toBe(false);
  });

  it('breaks every one of them in any mixture, and changes nothing else', () => {
    const part = fc.oneof(
      fc.constantFrom(...controlTexts),
      fc.constantFrom('<', '|', '>', '[', '😀', '\u{F0000}', 'im_end'),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        const pieces = brokenPieces(text);
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
  ])('has the template make no control text of a part: %s %s %s', (before, text, after) => {
    const { texts, mark } = breakControlTexts([text], compileControlPattern(controlTexts));
    const pieces = `${before}${texts[0] ?? ''}${after}`.split(mark ?? '\0');
    expect(pieces.join('')).toBe(`${before}${text}${after}`);
    expect(pieces.some(holdsControlText)).toBe(false);
  });

  it('takes a mark that is in none of the texts', () => {
    const pattern = compileControlPattern(controlTexts);
    const marks = ['', '\u{F0000}', '\u{F0000}\u{F0001}'].map(
      (taken) => breakControlTexts(['<s>', taken], pattern).mark,
    );
    expect(marks).toEqual(['\u{F0000}', '\u{F0001}', '\u{F0002}']);
  });

  it('leaves texts alone that hold no control text', () => {
    const texts = ['a < b', 'im_end is', ''];
    expect(breakControlTexts(texts, compileControlPattern(controlTexts))).toEqual({ texts, mark: undefined });
  });

  it('has nothing to do for a vocabulary without control texts', () => {
    expect(compileControlPattern([])).toBeUndefined();
    expect(breakControlTexts(['<s>'], undefined)).toEqual({ texts: ['<s>'], mark: undefined });
  });
});
