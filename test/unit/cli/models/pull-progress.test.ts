import { describe, expect, it } from 'vitest';
import type { PullProgress } from '../../../../src/catalog/download/progress-reporter.ts';
import {
  describeProgress,
  formatSeconds,
  ProgressLine,
  showPull,
} from '../../../../src/cli/models/pull-progress.ts';

const progress = (receivedBytes: number, more: Partial<PullProgress> = {}): PullProgress => ({
  fileName: 'm.gguf',
  receivedBytes,
  totalBytes: 1000_000_000,
  bytesPerSecond: 25_000_000,
  ...more,
});

describe('describeProgress', () => {
  it('says how far, how fast and how long', () => {
    expect(describeProgress(progress(500_000_000), true)).toBe(
      'm.gguf ━━━━━━━━━━━━──────────── 50 % · 500 MB of 1.0 GB · 25 MB/s · 20 s left',
    );
    expect(describeProgress(progress(5_000_000, { totalBytes: undefined }), true)).toBe(
      'm.gguf 5.0 MB · 25 MB/s',
    );
  });
});

describe('formatSeconds', () => {
  it.each([
    [0.2, '1 s'],
    [59, '59 s'],
    [245, '4 min 05 s'],
    [7800, '2 h 10 min'],
  ])('%d: %s', (seconds, expected) => {
    expect(formatSeconds(seconds)).toBe(expected);
  });
});

describe('ProgressLine', () => {
  const show = (isTTY: boolean, steps: readonly PullProgress[]): string => {
    let text = '';
    let nowMs = 0;
    const display = new ProgressLine(
      { isTTY, columns: 60, write: (piece) => (text += piece) },
      () => (nowMs += 60),
    );
    for (const step of steps) showPull(display, step);
    display.close();
    return text;
  };

  it('redraws one line on a terminal, no wider than it', () => {
    const text = show(true, [progress(0), progress(1), progress(500_000_000), progress(1000_000_000)]);
    const lines = text.split('\r\u001b[K').slice(1);
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line.trimEnd().length).toBeLessThan(60);
    expect(text.endsWith('\n')).toBe(true);
  });

  it('writes plain lines elsewhere, one per tenth, and notes as they come', () => {
    const steps = Array.from({ length: 1001 }, (_, index) => progress(index * 1000_000));
    const lines = show(false, [...steps, progress(0, { note: 'again' })])
      .trimEnd()
      .split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(11);
    expect(lines.length).toBeLessThanOrEqual(13);
    expect(lines.at(-1)).toBe('again');
    expect(lines.at(-2)).toContain('100 %');
  });
});
