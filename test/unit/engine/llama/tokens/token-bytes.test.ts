import { describe, expect, it } from 'vitest';
import { gpt2BytesOf } from '../../../../../src/engine/llama/tokens/token-bytes.ts';

describe('gpt2BytesOf', () => {
  it.each([
    ['a printable character', 'a', [0x61]],
    ['the space', 'Ġ', [0x20]],
    ['the newline', 'Ċ', [0x0a]],
    ['the zero byte', 'Ā', [0]],
    ['the soft hyphen, which is not printable', 'Ń', [0xad]],
    ['the last byte', 'ÿ', [0xff]],
    ['a letter of two bytes', 'Ã©', [0xc3, 0xa9]],
    ['a character outside the alphabet', '▁😀', [0xe2, 0x96, 0x81, 0xf0, 0x9f, 0x98, 0x80]],
    ['nothing', '', []],
  ])('gives %s', (_what, text, bytes) => {
    expect([...gpt2BytesOf(text)]).toEqual(bytes);
  });

  it('has exactly one character for each byte', () => {
    const bytes = new Set<number>();
    for (let code = 0; code < 0x144; code++) {
      const [only, another] = gpt2BytesOf(String.fromCodePoint(code));
      if (only !== undefined && another === undefined && code >= 0x21) bytes.add(only);
    }
    expect(bytes.size).toBe(256);
  });
});
