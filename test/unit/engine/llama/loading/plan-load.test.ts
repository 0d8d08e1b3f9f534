import { copyFileSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Llama } from 'node-llama-cpp';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { chatContext } from '../../../../../src/engine/llama/loading/needs/load-estimates.ts';
import { Layouts } from '../../../../../src/engine/llama/loading/needs/layouts.ts';
import { loadWeights } from '../../../../../src/engine/llama/loading/load-weights.ts';
import {
  choosePlacement,
  mostThatFit,
} from '../../../../../src/engine/llama/loading/needs/choose-placement.ts';
import { chooseLoad, waysToFit, type ChosenLoad } from '../../../../../src/engine/llama/loading/plan-load.ts';
import { openContext } from '../../../../../src/engine/llama/native/context/stepper-context.ts';
import { onProcessor } from '../../../../../src/engine/llama/native/model.ts';
import { contextAddon } from '../../../../../src/engine/llama/native/stepper.ts';
import { DeviceFullError } from '../../../../../src/engine/pool/loadable.ts';
import type { CacheType } from '../../../../../src/engine/model-backend.ts';
import { hasStepper } from '../../../../support/engine/draw-tokens.ts';
import { openTestLlama, silentLog } from '../../../../support/models/native-model.ts';
import { tinyEncoder, tinyModel } from '../../../../support/models/tiny-model.ts';

let llama: Llama;
beforeAll(async () => {
  llama = await openTestLlama();
});
afterAll(() => llama.dispose());

const budget = { ramBytes: 2 ** 30, vramBytes: 0 };
const positions = 96;

/** The context that is chosen for a model whose settings ask for `contextTokens`. */
async function choose(kind: 'chat' | 'embedding', contextTokens: number | undefined): Promise<number> {
  const path = kind === 'chat' ? await tinyModel() : await tinyEncoder({ contextTokens: positions });
  const settings = { contextTokens, parallel: 1, threads: 1, gpuLayers: 0, keepAliveMs: undefined };
  const spec = { id: kind, kind, path, ...settings };
  return (await chooseLoad(llama, spec, budget)).contextTokens;
}

it('takes a context that is set, and the trained one otherwise', async () => {
  expect(await choose('embedding', 64)).toBe(64);
  expect(await choose('embedding', positions)).toBe(positions);
  expect(await choose('embedding', undefined)).toBe(positions);
  expect(await choose('chat', 100_000)).toBe(100_000);
});

it('counts the type of the cache', async () => {
  const path = await tinyModel({ hiddenSize: 128 });
  const ramWith = async (cacheType: CacheType | undefined) => {
    const settings = { contextTokens: 65_536, parallel: 2, threads: 1, gpuLayers: 0, keepAliveMs: undefined };
    const spec = { id: 'wide', kind: 'chat', path, ...settings, cacheType, reserve: true } as const;
    return (await chooseLoad(llama, spec, budget)).memory.ramBytes;
  };
  // Two layers keep 2 × 64 numbers of two bytes for each token of both slots.
  const cacheBytes = 2 * 65_536 * 2 * 2 * 64 * 2;
  const most = await ramWith(undefined);
  expect(most).toBe(await ramWith('f16'));
  // q8_0 takes 34 bytes for 32 numbers, q4_0 takes 18.
  expect(most - (await ramWith('q8_0'))).toBeCloseTo(cacheBytes * (1 - 34 / 64), -6);
  expect(most - (await ramWith('q4_0'))).toBeCloseTo(cacheBytes * (1 - 18 / 64), -6);
});

/** Outputs of all 512 tokens of a step would take 17 MiB. */
const furtherTexts = Array.from({ length: 8192 }, (_, at) => `word${at}`);

/** llama.cpp's plans of steps are three of 20,480 operations for a Qwen3.5, and of few for the others. */
const operationBytes = 368;

it.runIf(hasStepper).each([
  ['llama', 0],
  ['gemma3', 0],
  ['gpt-oss', 0],
  ['qwen35', 3 * 20_480],
  ['nemotron_h', 0],
] as const)('expects of a %s exactly what it and its context take', async (architecture, operations) => {
  const path = await tinyModel({ architecture, layers: 6, hiddenSize: 128, furtherTexts });
  const settings = { contextTokens: 4096, parallel: 3, threads: 1, gpuLayers: 0, keepAliveMs: undefined };
  const spec = { id: 'm', kind: 'chat', path, ...settings } as const;
  const layouts = await Layouts.open(llama, path);
  const measure = (contextTokens: number) => layouts?.measure(onProcessor, chatContext(spec, contextTokens));
  const expected = await measure(4096);
  const least = await measure(256);
  await layouts?.close();
  const model = await llama.loadModel({ modelPath: path, gpuLayers: 0 });
  const context = await openContext(model, { ...chatContext(spec, 4096), threads: 1 });
  const [ramBytes, weightsRamBytes] = contextAddon()?.memory(context.stepper.handle) ?? [];
  await context.dispose();
  await model.dispose();
  expect(expected).toEqual({
    context: { ramBytes, vramBytes: 0 },
    weights: { ramBytes: weightsRamBytes, vramBytes: 0 },
  });
  expect(weightsRamBytes).toBeGreaterThan(2 ** 20);
  expect(least?.context.ramBytes).toBeGreaterThan(operations * operationBytes);
});

it.runIf(hasStepper)(
  'loads what was chosen, gives it up midway, and tells why it cannot be loaded',
  async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'hearth-load-')), 'mixture.gguf');
    onTestFinished(() => rmSync(dirname(path), { recursive: true }));
    copyFileSync(await tinyModel({ architecture: 'granitemoe', layers: 6 }), path);
    const settings = { contextTokens: 512, parallel: 1, threads: 1, gpuLayers: undefined };
    const spec = { id: 'm', kind: 'chat', path, ...settings, keepAliveMs: undefined } as const;
    const told: object[] = [];
    const leaving = new AbortController();
    const log = (heard: () => void) => ({
      ...silentLog,
      debug: (fields: object) => (told.push(fields), heard()),
    });
    const load = async (chosen: ChosenLoad, heard = () => {}) =>
      loadWeights(llama, spec, chosen, log(heard) as never, leaving.signal);
    const chosen = await chooseLoad(llama, spec, budget);
    expect(chosen).toMatchObject({ usesGpu: false, gpuLayers: 0, expertLayers: 0 });
    const model = await load(chosen);
    expect(told.at(-1)).toEqual({ model: 'm', percent: 100 });
    expect(model.trainContextSize).toBeGreaterThan(0);
    await model.dispose();
    const onGpu = { ...chosen, gpuLayers: 3, memory: { ramBytes: 0, vramBytes: 5_000_000 } };
    await expect(load(onGpu)).rejects.toThrow(/^the GPU has 0 B of memory free, and it needs 5.0 MB there$/);
    await expect(load(onGpu)).rejects.toBeInstanceOf(DeviceFullError);
    const gone = new Error('nobody waits');
    await expect(load(chosen, () => leaving.abort(gone))).rejects.toBe(gone);
    truncateSync(path, statSync(path).size / 2);
    await expect(chooseLoad(llama, spec, budget)).rejects.toThrow(/cannot lay it out/);
  },
);

it('refuses a context beyond the positions of the model, which would end the process', async () => {
  await expect(choose('embedding', positions + 1)).rejects.toThrow(/set to 97 tokens.* positions for 96 /);
});

/** A file of four layers and an output, of which as many have experts. */
const fileWith = (expertLayers: number) =>
  ({
    totalLayers: 5,
    ggufFileInfo: {
      fullTensorInfo: Array.from({ length: expertLayers }, (_, at) => ({
        name: `blk.${at}.ffn_up_exps.weight`,
      })),
    },
  }) as unknown as Parameters<typeof choosePlacement>[1];

it.runIf(hasStepper)(
  'puts as much on a GPU as fits, experts last and of the first layers last of all',
  async () => {
    const mixed = fileWith(4);
    const place = (bytes: number, file = mixed) =>
      choosePlacement(undefined, file, async ({ gpuLayers, expertLayers }) => {
        const experts = Math.min(4, gpuLayers) - Math.min(4, gpuLayers, expertLayers);
        return 5 + 10 * gpuLayers + 100 * experts <= bytes;
      });
    const placed = async (bytes: number) => {
      const { usesGpu, gpuLayers, expertLayers } = await place(bytes);
      return [usesGpu, gpuLayers, expertLayers];
    };
    expect(await placed(0)).toEqual([false, 0, 0]);
    expect(await placed(5)).toEqual([true, 0, 4]);
    expect(await placed(34)).toEqual([true, 2, 4]);
    expect(await placed(154)).toEqual([true, 5, 4]);
    expect(await placed(155)).toEqual([true, 5, 3]);
    expect(await placed(454)).toEqual([true, 5, 1]);
    expect(await placed(455)).toEqual([true, 5, 0]);
    expect(await place(240, fileWith(0))).toEqual({ usesGpu: true, gpuLayers: 2, expertLayers: 0 });
    expect(await choosePlacement(3, mixed, async () => false)).toMatchObject({
      gpuLayers: 3,
      expertLayers: 0,
    });
  },
);

it('finds the most that fits', async () => {
  const most = (size: number) => mostThatFit(33, async (count) => 50 + 10 * count <= size);
  expect(await most(50 + 330)).toBe(33);
  expect(await most(50 + 329)).toBe(32);
  expect(await most(50 + 125)).toBe(12);
  expect(await most(50 + 9)).toBe(0);
  expect(await most(0)).toBe(0);
});

it.each([
  ['llama', true],
  ['gemma3', true],
  ['lfm2', true],
  ['llama', false],
  ['gemma3', false],
] as const)(
  'says which context of a %s would fit where all of it is reserved: %s',
  async (architecture, reserve) => {
    const path = await tinyModel({ architecture, layers: 6, hiddenSize: 128 });
    const chooseWithin = (contextTokens: number, ramBytes: number) =>
      chooseLoad(
        llama,
        {
          id: 'm',
          kind: 'chat',
          path,
          contextTokens,
          parallel: 2,
          reserve,
          threads: 1,
          gpuLayers: 0,
          keepAliveMs: undefined,
        },
        { ramBytes, vramBytes: 0 },
      );
    const large = await chooseWithin(32_768, 2 ** 32);
    expect(large.fittingContextTokens).toBe(32_768);
    // A context that grows is planned with few cells.
    const ramBytes = (reserve ? 0.7 : 1.5) * large.memory.ramBytes;
    for (const asked of [32_768, 10 ** 9]) {
      const { fittingContextTokens: fitting, memory } = await chooseWithin(asked, ramBytes);
      expect(memory.ramBytes).toBeGreaterThan(ramBytes);
      expect((await chooseWithin(fitting, ramBytes)).memory.ramBytes).toBeLessThanOrEqual(ramBytes);
      expect((await chooseWithin(fitting + 512, ramBytes)).memory.ramBytes).toBeGreaterThan(ramBytes);
      expect(waysToFit({ fittingContextTokens: fitting }, { kind: 'chat' })).toContain(
        `up to ${fitting} tokens would fit. Lower`,
      );
    }
    const hopeless = await chooseWithin(32_768, 1000);
    expect(hopeless.fittingContextTokens).toBe(0);
    expect(waysToFit(hopeless, { kind: 'chat' })).toMatch(/^Lower/);
  },
);
