import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCuratedModels } from '../../../../src/catalog/pulls/curated-models.ts';
import {
  expectedTokensPerSecond,
  placedTokensPerSecond,
  suitableModels,
  type MachinePower,
} from '../../../../src/catalog/pulls/expected-speed.ts';
import { packageModelsDir } from '../../../../src/config/paths.ts';

const models = loadCuratedModels(join(packageModelsDir, 'catalog.yaml'));
const model = (wanted: string) => {
  const found = models.find(({ id }) => id === wanted);
  if (found === undefined) throw new Error(`no ${wanted}`);
  return found;
};

/** A machine with this memory, which is read at `gbPerSecond`, and without a GPU. */
function machine(memoryGB: number, gbPerSecond: number, cores: number): MachinePower {
  return { memoryBytes: memoryGB * 1e9, memoryBytesPerSecond: gbPerSecond * 1e9, cores, gpu: undefined };
}
const graphicsCard = { name: 'card', memoryBytes: 12e9, sharesMainMemory: false };

const bestFor = (power: MachinePower) => suitableModels(models, power).at(-1)?.id;

describe('the model for a machine', () => {
  it.each([
    ['a small board', machine(4, 4, 4), 'smollm2-360m'],
    ['two cores', machine(24, 40, 2), 'qwen3-4b'],
    ['a laptop', machine(16, 60, 8), 'qwen3-4b'],
    ['little memory, however fast', machine(8.6, 400, 16), 'llama-3.2-1b'],
    ['a workstation', machine(64, 120, 16), 'gpt-oss-20b'],
  ])('%s', (_, power, id) => {
    expect(bestFor(power)).toBe(id);
  });

  it('goes by the memory of a graphics card where it has one', () => {
    expect(bestFor({ ...machine(16, 40, 4), gpu: graphicsCard })).toBe('qwen3-8b');
  });

  it('goes by memory only where the speed could not be measured', () => {
    const unmeasured = { ...machine(64, 1, 2), memoryBytesPerSecond: undefined };
    expect(bestFor(unmeasured)).toBe('gpt-oss-20b');
    expect(expectedTokensPerSecond(unmeasured, model('qwen3-4b'))).toBeUndefined();
  });

  it('is the fastest of those that fit where none is fast', () => {
    expect(suitableModels(models, machine(16, 1, 1)).map(({ id }) => id)).toEqual(['smollm2-360m']);
    expect(bestFor(machine(0.5, 1, 1))).toBe('smollm2-360m');
  });
});

describe('the expected speed', () => {
  it('falls with what a token reads: of a mixture of experts only a part', () => {
    const speed = (id: string) => expectedTokensPerSecond(machine(64, 50, 16), model(id)) ?? 0;
    expect(speed('qwen3-8b')).toBeCloseTo((50 * 0.7) / 5.028, 1);
    expect(speed('gpt-oss-20b')).toBeGreaterThan(2 * speed('qwen3-8b'));
  });

  it('is told of main memory alone, and of no model that the caches of processors hold', () => {
    const speed = (gpuLayers: number, readBytes: number, sharesMainMemory?: boolean) =>
      placedTokensPerSecond(
        {
          ...machine(64, 100, 4),
          ...(sharesMainMemory !== undefined && { gpu: { ...graphicsCard, sharesMainMemory } }),
        },
        { place: { layers: 9, gpuLayers, expertLayers: 0 }, readBytes },
      );
    expect(speed(0, 4e9)).toBe(10);
    expect(speed(0, 4e9, false)).toBe(10);
    expect(speed(9, 4e9, true)).toBe(17.5);
    expect(speed(9, 4e9, false)).toBeUndefined();
    expect(speed(0, 13e6)).toBeUndefined();
  });

  it('is bounded by what the cores compute, and on a card by its own memory', () => {
    const speedOn = (power: MachinePower) => expectedTokensPerSecond(power, model('qwen3-4b')) ?? 0;
    expect(speedOn(machine(64, 400, 2))).toBe(speedOn(machine(64, 100, 2)));
    expect(speedOn({ ...machine(64, 10, 2), gpu: graphicsCard })).toBeGreaterThan(20);
  });
});
