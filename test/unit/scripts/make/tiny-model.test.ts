import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readGgufFileInfo } from 'node-llama-cpp';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  toByteCharacters,
  toBytes,
} from '../../../../scripts/make/tiny-model/vocabulary/byte-pair-encoding.ts';
import { buildVocabulary } from '../../../../scripts/make/tiny-model/vocabulary/vocabulary.ts';
import { buildTinyEncoder } from '../../../../scripts/make/tiny-model/write-tiny-encoder.ts';
import { buildTinyModel, writeTinyModel } from '../../../../scripts/make/tiny-model/write-tiny-model.ts';
import { inspectModelFile } from '../../../../src/catalog/files/model-file.ts';

describe('the tiny model', () => {
  it('is the same for the same options, and another for another seed', () => {
    expect(buildTinyModel({ seed: 5 }).equals(buildTinyModel({ seed: 5 }))).toBe(true);
    expect(buildTinyModel({ seed: 5 }).equals(buildTinyModel({ seed: 6 }))).toBe(false);
  });

  it('is a small GGUF file that says what it is', async () => {
    const path = join(await temporaryDir(), 'tiny.gguf');
    await writeTinyModel(path, { contextTokens: 4096, layers: 3 });
    expect((await readFile(path)).length).toBeLessThan(3_000_000);
    const { metadata, tensorCount } = await readGgufFileInfo(path, { logWarnings: false });
    expect(metadata.general.architecture).toBe('llama');
    expect(metadata.llama).toMatchObject({ context_length: 4096, block_count: 3 });
    expect(metadata.tokenizer.chat_template).toContain('<|im_start|>');
    expect(metadata.tokenizer.ggml.tokens.length).toBe(buildVocabulary(360).entries.length);
    expect(Number(tensorCount)).toBe(3 * 9 + 3);
  });

  it('of a truncated kind has a whole header and half of the weights', async () => {
    const path = join(await temporaryDir(), 'truncated.gguf');
    await writeFile(path, buildTinyModel({ defect: 'truncated' }));
    const { metadata } = await readGgufFileInfo(path, { logWarnings: false });
    expect(metadata.general.architecture).toBe('llama');
    expect((await readFile(path)).length).toBeLessThan(buildTinyModel().length);
  });
});

describe('the tiny encoder', () => {
  it('is the same for the same options, and another for another seed', () => {
    expect(buildTinyEncoder({ seed: 5 }).equals(buildTinyEncoder({ seed: 5 }))).toBe(true);
    expect(buildTinyEncoder({ seed: 5 }).equals(buildTinyEncoder({ seed: 6 }))).toBe(false);
  });

  it('is an embedding model to the catalog', async () => {
    const path = join(await temporaryDir(), 'encoder.gguf');
    await writeFile(path, buildTinyEncoder({ contextTokens: 96 }));
    expect(inspectModelFile(path)).toMatchObject({
      outcome: 'model',
      facts: { kind: 'embedding', trainContextTokens: 96, functionCalling: false, reasoning: false },
    });
  });
});

describe('the vocabulary of the tiny model', () => {
  const { entries, merges } = buildVocabulary(360);
  const texts = new Set(entries.map(({ text }) => text));

  it('writes each byte as one character and reads it back', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const text = 'Grüße 昔々 🔥\u0000';
    expect(entries.slice(0, 256).flatMap((entry) => Array.from(toBytes(entry.text)))).toEqual(
      Array.from(bytes),
    );
    expect(Buffer.from(toBytes(toByteCharacters(text))).toString()).toBe(text);
  });

  it('has the parts and the whole of each merge, and no text twice', () => {
    for (const [left, right] of merges) {
      for (const text of [left, right, left + right]) expect(texts).toContain(text);
    }
    expect(texts.size).toBe(entries.length);
  });

  it('knows which tokens may follow each other in valid UTF-8', () => {
    const entryOf = (bytes: readonly number[]) =>
      entries.find(
        ({ text, kind }) => kind === 'text' && Buffer.from(toBytes(text)).equals(Buffer.from(bytes)),
      );
    expect(entryOf([0x61])).toMatchObject({ entry: 'boundary', exit: 'boundary' });
    expect(entryOf([0xc3])).toMatchObject({ entry: 'boundary', exit: 'middle' });
    expect(entryOf([0x82])).toMatchObject({ entry: 'middle', exit: 'boundary' });
    for (const never of [0xc0, 0xe3, 0xf0, 0xff, 0x00]) expect(entryOf([never])?.entry).toBeUndefined();
  });
});

async function temporaryDir(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-tiny-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
