import { fc } from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/errors/errors.ts';
import { PatternTests } from '../../../../src/grammar/schema/pattern-tests.ts';
import { Work } from '../../../../src/grammar/budget/work.ts';
import { randomPattern } from '../../../../scripts/fuzz/schemas/patterns.ts';
import { seededRandom } from '../../../support/grammar/gbnf-sampler.ts';

const holder = { path: 'properties.a' };

function judge(pattern: string, text: string): { readonly matches: boolean; readonly steps: number } {
  const work = new Work();
  const matches = new PatternTests(work).matches(holder, 'pattern', pattern, text);
  return { matches, steps: work.spent };
}

function refusalOf(pattern: string, text: string): AppError {
  try {
    judge(pattern, text);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

/** Whether `sticky` matches anywhere. V8's own search looks within surrogate pairs, too. */
function isFound(sticky: RegExp, searched: string): boolean {
  let index = 0;
  const starts = [0, ...Array.from(searched, (character) => (index += character.length))];
  return starts.some((start) => {
    sticky.lastIndex = start;
    return sticky.test(searched);
  });
}

describe('texts match patterns', () => {
  const texts = fc
    .array(fc.constantFrom('a', 'b', 'aa', 'A', '1', '-', ' ', '\n', 'é', '😀'), { maxLength: 4 })
    .map((chars) => chars.join(''));

  it('as the regular expressions of the language say', () => {
    let judged = 0;
    fc.assert(
      fc.property(fc.nat(), fc.array(texts, { minLength: 5, maxLength: 5 }), (seed, searched) => {
        // V8, which they are compared with, would take for ever over deep ones and long repetitions.
        const pattern = randomPattern(seededRandom(seed), 1).replaceAll(/\{(\d),\d{2,}\}/g, '{$1,4}');
        let expected: RegExp;
        try {
          expected = new RegExp(pattern, 'uy');
        } catch {
          return;
        }
        for (const text of searched) {
          let matches: boolean;
          try {
            ({ matches } = judge(pattern, text));
          } catch (error) {
            if (error instanceof AppError) return;
            throw error;
          }
          judged += 1;
          expect(matches, `${pattern} ${JSON.stringify(text)}`).toBe(isFound(expected, text));
        }
      }),
      { numRuns: 3_000, seed: 4 },
    );
    expect(judged).toBeGreaterThan(1_500);
  });

  it.each([
    ['\\bcat\\b', 'a cat', 'concat'],
    ['\\Bcat', 'concat', 'a cat'],
    ['(?<=\\$)[0-9]+$', 'is $12', 'is 12'],
    ['(?<!un)done', 'done', 'undone'],
    ['^(?=.*[0-9])(?!.*x)', 'a1', 'a1x'],
    ['^[\\w-.]+$', 'a-b.c', 'a b'],
    ['^.{3}$', '😀é\u{10ffff}', '😀é'],
    ['^a{0,100000}b$', `${'a'.repeat(900)}b`, `${'a'.repeat(900)}c`],
    ['^(?:){5000}(?:a|){3000}$', 'aaa', 'ab'],
    ['^(?:^a|b){2,}$', 'ab', 'ba'],
    ['(?<year>[0-9]{4})-\\p{Lu}+', '2026-Ä', '2026-ä'],
  ])('%s: %s and not %s', (pattern, matching, other) => {
    expect(judge(pattern, matching).matches).toBe(true);
    expect(judge(pattern, other).matches).toBe(false);
  });

  it.each([
    ['^(a+)+$', `${'a'.repeat(60)}!`],
    ['^(a|a)*$', `${'a'.repeat(20_000)}!`],
    ['(x+x+)+y', 'x'.repeat(20_000)],
    ['^(.*,){20}p', ','.repeat(500)],
    ['(?=(a*)*b)(?<=(a|aa)+)', 'a'.repeat(10_000)],
    ['^((a{1,9}){1,9}){1,9}$', `${'a'.repeat(600)}!`],
  ])('in few steps: %s', (pattern, text) => {
    const { matches, steps } = judge(pattern, text);
    expect(matches).toBe(false);
    expect(steps).toBeLessThan(1_500_000);
  });

  it('end with a refusal when they are too much', () => {
    const error = refusalOf('((a{9}){99}){99}', 'a'.repeat(20_000));
    expect([error.status, error.code, error.param]).toEqual([
      400,
      'schema_too_complex',
      'properties.a.pattern',
    ]);
  });

  it.each([
    ['(a)\\1', 'aa', 'backreferences'],
    ['(?i:a)', 'A', 'inline flags'],
    ['(a', 'a', 'unmatched'],
    ['a{3,1}', 'a', 'out of order'],
    ['^\\-.$', '-😀', 'validators may differ'],
    ['^.$', '\ud800', 'validators may differ'],
  ])('are refused where the meaning is open: %s', (pattern, text, reason) => {
    const error = refusalOf(pattern, text);
    expect([error.code, error.param]).toEqual(['invalid_json_schema', 'properties.a.pattern']);
    expect(error.message).toContain(reason);
  });
});
