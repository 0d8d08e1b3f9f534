import { describe, expect, it } from 'vitest';
import { MessageLines } from '../../../../../src/cli/chat/talk.ts';

/** The messages that these lines make. */
function read(...lines: readonly string[]): string[] {
  const reader = new MessageLines();
  return lines.map((line) => reader.add(line)).filter((message) => message !== undefined);
}

describe('lines', () => {
  it('are a message each', () => {
    expect(read('one', '', 'two')).toEqual(['one', '', 'two']);
  });

  it('go on after a backslash', () => {
    expect(read('one\\', 'two \\', 'three', 'four')).toEqual(['one\ntwo \nthree', 'four']);
  });

  it('belong together between two """', () => {
    expect(read('"""', 'one\\', '', '  two', '"""', 'three')).toEqual(['one\\\n\n  two\n', 'three']);
    expect(read('"""one', 'two"""', '"""three"""')).toEqual(['one\ntwo', 'three']);
  });

  it('are forgotten together', () => {
    const reader = new MessageLines();
    reader.add('"""one');
    expect(reader.isOpen).toBe(true);
    reader.clear();
    expect(reader.isOpen).toBe(false);
    expect(reader.add('two')).toBe('two');
  });
});
