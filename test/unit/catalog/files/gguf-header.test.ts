import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc } from '../../../support/properties.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { buildTinyModel } from '../../../../scripts/make/tiny-model/write-tiny-model.ts';
import { readGgufHeader, type GgufHeader } from '../../../../src/catalog/files/gguf-header.ts';
import { MalformedFileError } from '../../../../src/catalog/files/window-reader.ts';
import { ggufFile } from '../../../support/models/model-files.ts';
import { processorMs } from '../../../support/watch/processor-time.ts';

const directory = mkdtempSync(join(tmpdir(), 'hearth-header-'));
afterAll(() => rmSync(directory, { recursive: true }));

function read(bytes: Uint8Array): GgufHeader {
  const path = join(directory, 'file.gguf');
  writeFileSync(path, bytes);
  const fd = openSync(path, 'r');
  try {
    return readGgufHeader(fd, bytes.length);
  } finally {
    closeSync(fd);
  }
}

const u64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const key = (name: string, type: number): Buffer =>
  Buffer.concat([u64(BigInt(name.length)), Buffer.from(name), u32(type)]);
/** A file with `keys` as they are, and `rest` behind them. */
const raw = (keyCount: bigint, keys: readonly Buffer[], rest: Buffer = Buffer.alloc(64)): Buffer =>
  Buffer.concat([Buffer.from('GGUF'), u32(3), u64(0n), u64(keyCount), ...keys, rest]);

describe('readGgufHeader', () => {
  it('tells the facts of a whole model', () => {
    const header = read(buildTinyModel({ weightType: 'f16', contextTokens: 1234 }));
    expect(header).toMatchObject({
      version: 3,
      architecture: 'llama',
      type: 'model',
      quantization: 'F16',
      trainContextTokens: 1234,
      splitCount: 1,
      splitIndex: 0,
    });
    expect(header.chatTemplate).toContain('<|im_start|>');
    expect(header.parameterCount).toBeGreaterThan(50_000);
  });

  it('counts the weights by the dimensions of the tensors', () => {
    expect(read(ggufFile({ tensors: 3 }))).toMatchObject({ tensorCount: 3, parameterCount: 96 });
  });

  it('reads organisation, pooling and split facts', () => {
    const bytes = ggufFile({
      architecture: 'bert',
      metadata: {
        'general.organization': { type: 'string', value: 'Someone' },
        'bert.pooling_type': { type: 'u32', value: 2 },
        'split.count': { type: 'u32', value: 3 },
        'split.no': { type: 'u32', value: 1 },
      },
    });
    expect(read(bytes)).toMatchObject({
      organization: 'Someone',
      poolingType: 2,
      splitCount: 3,
      splitIndex: 1,
    });
  });

  it('says that a file is cut short, wherever the cut is', () => {
    const whole = buildTinyModel({ mergeCount: 20 });
    for (const share of [0.001, 0.01, 0.1, 0.5, 0.9, 0.999]) {
      expect(() => read(whole.subarray(0, Math.floor(whole.length * share)))).toThrow(MalformedFileError);
    }
  });

  const hostile: Record<string, Buffer> = {
    'an empty file': Buffer.alloc(0),
    'a version of the other byte order': Buffer.concat([Buffer.from('GGUF'), Buffer.from([0, 0, 0, 3])]),
    'a version of the future': Buffer.concat([Buffer.from('GGUF'), u32(9), u64(0n), u64(0n)]),
    'endless keys': raw(2n ** 63n, []),
    'a key of 2^60 bytes': raw(1n, [u64(2n ** 60n)]),
    'a text of 2^60 bytes': raw(1n, [key('general.name', 8), u64(2n ** 60n)]),
    'an array of 2^62 numbers': raw(1n, [key('a', 9), u32(4), u64(2n ** 62n)]),
    'an array of 2^40 texts': raw(1n, [key('a', 9), u32(8), u64(2n ** 40n)]),
    'more empty texts than the file has bytes': raw(1n, [key('a', 9), u32(8), u64(1_000_000n)]),
    'arrays within arrays without end': raw(1n, [
      key('a', 9),
      ...Array.from({ length: 64 }, () => Buffer.concat([u32(9), u64(1n)])),
    ]),
    'an unknown type': raw(1n, [key('a', 77)]),
    'an unknown type in an array': raw(1n, [key('a', 9), u32(77), u64(1n)]),
    'no architecture': raw(1n, [key('general.file_type', 4), u32(1)]),
    'endless tensors': Buffer.concat([Buffer.from('GGUF'), u32(3), u64(2n ** 50n), u64(0n)]),
  };
  it.each(Object.entries(hostile))('refuses %s', (_what, bytes) => {
    expect(() => read(bytes)).toThrow(MalformedFileError);
  });

  it('answers or refuses every damaged file, soon', () => {
    const whole = buildTinyModel({ mergeCount: 20, layers: 1 });
    const headerBytes = 12_000;
    const change = fc.record({
      at: fc.oneof(fc.nat(200), fc.nat(headerBytes)),
      bytes: fc.oneof(
        fc.uint8Array({ minLength: 1, maxLength: 16 }),
        fc.constantFrom(Uint8Array.of(255, 255, 255, 255, 255, 255, 255, 127), new Uint8Array(64)),
      ),
    });
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 1, maxLength: 4 }),
        fc.option(fc.nat(whole.length)),
        (changes, cutAt) => {
          const damaged = Buffer.from(whole);
          for (const { at, bytes } of changes) damaged.set(bytes, at);
          const startedAtMs = processorMs();
          try {
            const header = read(cutAt === null ? damaged : damaged.subarray(0, cutAt));
            expect(Number.isSafeInteger(header.parameterCount)).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(MalformedFileError);
          }
          expect(processorMs() - startedAtMs).toBeLessThan(2000);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
