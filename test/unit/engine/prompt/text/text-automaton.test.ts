import { fc } from '../../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { TextAutomaton } from '../../../../../src/engine/prompt/text/text-automaton.ts';

const letters = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', '\uffff', '\0'), minLength: 1, maxLength });

describe('TextAutomaton', () => {
  it('tells of every place in a text what ends there and what may have begun', () => {
    fc.assert(
      fc.property(fc.array(letters(5), { maxLength: 8 }), letters(20), (texts, searched) => {
        const automaton = new TextAutomaton(texts);
        const longest = (found: readonly number[]) => Math.max(0, ...found);
        let state = 0;
        for (let end = 1; end <= searched.length; end++) {
          state = automaton.next(state, searched.charCodeAt(end - 1));
          const read = searched.slice(0, end);
          const ended = texts.filter((text) => read.endsWith(text));
          expect(automaton.foundLength(state)).toBe(longest(ended.map(({ length }) => length)));
          const begun = texts.flatMap((text) =>
            Array.from({ length: text.length - 1 }, (_, index) => index + 1).filter((length) =>
              read.endsWith(text.slice(0, length)),
            ),
          );
          expect(automaton.pendingLength(state)).toBe(longest(begun));
        }
        expect(automaton.containedIn(searched)).toEqual(texts.filter((text) => searched.includes(text)));
      }),
      { numRuns: 500 },
    );
  });

  it('knows every code unit, and none without texts', () => {
    const units = Array.from({ length: 65_536 }, (_, code) => String.fromCharCode(code));
    const all = new TextAutomaton(units);
    expect(units.every((unit) => all.foundLength(all.next(0, unit.charCodeAt(0))) === 1)).toBe(true);
    expect(new TextAutomaton([]).next(0, 0x61)).toBe(0);
  });

  it('refuses texts that would take too much memory', () => {
    const texts = Array.from({ length: 200 }, (_, index) => String.fromCharCode(0x4e00 + index).repeat(4096));
    expect(() => new TextAutomaton(texts)).toThrow(RangeError);
  });
});
