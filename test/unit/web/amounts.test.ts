import { expect, it } from 'vitest';
import { toAmountText, toNumber } from '../../../src/web/limits/amounts.ts';

it('writes amounts as tables do, and exactly where these round', () => {
  const told = [600, 20_000, 1_250_000, 20_480, 1_234_567].map((amount) => toAmountText('requests', amount));
  expect(told).toEqual(['600', '20K', '1.25M', '20,480', '1,234,567']);
  const times = [45, 5400, 36_000, 86_400, 3601].map((seconds) => toAmountText('audio_seconds', seconds));
  expect(times).toEqual(['45 s', '90 min', '10 h', '24 h', '3,601 s']);
  expect(toAmountText('units', 0.000001)).toBe('0.000001');
});

it('reads amounts as people write them', () => {
  const read = ['20K', '20,000', ' 1.25m ', '20.1K', '7'].map((text) => toNumber('input_tokens', text));
  expect(read).toEqual([20_000, 20_000, 1_250_000, 20_100, 7]);
  const times = ['10 h', '36000', '30min', '2 d'].map((text) => toNumber('audio_seconds', text));
  expect(times).toEqual([36_000, 36_000, 1800, 172_800]);
  for (const text of ['', 'many', '10 h', '1.2.3', '-5']) expect(toNumber('requests', text)).toBeNaN();
});
