import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCuratedModels } from '../../../../src/catalog/pulls/curated-models.ts';
import { parseModelSource } from '../../../../src/catalog/pulls/model-source.ts';
import { packageModelsDir } from '../../../../src/config/paths.ts';

const models = loadCuratedModels(join(packageModelsDir, 'catalog.yaml'));

describe('the curated models', () => {
  it('have names of their own and sources that can be pulled', () => {
    expect(new Set(models.map(({ id }) => id)).size).toBe(models.length);
    expect(models.length).toBeGreaterThanOrEqual(12);
    for (const { source, memoryBytes, sizeBytes } of models) {
      expect(parseModelSource(source).kind).toBe('hf');
      expect(memoryBytes).toBeGreaterThan(sizeBytes);
    }
  });

  it('have what talks, writes code, sees, compares texts, hears and speaks', () => {
    const kinds = new Set(models.map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(['chat', 'code', 'vision', 'embedding', 'speech', 'voice']));
  });
});
