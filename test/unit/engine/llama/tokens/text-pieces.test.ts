import { fc } from '../../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import {
  longestBpeStretch,
  pieceLimits,
  splitForTokenizer,
} from '../../../../../src/engine/llama/tokens/text-pieces.ts';
import { TextAutomaton } from '../../../../../src/engine/prompt/text/text-automaton.ts';

const split = (text: string, shortStretches = true, wholeTexts: readonly string[] = []) => [
  ...splitForTokenizer(
    text,
    pieceLimits(wholeTexts, shortStretches ? longestBpeStretch : undefined),
    new TextAutomaton(wholeTexts),
  ),
];

/** The two characters at each cut. */
const seams = (pieces: readonly string[]) =>
  pieces.slice(1).map((piece, index) => `${(pieces[index] ?? '').slice(-1)}|${piece.slice(0, 1)}`);

describe('splitForTokenizer', () => {
  it('leaves short texts whole', () => {
    expect(split('')).toEqual([]);
    expect(split('a')).toEqual(['a']);
    expect(split('some words, and 3 numbers.')).toEqual(['some words, and 3 numbers.']);
  });

  it('loses nothing and cuts no character', () => {
    const stretch = fc
      .tuple(fc.constantFrom('a', '7', '!', ' ', '\n', 'é', '中', '。', '😀', 'a b ', '—!'), fc.nat(9000))
      .map(([unit, length]) => unit.repeat(length));
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 8 }), fc.boolean(), (stretches, shortStretches) => {
        const text = stretches.join('');
        const pieces = split(text, shortStretches);
        expect(pieces.join('')).toBe(text);
        for (const piece of pieces) {
          expect(piece.isWellFormed()).toBe(true);
          expect(piece.length).toBeGreaterThan(0);
          expect(piece.length).toBeLessThanOrEqual(16_384 + 2_048);
        }
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['words', 'The fox went out on a chilly night. '],
    ['words and line ends', 'first line\nsecond line\n\n  indented\n'],
    ['Chinese', '天气很好，我们出去走走。'],
    ['Cyrillic', 'Жили-были старик со старухой. '],
  ])('cuts %s only after a letter', (_what, unit) => {
    const pieces = split(unit.repeat(5000));
    expect(pieces.length).toBeGreaterThan(2);
    for (const seam of seams(pieces)) expect(seam).toMatch(/^\p{L}\|[\s，。]$/u);
  });

  it('does not cut between a sign and the line end that tokenizers join to it', () => {
    const pieces = split('“It is said”\n“and done”\n'.repeat(5000));
    expect(pieces.length).toBeGreaterThan(2);
    for (const seam of seams(pieces)) expect(seam).toMatch(/^\p{L}\| $/u);
  });

  it.each([
    ['letters', 'a'],
    ['digits', '7'],
    ['marks', '!'],
    ['blanks', ' '],
    ['emoji', '😀'],
    ['marks of two kinds', '!—'],
    ['letters and digits', 'a7'],
  ])('cuts an unbroken run of %s short', (_what, unit) => {
    const pieces = split(unit.repeat(100_000 / unit.length));
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(2_048);
  });

  it('cuts such a run later where the tokenizer can stand it', () => {
    expect(split('a'.repeat(40_000), false).map(({ length }) => length)).toEqual([16_384, 16_384, 7_232]);
  });

  it('cuts within no text that must stay whole', () => {
    const whole = ['<|im_end|>', '<|im_start|>'];
    for (let length = 2_030; length < 2_050; length++) {
      const pieces = split(`${'!'.repeat(length)}<|im_end|>${'!'.repeat(3000)}`, true, whole);
      expect(pieces.filter((piece) => piece.includes('<|im_end|>'))).toHaveLength(1);
    }
  });

  it('gets on through nothing but such texts', () => {
    const text = '<|im_end|>'.repeat(2000);
    const pieces = split(text, true, ['<|im_end|>']);
    expect(pieces.join('')).toBe(text);
    for (const piece of pieces) expect(piece.length % '<|im_end|>'.length).toBe(0);
  });

  it.each([1, 256, 2_400, 70_000])(
    'cuts the shorter the more of %i such texts are in it, before one',
    (count) => {
      const texts = Array.from({ length: count }, (_, index) => `<${index}>`);
      for (const between of ['', 'x', 'some words ', '< '.repeat(300), '!'.repeat(3_000)]) {
        const text = `${between}<0>`.repeat(Math.ceil(100_000 / (between.length + 3)));
        const pieces = split(text, true, texts);
        expect(pieces.join('')).toBe(text);
        expect(pieces.flatMap((piece) => piece.match(/<0>/g) ?? [])).toHaveLength(
          text.split('<0>').length - 1,
        );
        for (const piece of pieces.slice(0, -1)) {
          const specials = piece.split('<0>').length - 1;
          // One alone does not count: the cut is made before the next.
          if (specials > 1)
            expect(specials * piece.length * count).toBeLessThanOrEqual(Math.max(2 ** 23, 512 * count));
        }
        const inside = pieces.slice(1).filter((piece) => !/^(?:<0>| )/.test(piece));
        if (between.length < 100) expect(inside).toEqual([]);
      }
    },
  );
});
