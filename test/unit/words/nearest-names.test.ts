import { describe, expect, it } from 'vitest';
import { nearestName, nearestNames } from '../../../src/words/nearest-names.ts';

describe('nearestName', () => {
  it.each([
    ['KEEPALIVE', ['preload', 'keepAlive'], 'keepAlive'],
    ['prelaod', ['preload', 'reload'], 'preload'],
    ['reload', ['preload', 'reload'], 'reload'],
    ['prefill', ['preload', 'reload'], undefined],
    ['x', ['n'], undefined],
    ['x', [], undefined],
    ['x'.repeat(4_000_000), ['preload'], undefined],
  ])('%.10s of %j is %s', (word, names, nearest) => {
    expect(nearestName(word, names)).toBe(nearest);
  });
});

describe('nearestNames', () => {
  const names = ['qwen3-0.6b', 'qwen3-1.7b', 'qwen3-4b', 'whisper-base', 'gemma-3-1b-it-Q4_K_M'];

  it('names the nearest first, at most as many as asked for', () => {
    expect(nearestNames('qwen3-0.6', names, 3)[0]).toBe('qwen3-0.6b');
    expect(nearestNames('qwen3', names, 3)).toHaveLength(3);
  });

  it('ignores case and finds one name inside the other', () => {
    expect(nearestNames('WHISPER-BASE', names, 3)).toEqual(['whisper-base']);
    expect(nearestNames('gemma-3-1b-it', names, 3)).toEqual(['gemma-3-1b-it-Q4_K_M']);
  });

  it('names nothing when nothing is near, and never chokes on long input', () => {
    expect(nearestNames('gpt-4', names, 3)).toEqual([]);
    expect(nearestNames('', names, 3)).toEqual([]);
    expect(nearestNames('x'.repeat(4_000_000), names, 3)).toEqual([]);
  });
});
