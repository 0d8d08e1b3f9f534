import { expect, it } from 'vitest';
import { measureInWords } from '../../../src/words/in-words.ts';

it('tells one of a measure as one', () => {
  const told = [1, 2, 0.5].map((amount) => measureInWords(amount, 'requests'));
  expect(told).toEqual(['request', 'requests', 'requests']);
  expect(measureInWords(1, 'audio_seconds')).toBe('audio second');
});
