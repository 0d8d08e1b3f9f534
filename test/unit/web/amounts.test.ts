import { expect, it } from 'vitest';
import {
  toAllowed,
  toAmountText,
  toDuration,
  toNumber,
  toRest,
  toRestTime,
} from '../../../src/web/limits/amounts.ts';

it('writes amounts as tables do, and exactly where these round', () => {
  const told = [600, 20_000, 1_250_000, 20_480, 1_234_567].map((amount) => toAmountText('requests', amount));
  expect(told).toEqual(['600', '20K', '1.25M', '20,480', '1,234,567']);
  const times = [45, 5400, 36_000, 86_400, 3601].map((seconds) => toAmountText('audio_seconds', seconds));
  expect(times).toEqual(['45 s', '90 min', '10 h', '24 h', '3,601 s']);
  expect(toAmountText('units', 0.000001)).toBe('0.000001');
});

it('tells what is allowed and what is left of it exactly where that is short, and never too much', () => {
  expect([60, 2000, 9999, 20_000, 1234.5].map(toAllowed)).toEqual(['60', '2,000', '9,999', '20K', '1,234.5']);
  expect([1999.9, 4.3897, 29_999_900].map(toRest)).toEqual(['1,999', '4.389', '29.9M']);
});

it('reads amounts as people write them', () => {
  const read = ['20K', '20,000', ' 1.25m ', '20.1K', '7', '-5'].map((text) => toNumber('input_tokens', text));
  expect(read).toEqual([20_000, 20_000, 1_250_000, 20_100, 7, -5]);
  const times = ['10 h', '36000', '30min', '2 d'].map((text) => toNumber('audio_seconds', text));
  expect(times).toEqual([36_000, 36_000, 1800, 172_800]);
  const sums = ['1 h 30 min', '1h30m', ' 1 d 0.5 h 2s '].map((text) => toNumber('audio_seconds', text));
  expect(sums).toEqual([5400, 5400, 88_202]);
  for (const text of ['1 h 30', '1 h 2 x', 'h 3 min', '1:30'])
    expect(toNumber('audio_seconds', text)).toBeNaN();
  expect(['1 h 30 min', '1m 5s', '30', '-1', '2w'].map(toDuration)).toEqual(['90m', '65s', '30', '-1', '2w']);
  for (const text of ['', 'many', '10 h', '1.2.3', '-']) expect(toNumber('requests', text)).toBeNaN();
});

it('rounds what is left of a time down, and says a limit exactly', () => {
  expect([5400, 5399, 59, 7200, 7199, 40_000].map(toRestTime)).toEqual([
    '90 min',
    '89 min',
    '59 s',
    '2 h',
    '119 min',
    '11 h',
  ]);
  expect([5400, 7200, 90].map((seconds) => toAmountText('audio_seconds', seconds))).toEqual([
    '90 min',
    '2 h',
    '90 s',
  ]);
});
