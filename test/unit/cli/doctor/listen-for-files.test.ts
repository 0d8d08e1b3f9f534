import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LiveCatalog } from '../../../../src/catalog/catalog.ts';
import type { Finding } from '../../../../src/cli/doctor/finding.ts';
import { listenForFiles } from '../../../../src/cli/doctor/examine-models.ts';
import { ggufFile } from '../../../support/models/model-files.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hearth-files-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function put(name: string, bytes: Uint8Array): string {
  const path = join(root, name);
  writeFileSync(path, bytes);
  return path;
}

const projector = (name: string) =>
  ggufFile({
    architecture: 'clip',
    metadata: {
      'general.type': { type: 'string', value: 'mmproj' },
      'general.name': { type: 'string', value: name },
      'clip.has_vision_encoder': { type: 'bool', value: true },
    },
  });

function findings(): Finding[] {
  const files = listenForFiles();
  new LiveCatalog({ folders: [root], entries: [], log: files.log }).list();
  return files.findings();
}

it('names the projectors of which any may belong to a model, and what to do', () => {
  const model = put('model.gguf', ggufFile());
  put('eyes.gguf', projector('eyes'));
  put('glasses.gguf', projector('glasses'));
  expect(findings()).toEqual([
    {
      subject: 'file',
      ok: false,
      finding:
        `${model}: served without a projector, as of eyes.gguf, glasses.gguf any may belong to it: ` +
        'name the right one as its "projector" in the configuration',
    },
  ]);
});

it('has a damaged file replaced', () => {
  const cut = put('cut.gguf', ggufFile().subarray(0, 100));
  expect(findings()).toEqual([
    {
      subject: 'file',
      ok: false,
      finding: expect.stringContaining(`${cut}: skipped: `),
      remedy: 'replace it, or take it out of the models folder',
    },
  ]);
});
