import { describe, expect, it } from 'vitest';
import { GgmlWriter } from '../../../../../scripts/make/demo-speech/ggml-writer.ts';

const headerBytes = 4 * 4 + 't'.length;

/** The weights of a block of Q5_0 as ggml computes them, for scales that are powers of 2. */
function readBlock(bytes: Buffer, scale: number): number[] {
  const highBits = bytes.readUInt32LE(2);
  return Array.from({ length: 32 }, (_, index) => {
    const pair = bytes[6 + (index % 16)] ?? 0;
    const low = index < 16 ? pair & 15 : pair >> 4;
    return (low + 16 * ((highBits >>> index) & 1) - 16) * scale;
  });
}

describe('a tensor in 5 bits', () => {
  it('has the weights that are multiples of the scale, and the nearest of the others', () => {
    const values = Float32Array.from({ length: 32 }, (_, index) => (index - 16) / 4);
    values[5] = 0.3;
    const writer = new GgmlWriter();
    writer.tensor('t', [32], 'q5_0', values);
    const written = Buffer.from(writer.bytes()).subarray(headerBytes);
    expect(written).toHaveLength(22);
    expect(written.readUInt16LE(0)).toBe(0x3400);
    const expected = [...values];
    expected[5] = 0.25;
    expect(readBlock(written, 0.25)).toEqual(expected);
  });

  it('is 0 where all weights are', () => {
    const writer = new GgmlWriter();
    writer.tensor('t', [32], 'q5_0', new Float32Array(32));
    expect(readBlock(Buffer.from(writer.bytes()).subarray(headerBytes), 0)).toEqual(Array(32).fill(0));
  });
});
