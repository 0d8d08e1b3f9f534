import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LiveCatalog } from '../../../src/catalog/catalog.ts';
import type { ModelEntry } from '../../../src/catalog/model-entry.ts';
import { removePulled, writePullRecord } from '../../../src/catalog/pulls/pulled-files.ts';
import { ggufFile } from '../../support/models/model-files.ts';

let root: string;
let warnings: string[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hearth-projectors-'));
  warnings = [];
});
afterEach(() => rmSync(root, { recursive: true }));

const ignore = () => undefined;
const log = {
  debug: ignore,
  info: ignore,
  warn: (_: object, message: string) => void warnings.push(message),
};
const open = (entries: readonly ModelEntry[] = [], pulledFolder?: string) =>
  new LiveCatalog({ folders: [root], entries, pulledFolder, log });

function put(path: string, bytes: Uint8Array): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
  return file;
}

const text = (value: string) => ({ type: 'string' as const, value });
const u32 = (value: number) => ({ type: 'u32' as const, value });
const named = (name?: string) => (name === undefined ? {} : { 'general.name': text(name) });

const model = (name?: string, length = 64) =>
  ggufFile({ metadata: { ...named(name), 'llama.embedding_length': u32(length) } });

function projector(name?: string, { length = 64, fileType = 1, sense = 'vision' } = {}) {
  return ggufFile({
    architecture: 'clip',
    metadata: {
      ...named(name),
      'general.type': text('mmproj'),
      'general.file_type': u32(fileType),
      [`clip.has_${sense}_encoder`]: { type: 'bool', value: true },
      [`clip.${sense}.projection_dim`]: u32(length),
    },
  });
}

const projectorOf = (catalog: LiveCatalog, id: string) => {
  const path = catalog.find(id)?.projector?.path;
  return path === undefined ? undefined : basename(path);
};

describe('a projector is found', () => {
  it('by its content beside the only model, which then sees', () => {
    put('gemma/model.gguf', model());
    const path = put('gemma/eyes.gguf', projector());
    const found = open().find('model');
    expect(found?.projector).toEqual({ path, sizeBytes: projector().length });
    expect(found?.capabilities).toMatchObject({ image: true, audio: false });
    expect(open().list()).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  it('that hears', () => {
    put('m.gguf', model());
    put('ears.gguf', projector(undefined, { sense: 'audio' }));
    expect(open().find('m')?.capabilities).toMatchObject({ image: false, audio: true });
  });

  it('by the name in the file, and by the name of the file, among several models', () => {
    put('one-4b-Q4_K_M.gguf', model('One 4B'));
    put('one-4b-Q8_0.gguf', model('One 4B'));
    put('two-4b-Q4_K_M.gguf', model('Two 4B'));
    put('plain-4b.gguf', model('Plain 4B'));
    put('a.gguf', projector('One 4B'));
    put('mmproj-two-4b-f16.gguf', projector('something'));
    const catalog = open();
    expect(projectorOf(catalog, 'one-4b-Q4_K_M')).toBe('a.gguf');
    expect(projectorOf(catalog, 'one-4b-Q8_0')).toBe('a.gguf');
    expect(projectorOf(catalog, 'two-4b-Q4_K_M')).toBe('mmproj-two-4b-f16.gguf');
    expect(projectorOf(catalog, 'plain-4b')).toBeUndefined();
  });

  it('in the usual precision of several', () => {
    put('m.gguf', model('M'));
    put('mmproj-F32.gguf', projector('M', { fileType: 0 }));
    put('mmproj-F16.gguf', projector('M', { fileType: 1 }));
    expect(projectorOf(open(), 'm')).toBe('mmproj-F16.gguf');
  });

  it('nowhere else: in another folder, of another size, or where it is not clear which', () => {
    put('far/m.gguf', model('Far'));
    put('eyes.gguf', projector('Far'));
    put('wide/m-wide.gguf', model('Wide'));
    put('wide/eyes.gguf', projector('Wide', { length: 128 }));
    put('many/m-many.gguf', model('Many'));
    put('many/a.gguf', projector('A'));
    put('many/b.gguf', projector('B'));
    const catalog = open();
    for (const id of ['m', 'm-wide', 'm-many']) expect(projectorOf(catalog, id)).toBeUndefined();
    expect(warnings).toEqual([
      expect.stringContaining('of a.gguf, b.gguf any may belong to it'),
      expect.stringContaining('of eyes.gguf none fits its size'),
    ]);
  });
});

describe('a configured projector', () => {
  it('wins over what lies beside the model', () => {
    const source = put('m.gguf', model());
    put('beside.gguf', projector());
    const chosen = put('elsewhere/chosen.gguf', projector());
    expect(projectorOf(open([{ id: 'm', source, projector: chosen }]), 'm')).toBe('chosen.gguf');
  });

  it('that is not there keeps the model from being served, and says why', () => {
    const source = put('m.gguf', model());
    const entries = [
      { id: 'm', source, projector: join(root, 'nothing.gguf') },
      { id: 'n', source, projector: 'hf:Owner/Repo:mmproj-F16' },
    ];
    const reasons = open(entries, root)
      .pending()
      .map(({ reason }) => reason);
    expect(reasons).toEqual([
      `there is no projector at ${join(root, 'nothing.gguf')}`,
      'its projector is not here: get it with hearth models pull hf:Owner/Repo:mmproj-F16',
    ]);
  });
});

it('is removed with its model, unless another one has it too', async () => {
  const eyes = put('mmproj.gguf', projector());
  const records = ['a.gguf', 'b.gguf'].map(async (name) => {
    const path = put(name, model());
    const files = [name, 'mmproj.gguf'].map((file) => ({ name: file, sizeBytes: 1, sha256: '' }));
    await writePullRecord(path, { sources: [], origin: '', files });
    return path;
  });
  const [a = '', b = ''] = await Promise.all(records);
  expect(removePulled(a)).toEqual([a]);
  expect(removePulled(b)).toEqual([b, eyes]);
});
