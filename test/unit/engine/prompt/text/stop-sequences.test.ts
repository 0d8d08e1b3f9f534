import { fc } from '../../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { StopSequences } from '../../../../../src/engine/prompt/text/stop-sequences.ts';

/** Text that is shown after each of `pieces` and at the end. */
function show(
  sequences: readonly string[],
  pieces: readonly string[],
): { shown: string[]; stopped: boolean } {
  const stop = new StopSequences(sequences);
  const shown: string[] = [];
  for (const piece of pieces) {
    const scan = stop.push(piece);
    shown.push(scan.text);
    if (scan.stopped) return { shown, stopped: true };
  }
  shown.push(stop.flush());
  return { shown, stopped: false };
}

/** The definition: read on until the text ends with a stop sequence, and take that off, the longest if several. */
function cutAtStop(sequences: readonly string[], text: string): { text: string; stopped: boolean } {
  for (let end = 1; end <= text.length; end++) {
    const matches = sequences.filter((sequence) => text.slice(0, end).endsWith(sequence));
    const longest = Math.max(...matches.map((sequence) => sequence.length));
    if (matches.length > 0) return { text: text.slice(0, end - longest), stopped: true };
  }
  return { text, stopped: false };
}

const character = fc.constantFrom('a', 'b', 'c', ' ', '😀', 'é');
const characters = fc.array(character, { maxLength: 30 });
const sequences = fc.array(fc.string({ unit: character, minLength: 1, maxLength: 5 }), { maxLength: 4 });

describe('StopSequences', () => {
  it('gives the same text however it is cut into pieces', () => {
    const cuts = fc.array(fc.boolean(), { minLength: 30, maxLength: 30 });
    fc.assert(
      fc.property(sequences, characters, cuts, (stops, text, cutBefore) => {
        const pieces: string[] = [''];
        for (const [index, part] of text.entries()) {
          if (cutBefore[index] === true) pieces.push(part);
          else pieces[pieces.length - 1] += part;
        }
        const { shown, stopped } = show(stops, pieces);
        expect({ text: shown.join(''), stopped }).toEqual(cutAtStop(stops, text.join('')));
      }),
      { numRuns: 2000 },
    );
  });

  it('never shows a character that turns out to belong to a match', () => {
    fc.assert(
      fc.property(sequences, characters, (stops, text) => {
        const whole = cutAtStop(stops, text.join('')).text;
        let soFar = '';
        for (const piece of show(stops, text).shown) {
          soFar += piece;
          expect(whole.startsWith(soFar)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('shows at once what cannot begin a match', () => {
    expect(show(['END'], ['ab', 'E', 'x', 'EN', 'DE']).shown).toEqual(['ab', '', 'Ex', '', '']);
  });

  it('shows everything at once when there is nothing to look for', () => {
    expect(show([], ['a', 'b']).shown).toEqual(['a', 'b', '']);
  });

  it('takes the match that is complete first', () => {
    expect(show(['abcd', 'bc'], ['abcd']).shown.join('')).toBe('a');
    expect(show(['abcd', 'bc'], ['a', 'b', 'c', 'd']).shown.join('')).toBe('a');
  });

  it('tells which sequence matched', () => {
    const stop = new StopSequences(['abcd', 'bc']);
    expect(stop.matched).toBeUndefined();
    stop.push('ab');
    expect(stop.matched).toBeUndefined();
    stop.push('cd');
    expect(stop.matched).toBe('bc');
  });

  it('never cuts a surrogate pair in two', () => {
    const [high = '', low = ''] = '😀'.split('');
    for (const half of [high, low, `${low}x`]) {
      const { shown, stopped } = show([half], ['a😀', 'x😀']);
      expect(shown.every((text) => text.isWellFormed())).toBe(true);
      expect({ text: shown.join(''), stopped }).toEqual({ text: 'a😀x😀', stopped: false });
    }
  });
});
