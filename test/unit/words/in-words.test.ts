import { expect, it } from 'vitest';
import { amountInWords } from '../../../src/words/in-words.ts';

it('tells one of a measure as one', () => {
  const told = [1, 2, 0.5].map((amount) => amountInWords(amount, 'requests'));
  expect(told).toEqual(['1 request', '2 requests', '0.5 requests']);
  expect(amountInWords(1, 'audio_seconds')).toBe('1 audio second');
});
