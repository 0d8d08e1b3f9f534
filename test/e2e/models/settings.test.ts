import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writeMergedModel, writeTinyAdapter } from '../../../scripts/make/tiny-model/write-tiny-adapter.ts';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { hearthCli } from '../../support/server/hearth-cli.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';
import { tinyVoice } from '../../support/models/tiny-voice.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-adapters-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const adapter = join(folder, 'adapter.gguf');
const misfit = join(folder, 'misfit.gguf');
await writeTinyAdapter(adapter);
await writeTinyAdapter(misfit, { model: { hiddenSize: 128 } });
const merged = join(folder, 'merged.gguf');
await writeMergedModel(merged);
const base = await tinyModel();
const mouth = await tinyVoice({ family: 'pocket' });
/** Settings that have no meaning for a model that speaks. */
const foreign = { context: 512, cacheType: 'q8_0', drafts: 'all', voiceActivity: base };
/** Heads of 32 numbers, which a block of a coarser cache holds. */
const wide = await tinyModel({ hiddenSize: 128 });

const server = useChatServer({
  models: async () => ({ merged, wide }),
  settings: {
    adapted: { source: base, lora: [adapter] },
    'half-adapted': { source: base, lora: [{ path: adapter, scale: 0.5 }] },
    misfit: { source: base, lora: [{ path: misfit, scale: 1 }] },
    'no-adapter': { source: base, lora: [base] },
    ...Object.fromEntries(['q8_0', 'q4_0'].map((type) => [type, { source: wide, cacheType: type }])),
    plainly: { source: wide, flashAttention: false },
    narrow: { source: base, cacheType: 'q8_0' },
    ...Object.fromEntries(
      Object.entries(foreign).map(([name, value]) => [
        `mouth-${name.toLowerCase()}`,
        { source: mouth.model, projector: mouth.projector, [name]: value },
      ]),
    ),
  },
});

/** The log-probabilities that a model gives the tokens of a text. */
async function logprobsBy(model: string): Promise<readonly number[]> {
  const { choices } = await server().client.completions.create({
    model,
    prompt: 'The sea is blue, and the boats are small. What do they carry home in the evening?',
    max_tokens: 1,
    echo: true,
    logprobs: 0,
  });
  return (choices[0]?.logprobs?.token_logprobs ?? []).slice(1, -1);
}

/** The largest difference between the log-probabilities of two models. */
async function distance(one: string, other: string): Promise<number> {
  const [a, b] = [await logprobsBy(one), await logprobsBy(other)];
  expect(a.length).toBeGreaterThan(20);
  return Math.max(...a.map((number, at) => Math.abs(number - (b[at] ?? Number.NaN))));
}

const refusalOf = async (model: string): Promise<string> =>
  await logprobsBy(model).then(
    () => 'none',
    (error: unknown) => String(error),
  );

describe('a LoRA adapter', () => {
  it('makes of a model what its weights together with the adapter’s are', async () => {
    expect(await distance('adapted', 'merged')).toBeLessThan(0.05);
    expect(await distance('adapted', 'tiny')).toBeGreaterThan(0.5);
    const half = await distance('half-adapted', 'tiny');
    expect(half).toBeGreaterThan(0.1);
    expect(await distance('half-adapted', 'adapted')).toBeGreaterThan(0.1);
  });

  it('holds for embeddings too', async () => {
    const vectorOf = async (model: string) => {
      const { data } = await server().client.embeddings.create({ model, input: 'the sea' });
      return data[0]?.embedding ?? [];
    };
    const [adapted, whole, plain] = [
      await vectorOf('adapted'),
      await vectorOf('merged'),
      await vectorOf('tiny'),
    ];
    const cosine = (a: readonly number[], b: readonly number[]) =>
      a.reduce((sum, number, at) => sum + number * (b[at] ?? 0), 0);
    expect(cosine(adapted, whole)).toBeGreaterThan(0.999);
    expect(cosine(adapted, plain)).toBeLessThan(0.99);
  });

  it('that does not fit is refused with the reason', async () => {
    expect(await refusalOf('misfit')).toMatch(
      /LoRA adapter misfit\.gguf changes blk\.0\.attn_q\.weight in another shape/,
    );
    expect(await refusalOf('no-adapter')).toMatch(/is no LoRA adapter in GGUF/);
  });
});

describe('a coarser cache', () => {
  it('changes little of what the model says, and the coarser the more', async () => {
    const fine = await distance('q8_0', 'wide');
    const coarse = await distance('q4_0', 'wide');
    expect(fine).toBeGreaterThan(0);
    expect(fine).toBeLessThan(0.3);
    expect(coarse).toBeGreaterThan(fine);
    expect(await distance('plainly', 'wide')).toBeLessThan(0.05);
  });

  it('is refused where the heads are too small for it', async () => {
    expect(await refusalOf('narrow')).toMatch(/whose blocks hold 32 numbers, and its heads have 16/);
  });

  it('is shown', async () => {
    const shown = await hearthCli<{ settings: object }>(server().server, 'models', 'show', 'q8_0');
    expect(shown.settings).toMatchObject({ cacheType: 'q8_0' });
  });
});

it.each(Object.keys(foreign))('%s is refused where a model speaks', async (name) => {
  const model = `mouth-${name.toLowerCase()}`;
  const answer = server().client.audio.speech.create({ model, input: 'Hi.', voice: 'default' });
  await expect(answer).rejects.toThrow(
    `its ${name} is set, which has no meaning for this model: it speaks texts`,
  );
});
