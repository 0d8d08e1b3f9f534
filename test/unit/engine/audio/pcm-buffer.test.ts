import { describe, expect, it } from 'vitest';
import { PcmBuffer } from '../../../../src/engine/audio/pcm-buffer.ts';

const bytesOf = (samples: readonly number[]): Uint8Array => new Uint8Array(Float32Array.from(samples).buffer);

describe('the buffer for decoded audio', () => {
  it('joins samples that were cut anywhere', () => {
    const buffer = new PcmBuffer(10);
    const bytes = bytesOf([0.25, -0.5, 1]);
    for (const byte of bytes) expect(buffer.push(Uint8Array.of(byte))).toBe(true);
    expect([...buffer.finish()]).toEqual([0.25, -0.5, 1]);
  });

  it('takes what fits and no more', () => {
    const buffer = new PcmBuffer(3);
    expect(buffer.push(bytesOf([0.5, 0.5]))).toBe(true);
    expect(buffer.push(bytesOf([0.5]))).toBe(true);
    expect(buffer.push(Uint8Array.of(0))).toBe(false);
    expect(buffer.finish()).toHaveLength(3);
  });

  it('leaves nothing in that a model could stumble over', () => {
    const buffer = new PcmBuffer(10);
    buffer.push(bytesOf([Number.NaN, Infinity, -Infinity, 1.5, -7, 0.125]));
    buffer.push(Uint8Array.of(1, 2, 3));
    expect([...buffer.finish()]).toEqual([0, 1, -1, 1, -1, 0.125]);
  });
});
