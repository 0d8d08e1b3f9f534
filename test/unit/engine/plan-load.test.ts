import { expect, it } from 'vitest';
import { chooseLoad, mostLayersWithin } from '../../../src/engine/llama/plan-load.ts';
import { openTestLlama } from '../../support/native-model.ts';
import { tinyEncoder, tinyModel } from '../../support/tiny-model.ts';

const budget = { ramBytes: 2 ** 30, vramBytes: 0 };
const positions = 96;

/** The context that is chosen for a model whose settings ask for `contextTokens`. */
async function choose(kind: 'chat' | 'embedding', contextTokens: number | undefined): Promise<number> {
  const path = kind === 'chat' ? await tinyModel() : await tinyEncoder({ contextTokens: positions });
  const settings = { contextTokens, parallel: 1, threads: 1, gpuLayers: 0, keepAliveMs: undefined };
  const spec = { id: kind, kind, path, ...settings };
  const llama = await openTestLlama();
  try {
    return (await chooseLoad(llama, spec, budget)).contextTokens;
  } finally {
    await llama.dispose();
  }
}

it('takes a context that is set, and the trained one otherwise', async () => {
  expect(await choose('embedding', 64)).toBe(64);
  expect(await choose('embedding', positions)).toBe(positions);
  expect(await choose('embedding', undefined)).toBe(positions);
  expect(await choose('chat', 100_000)).toBe(100_000);
});

it('refuses a context beyond the positions of the model, which would end the process', async () => {
  await expect(choose('embedding', positions + 1)).rejects.toThrow(/set to 97 tokens.* positions for 96 /);
});

it('puts as many layers on a GPU as fit there', async () => {
  const vramWith = async (layers: number) => 50 + 10 * layers;
  const most = (vramBytes: number) => mostLayersWithin(vramBytes, 33, vramWith);
  expect(await most(50 + 330)).toBe(33);
  expect(await most(50 + 329)).toBe(32);
  expect(await most(50 + 125)).toBe(12);
  expect(await most(50 + 9)).toBe(0);
  expect(await most(0)).toBe(0);
});
