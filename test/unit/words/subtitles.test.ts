import { describe, expect, it } from 'vitest';
import { toClock, toSrt, toVtt } from '../../../src/words/subtitles.ts';

const segments = [
  { start: 0, end: 1.5, text: ' One & two <three>' },
  { start: 3599.9996, end: 363_661.001, text: ' a\n\nb' },
];

describe('subtitles', () => {
  it('are numbered cues with commas in SubRip', () => {
    expect(toSrt(segments)).toBe(
      '1\n00:00:00,000 --> 00:00:01,500\nOne & two <three>\n\n2\n01:00:00,000 --> 101:01:01,001\na b\n',
    );
  });

  it('are escaped cues with points in WebVTT', () => {
    expect(toVtt(segments)).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nOne &amp; two &lt;three&gt;\n\n01:00:00.000 --> 101:01:01.001\na b\n',
    );
  });

  it('are empty files where nothing is said', () => {
    expect(toSrt([])).toBe('');
    expect(toVtt([])).toBe('WEBVTT\n');
  });

  it('round to the millisecond', () => {
    expect([0.0004, 59.9995, 4.02].map((seconds) => toClock(seconds))).toEqual([
      '00:00:00.000',
      '00:01:00.000',
      '00:00:04.020',
    ]);
  });
});
