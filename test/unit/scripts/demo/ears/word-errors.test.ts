import { describe, expect, it } from 'vitest';
import { countWordErrors } from '../../../../../scripts/demo/ears/word-errors.ts';

describe('countWordErrors', () => {
  it.each([
    ['The lamp is on.', 'the LAMP is on', 0],
    ['The lamp is on.', 'The lamp on', 1],
    ['The lamp is on.', 'The red lamp is off.', 2],
    ['The lamp is on.', '', 4],
    ["At six o'clock.", "At six o'clock?", 0],
    ['', 'Thank you.', 2],
    ['one two three four', 'two three four five', 2],
  ])('compares %j with %j', (said, heard, errors) => {
    expect(countWordErrors(said, heard).errors).toBe(errors);
  });

  it('tells how many words were said', () => {
    expect(countWordErrors('Is it one, or two?', 'no').said).toBe(5);
  });
});
