import { expect, it } from 'vitest';
import { TextInputReader, toTextArguments } from '../../../../src/api/parameters/tools/custom-tools.ts';
import { fc } from '../../../support/properties.ts';

it('is the same text at once and in pieces', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 7 }), (text, length) => {
      const args = toTextArguments(text).replaceAll(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
      const reader = new TextInputReader();
      const pieces = args.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
      expect(pieces.map((piece) => reader.read(piece)).join('')).toBe(text.toWellFormed());
      expect(new TextInputReader().read(args)).toBe(text.toWellFormed());
    }),
  );
}); // prettier-ignore

it('may be of any length', () => {
  const text = 'é"\\'.repeat(5_000_000);
  expect(new TextInputReader().read(toTextArguments(text)) === text).toBe(true);
});
