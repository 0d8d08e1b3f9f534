import { expect, it } from 'vitest';
import { encodeNormalForms } from '../../../../../scripts/demo/voice/normal-forms.ts';

/** The text for the longest known beginning of `text`, as llama.cpp finds it; undefined: none is known. */
function longestForm(table: Uint8Array, text: string): string | undefined {
  const view = new DataView(table.buffer, table.byteOffset, table.length);
  const arrayBytes = view.getUint32(0, true);
  const unitAt = (index: number): number => {
    if (4 * index >= arrayBytes) throw new RangeError(`there is no unit ${index}`);
    return view.getUint32(4 + 4 * index, true);
  };
  const baseOf = (unit: number) => unit >>> 10;
  let at = baseOf(unitAt(0));
  let found: number | undefined;
  for (const byte of Buffer.from(text)) {
    at ^= byte;
    const unit = unitAt(at);
    // A value has the highest bit, which no byte has.
    if ((unit & 0x8000_00ff) >>> 0 !== byte) break;
    at ^= baseOf(unit);
    if ((unit & 0x100) !== 0) found = unitAt(at) & 0x7fff_ffff;
  }
  if (found === undefined) return undefined;
  const start = 4 + arrayBytes + found;
  return Buffer.from(table.subarray(start, table.indexOf(0, start))).toString();
}

it('finds the longest beginning that is known', () => {
  const table = encodeNormalForms({
    th: 'θ',
    the: 'ðə',
    theme: 'θiːm',
    é: 'e',
    '20': ' twenty',
    '2': ' two',
  });
  const forms = ['the', 'them', 'theme.', 'thin', 'tin', 'école', '2026', '27', ''];
  expect(forms.map((text) => longestForm(table, text))).toEqual([
    'ðə',
    'ðə',
    'θiːm',
    'θ',
    undefined,
    'e',
    ' twenty',
    ' two',
    undefined,
  ]);
});

it('keeps thousands of words apart', () => {
  const words = Array.from({ length: 5000 }, (_, index) => (index * 7919).toString(26));
  const table = encodeNormalForms(Object.fromEntries(words.map((word) => [word, `<${word}>`])));
  for (const word of words) expect(longestForm(table, `${word} and more`)).toBe(`<${word}>`);
  expect(longestForm(table, 'ÿ')).toBeUndefined();
});

it('leaves out what is replaced by nothing', () => {
  expect(longestForm(encodeNormalForms({ "'": '' }), "'s")).toBe('');
});
