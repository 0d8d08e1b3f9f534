import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { knownNamesOf } from '../../../../src/api/request/known-names.ts';
import { findIgnoredNames, toIgnoredHeader } from '../../../../src/api/request/parameter-names.ts';

const unknown = z.unknown().optional();
const names = ['n', 'stop', 'stream', 'temperature', 'max_tokens', 'top_p', 'top_k'];
const known = knownNamesOf(z.object(Object.fromEntries(names.map((name) => [name, unknown]))));

describe('an unknown name', () => {
  it.each([
    ['temprature', 'temperature'],
    ['temperatur3s', 'temperature'],
    ['Stream', 'stream'],
    ['maxTokens', 'max_tokens'],
    ['top_q', 'top_p'],
    ['stpo', 'stop'],
  ])('%s is near %s', (name, near) => {
    expect(() => findIgnoredNames({ [name]: 1 }, known)).toThrow(`Did you mean '${near}'?`);
  });

  it.each(['x', 'id', 'user_tag', 'maximumTokens', 'repetition_penalty', ''])(
    '%j is only ignored',
    (name) => {
      expect(findIgnoredNames({ [name]: 1, n: 1 }, known)).toEqual([name]);
    },
  );
});

describe('the header', () => {
  it('is a list of encoded names', () => {
    expect(toIgnoredHeader(['a', 'b c', 'd,e', 'ü'])).toBe('a, b%20c, d%2Ce, %C3%BC');
  });

  it('is cut where it grows long', () => {
    const header = toIgnoredHeader(Array.from({ length: 100 }, (_, i) => `some_long_vendor_name_${i}`));
    // Proxies take headers of 4 KB together at least.
    expect(header.length).toBeLessThan(2100);
    expect(header.endsWith(', ...')).toBe(true);
  });
});
