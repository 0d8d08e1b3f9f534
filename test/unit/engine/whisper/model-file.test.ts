import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readDimensions } from '../../../../src/engine/whisper/model-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-whisper-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A file with no more than the header of a Whisper model. */
function headerFile(textContext: number): string {
  const path = join(folder, `${textContext}.bin`);
  const fields = [0x67676d6c, 51_865, 1500, 8, 2, 1, textContext, 8, 2, 1, 80, 1];
  writeFileSync(path, Buffer.from(Int32Array.from(fields).buffer));
  return path;
}

describe('readDimensions', () => {
  it('tells the sizes of a Whisper model', () => {
    expect(readDimensions(headerFile(448))).toMatchObject({ vocabulary: 51_865, textContext: 448 });
  });

  it.each([-1, 0, 1, 15, 449])('refuses %i tokens of text, which the decoder cannot work with', (count) => {
    expect(() => readDimensions(headerFile(count))).toThrow('not a Whisper model');
  });
});
