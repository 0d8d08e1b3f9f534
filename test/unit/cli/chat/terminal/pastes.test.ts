import { describe, expect, it } from 'vitest';
import { Pastes } from '../../../../../src/cli/chat/terminal/keyboard.ts';

const begin = '\u001B[200~';
const end = '\u001B[201~';

describe('pastes', () => {
  it('leave what is typed as it is, escape sequences included', () => {
    const pastes = new Pastes();
    for (const typed of ['hello\r', '\u001B[A', '\u001B', '\u001B[2~', '\u0003'])
      expect(pastes.read(typed)).toBe(typed);
  });

  it('put a short line in as it is, without what the editor would take for keys', () => {
    expect(new Pastes().read(`a${begin}b\u001B[A\tc\r${end}d`)).toBe('ab [A cd');
  });

  it('stand for several lines by a few words, until the line is expanded', () => {
    const pastes = new Pastes();
    const line = pastes.read(`see ${begin}one\r\ntwo\rthree\n${end} and ${begin}$& four\n\nfive${end}`);
    expect(line).toBe('see [paste 1: 3 lines, 13 characters] and [paste 2: 3 lines, 13 characters]');
    expect(pastes.expand(line)).toBe('see one\ntwo\nthree and $& four\n\nfive');
    expect(pastes.expand('[paste 7: 1 line, 2 characters]')).toBe('[paste 7: 1 line, 2 characters]');
  });

  it('stand for a long line too', () => {
    const pastes = new Pastes();
    const line = pastes.read(`${begin}${'x'.repeat(100_000)}${end}`);
    expect(line).toBe('[paste 1: 1 line, 100000 characters]');
    expect(pastes.expand(line)).toHaveLength(100_000);
  });

  it('are the same however the terminal cuts them', () => {
    const input = `a${begin}one\rtwo${end}b\r`;
    for (let cut = 1; cut < input.length; cut++) {
      // A lone escape at the end of the input is the key of that name.
      if (input[cut - 1] === '\u001B') continue;
      const pastes = new Pastes();
      const line = pastes.read(input.slice(0, cut)) + pastes.read(input.slice(cut));
      expect(pastes.expand(line)).toBe('aone\ntwob\r');
    }
  });

  it('end at Ctrl-C where their end never came', () => {
    const pastes = new Pastes();
    expect(pastes.read(`${begin}lost`)).toBe('');
    expect(pastes.read('\u0003')).toBe('\u0003');
    expect(pastes.read('typed')).toBe('typed');
  });
});
