import { fc } from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { exploreAutomaton, type AutomatonState } from '../../../src/grammar/language/automaton.ts';
import { withLengths } from '../../../src/grammar/language/bounded-length.ts';
import { hasChar } from '../../../src/grammar/char-set.ts';
import type { Language } from '../../../src/grammar/language/language.ts';
import { Languages } from '../../../src/grammar/language/languages.ts';
import { minimised } from '../../../src/grammar/language/minimise.ts';
import { PatternError } from '../../../src/grammar/language/pattern/pattern-node.ts';
import { patternLanguage } from '../../../src/grammar/language/pattern/pattern-language.ts';
import { numberLanguage, plainDecimal } from '../../../src/grammar/language/number-language.ts';

function automatonOf(languages: Languages, language: Language): readonly AutomatonState[] {
  const { states, whole } = exploreAutomaton(languages, language, 3_000);
  if (!whole) throw new Error('The automaton is too large.');
  return minimised(states);
}

function accepts(states: readonly AutomatonState[], text: string): boolean {
  let at: number | undefined = states.length > 0 ? 0 : undefined;
  for (const char of Array.from(text, (one) => one.codePointAt(0) ?? 0)) {
    const edges: AutomatonState['edges'] = at === undefined ? [] : (states[at]?.edges ?? []);
    at = edges.find((edge) => hasChar(edge.chars, char))?.target;
  }
  return at !== undefined && states[at]?.accepts === true;
}

const atom = fc.constantFrom(
  'a',
  'b',
  '.',
  '\\d',
  '\\s',
  '[ab]',
  '[^a]',
  '\\w',
  '[a-c1]',
  '\\n',
  'é',
  '😀',
  '\\u0062',
);
const pattern: fc.Arbitrary<string> = fc
  .letrec<{ choice: string; sequence: string; piece: string }>((tie) => ({
    choice: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((options) => options.join('|')),
    sequence: fc.array(tie('piece'), { maxLength: 4 }).map((parts) => parts.join('')),
    piece: fc.oneof(
      { depthSize: 'small' },
      {
        weight: 5,
        arbitrary: fc
          .tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '{2,}', '*?'))
          .map((pair) => pair.join('')),
      },
      { weight: 1, arbitrary: fc.constantFrom('^', '$') },
      {
        weight: 2,
        arbitrary: fc
          .tuple(
            fc.constantFrom('(', '(?:', '(?<n>'),
            tie('choice'),
            fc.constantFrom(')', ')*', ')?', '){2}'),
          )
          .map((parts) => parts.join('')),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('(?=', '(?!'), tie('choice'))
          .map((parts) => `${parts.join('')})`),
      },
    ),
  }))
  .choice.filter((text) => text.split('(?<n>').length <= 2);
const text = fc
  .array(fc.constantFrom('a', 'b', 'c', '1', ' ', '\n', 'é', '😀', 'A'), { maxLength: 6 })
  .map((chars) => chars.join(''));

/** Whether `sticky` matches anywhere. V8's own search looks within surrogate pairs, too. */
function isFound(sticky: RegExp, searched: string): boolean {
  let index = 0;
  const starts = [0, ...Array.from(searched, (character) => (index += character.length))];
  return starts.some((start) => {
    sticky.lastIndex = start;
    return sticky.test(searched);
  });
}

describe('patterns', () => {
  it('match what the regular expressions of the language match', () => {
    let supported = 0;
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 10, maxLength: 10 }), (source, texts) => {
        const expected = new RegExp(source, 'uy');
        const languages = new Languages();
        try {
          const automaton = exploreAutomaton(languages, patternLanguage(languages, source), 3_000);
          // Refused, as any pattern that is too large is.
          if (!automaton.whole) return;
          const states = minimised(automaton.states);
          supported += 1;
          for (const one of texts)
            expect(accepts(states, one), `${source} ${JSON.stringify(one)}`).toBe(isFound(expected, one));
        } catch (error) {
          if (!(error instanceof PatternError)) throw error;
        }
      }),
      { numRuns: 1_000 },
    );
    expect(supported).toBeGreaterThan(700);
  });

  it('keep to lengths', () => {
    const length = fc.integer({ min: 0, max: 5 });
    fc.assert(
      fc.property(
        fc.constantFrom('^a*b?$', '^(ab)*$', 'a', '^[^a]*$'),
        length,
        length,
        text,
        (source, min, more, one) => {
          const languages = new Languages();
          const states = automatonOf(languages, patternLanguage(languages, source));
          for (const max of [min + more, Infinity]) {
            const count = Array.from(one).length;
            const within = withLengths(states, min, max, 1_000) ?? [];
            expect(accepts(within, one)).toBe(
              new RegExp(source, 'u').test(one) && count >= min && count <= max,
            );
          }
        },
      ),
    );
  });
});

describe('numbers', () => {
  it('are those within the bounds', () => {
    const bound = fc.oneof(
      fc.constant(Infinity),
      fc.integer({ min: -300, max: 300 }),
      fc.integer({ min: -9999, max: 9999 }).map((n) => n / 100),
    );
    const near = fc.integer({ min: -40, max: 40 });
    fc.assert(
      fc.property(
        bound,
        bound,
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        near,
        (first, second, minExcluded, maxExcluded, integer, offset) => {
          const languages = new Languages();
          const min = first === Infinity ? -Infinity : first;
          const shape = {
            integer,
            fraction: false,
            min,
            minExcluded,
            max: second,
            maxExcluded,
            divisors: [],
            excluded: [7],
          };
          const states = automatonOf(languages, numberLanguage(languages, shape));
          for (const base of [first, second, 0, 7]) {
            const value = Number.isFinite(base) ? Number((base + offset / 8).toFixed(3)) : offset;
            const above = minExcluded ? value > min : value >= min;
            const below = maxExcluded ? value < second : value <= second;
            const expected = above && below && value !== 7 && (!integer || Number.isInteger(value));
            expect(accepts(states, String(value === 0 ? 0 : value)), String(value)).toBe(expected);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('are written in plain digits', () => {
    expect([0, 5, 1.25, 1e-7, 1.5e-9, 1e21, 123456789012345680000, 0.1].map(plainDecimal)).toEqual([
      '0',
      '5',
      '1.25',
      '0.0000001',
      '0.0000000015',
      '1000000000000000000000',
      '123456789012345680000',
      '0.1',
    ]);
  });
});
