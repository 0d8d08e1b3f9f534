import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCuratedModels, suggestModel } from '../../../src/catalog/curated-models.ts';
import { parseModelSource } from '../../../src/catalog/model-source.ts';
import { packageModelsDir } from '../../../src/config/paths.ts';

const models = loadCuratedModels(join(packageModelsDir, 'catalog.yaml'));
const gib = 2 ** 30;

describe('the curated models', () => {
  it('have names of their own and sources that can be pulled', () => {
    expect(new Set(models.map(({ id }) => id)).size).toBe(models.length);
    expect(models.length).toBeGreaterThanOrEqual(12);
    for (const { source, memoryBytes, sizeBytes } of models) {
      expect(parseModelSource(source).kind).toBe('hf');
      expect(memoryBytes).toBeGreaterThan(sizeBytes);
    }
  });

  it.each([
    [1, 'smollm2-360m'],
    [8, 'llama-3.2-1b'],
    [16, 'qwen3-4b'],
    [24, 'qwen3-8b'],
    [64, 'gpt-oss-20b'],
  ])('for %d GiB of memory: %s', (memoryGiB, id) => {
    expect(suggestModel(models, memoryGiB * gib)?.id).toBe(id);
  });
});
