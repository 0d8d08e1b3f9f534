import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OpenAI } from 'openai';
import { clipPath, clips } from '../../../test/support/audio/clips.ts';
import { tinyEncoder, tinyModel, tinyProjector } from '../../../test/support/models/tiny-model.ts';
import { greedyModels, readRecords } from '../../../test/support/engine/greedy-texts.ts';
import { processRssBytes } from '../../bench/figures/proc.ts';
import { pictureFile, seeingFamilies } from '../../compare/pictures/families.ts';
import type { GpuServer, GpuServers } from './gpu-servers.ts';

/** Resolves with a word for the table; throws where an answer is wrong. */
type Check = (servers: GpuServers) => Promise<string>;

const fileOf = (name: string) => fileURLToPath(new URL(`../../../models/${name}`, import.meta.url));
const demo = { source: fileOf('hearth-demo.gguf') };
const ears = fileOf('hearth-demo-ears.bin');

const greedy = { temperature: 0, max_tokens: 48 } as const;

async function complete(client: OpenAI, model: string, prompt = 'Once upon a time'): Promise<string> {
  const { choices } = await client.completions.create({ model, prompt, ...greedy });
  return choices[0]?.text ?? '';
}

/** Compares the greedy texts of the tiny models, one of each architecture, with the recorded ones. */
async function compareTexts(servers: GpuServers, settings: object): Promise<string> {
  const models = await greedyModels();
  const records = (await readRecords()).filter(({ model }) => models.has(model) && !trained.test(model));
  const entries = records.map(
    ({ model }) => [model, { source: models.get(model) ?? '', ...settings }] as const,
  );
  const { client } = await servers.serve(Object.fromEntries(entries));
  const others: string[] = [];
  for (const { model, texts } of records)
    for (const { prompt, text, logprobs } of texts) {
      const { choices } = await client.completions.create({
        model,
        prompt,
        temperature: 0,
        max_tokens: logprobs.length,
      });
      if (choices[0]?.text !== text) others.push(model);
    }
  assert.deepEqual(others, [], 'these architectures have other texts');
  return `${records.length} architectures token for token as llama-server on the processor`;
}

/** Models that were trained, whose texts take minutes on a driver that computes on the processor. */
const trained = /stories|babyllama/;

/** Asks a model of each way to see about a picture, with the processor's answer beside it. */
async function comparePictures(servers: GpuServers, config: { isolation?: 'process' }): Promise<string> {
  const url = `data:image/bmp;base64,${pictureFile(0).toString('base64')}`;
  const ask = async ({ client }: GpuServer, model: string) => {
    const { choices } = await client.chat.completions.create({
      model,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ],
      ...greedy,
    });
    return choices[0]?.message.content ?? '';
  };
  const files: Record<string, { source: string; projector: string; flashAttention?: false }> = {};
  for (const [family, { model, projector }] of Object.entries(seeingFamilies))
    files[family] = {
      source: await tinyModel(model),
      projector: await tinyProjector(projector),
      ...noFlash(servers),
    };
  const onGpu = await servers.serve(files, config);
  const onProcessor = await servers.serve(withLayers(files, 0), config);
  for (const family of Object.keys(files))
    assert.equal(await ask(onGpu, family), await ask(onProcessor, family), `of ${family}`);
  return `equal for ${Object.keys(files).join(', ')}`;
}

/** Mesa's llvmpipe ends the process where it computes flash attention for some sizes of heads. */
const noFlash = ({ isSoftware }: GpuServers) => (isSoftware ? { flashAttention: false as const } : {});

const withLayers = <Entry extends object>(files: Readonly<Record<string, Entry>>, gpuLayers: number) =>
  Object.fromEntries(Object.entries(files).map(([id, entry]) => [id, { ...entry, gpuLayers }]));

interface ToldModel {
  readonly runs_on: {
    readonly gpus: readonly { readonly name: string; readonly bytes: number }[];
    readonly layers: number;
    readonly gpu_layers: number;
  } | null;
}

/** Where `/v1/models` says that the model runs, once it has found that out, and its memory there. */
async function placeOf(server: GpuServer, model: string): Promise<string> {
  const { runs_on: where } = (await server.client.models.retrieve(model)) as unknown as ToldModel;
  if (where === null) return await placeOf(server, model);
  const gpus = where.gpus.map(({ name, bytes }) => `${(bytes / 2 ** 20).toFixed(1)} MiB on ${name}`);
  assert.ok(where.gpus.every(({ bytes }) => bytes > 0));
  return [`${where.gpu_layers} of ${where.layers} layers`, ...gpus].join(', ');
}

const residentMegabytes = ({ server }: GpuServer) =>
  Math.round((processRssBytes(server.pid) ?? Number.NaN) / 2 ** 20);

export const checks: Readonly<Record<string, Check>> = {
  'texts, all layers there': (servers) => compareTexts(servers, {}),
  'texts, one layer there': (servers) => compareTexts(servers, { gpuLayers: 1 }),
  'a mixture under budgets of the card': async (servers) => {
    const source = await tinyModel({
      architecture: 'granitemoe',
      layers: 4,
      hiddenSize: 256,
      feedForwardSize: 512,
    });
    const entry = { mixture: { source, context: 2048, parallel: 2, ...noFlash(servers) } };
    const expected = await complete((await servers.serve(withLayers(entry, 0))).client, 'mixture');
    const places: string[] = [];
    for (const megabytes of [0, 26, 32, 44, 100]) {
      const gpu = await servers.serve(entry, { gpuMemory: megabytes * 2 ** 20 });
      assert.equal(await complete(gpu.client, 'mixture'), expected, `with ${megabytes} MiB`);
      const [, layers, experts = 0] =
        /"gpuLayers":(\d+)(?:,"expertLayers":(\d+))?/.exec(gpu.server.stderr()) ?? [];
      places.push(`${megabytes} MiB ${layers} − ${experts}`);
      await gpu.server.stop();
    }
    return `equal; layers there, and of these without experts: ${places.join(', ')}`;
  },
  'the demo': async (servers) => {
    const { client } = await servers.serve({ demo });
    const { choices } = await client.chat.completions.create({
      model: 'demo',
      messages: [{ role: 'user', content: 'What is the capital of France?' }],
      ...greedy,
    });
    assert.match(choices[0]?.message.content ?? '', /Paris/);
    return choices[0]?.message.content ?? '';
  },
  'pictures of random projectors': (servers) => comparePictures(servers, {}),
  'pictures, each model in a process': (servers) => comparePictures(servers, { isolation: 'process' }),
  'models in processes': async (servers) => {
    const files = { llama: { source: await tinyModel(), ...noFlash(servers) } };
    const onGpu = await servers.serve(files, { isolation: 'process' });
    const onProcessor = await servers.serve(withLayers(files, 0));
    assert.equal(await complete(onGpu.client, 'llama'), await complete(onProcessor.client, 'llama'));
    return 'equal';
  },
  'two GPUs': async (servers) => {
    const file = await tinyModel({ endOfTurnGain: 0 });
    const one = await servers.serve({ llama: file });
    const two = await servers.serve(
      { llama: file },
      {},
      servers.isSoftware ? { GGML_VK_VISIBLE_DEVICES: '0,0' } : {},
    );
    assert.equal(await complete(two.client, 'llama'), await complete(one.client, 'llama'));
    return `equal; ${await placeOf(two, 'llama')}`;
  },
  'where a model is said to run': async (servers) => {
    const gpu = await servers.serve({ llama: { source: await tinyModel(), ...noFlash(servers) } });
    const before = await placeOf(gpu, 'llama');
    await complete(gpu.client, 'llama');
    assert.equal(await placeOf(gpu, 'llama'), before, 'before it was loaded');
    return before;
  },
  'a schema': async (servers) => {
    const { client } = await servers.serve({ llama: { source: await tinyModel(), ...noFlash(servers) } });
    const { choices } = await client.chat.completions.create({
      model: 'llama',
      messages: [{ role: 'user', content: 'Somebody' }],
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'a',
          schema: { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] },
        },
      },
      max_tokens: 200,
    });
    assert.equal(typeof JSON.parse(choices[0]?.message.content ?? ''), 'object');
    return choices[0]?.message.content ?? '';
  },
  vectors: async (servers) => {
    const source = await tinyEncoder();
    const onGpu = await servers.serve({ encoder: source });
    const onProcessor = await servers.serve({ encoder: { source, gpuLayers: 0 } });
    const embed = async ({ client }: GpuServer) =>
      (await client.embeddings.create({ model: 'encoder', input: ['a heron', 'the sea'] })).data.map(
        ({ embedding }) => embedding,
      );
    const [own, expected] = [await embed(onGpu), await embed(onProcessor)];
    const cosines = own.map((vector, at) => cosine(vector, expected[at] ?? []));
    for (const one of cosines) assert.ok(one > 0.999, `cosine ${one}`);
    return `cosines ${cosines.map((one) => one.toFixed(5)).join(', ')}`;
  },
  speech: async (servers) => {
    const [clip] = clips;
    const hear = async ({ client }: GpuServer) => {
      const file = createReadStream(clipPath(clip.file));
      const { text } = await client.audio.transcriptions.create({ model: 'ears', file });
      const { runs_on: where } = (await client.models.retrieve('ears')) as unknown as ToldModel;
      return { text, vramBytes: where?.gpus.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0 };
    };
    const own = await hear(await servers.serve({ ears }));
    assert.equal(own.text, clip.said);
    if (own.vramBytes === 0) return 'on the processor: the speech engine is not built for a GPU';
    // Without room on the card it goes to the processor.
    const other = await hear(await servers.serve({ ears }, { gpuMemory: 0 }));
    assert.deepEqual(other, { text: clip.said, vramBytes: 0 });
    return `equal; ${(own.vramBytes / 2 ** 20).toFixed(1)} MiB there`;
  },
  'loads and unloads': async (servers) => {
    const gpu = await servers.serve({ llama: await tinyModel() });
    const taken: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      await gpu.client.completions.create({
        model: 'llama',
        prompt: 'a',
        max_tokens: 4,
        keep_alive: 0,
      } as never);
      await new Promise((resolve) => setTimeout(resolve, 500));
      taken.push(residentMegabytes(gpu));
    }
    return `resident MB: ${taken.join(' ')}`;
  },
  'a client that leaves': async (servers) => {
    const { client } = await servers.serve({
      llama: { source: await tinyModel({ endOfTurnGain: 0 }), ...noFlash(servers) },
    });
    const leaving = new AbortController();
    const stream = await client.completions.create(
      { model: 'llama', prompt: 'a', max_tokens: 1000, stream: true },
      { signal: leaving.signal },
    );
    for await (const _ of stream) break;
    leaving.abort();
    return JSON.stringify(await complete(client, 'llama'));
  },
  speed: async (servers) => {
    const onGpu = await servers.serve({ demo: { source: demo.source, ...noFlash(servers) } });
    const onProcessor = await servers.serve({ demo: { source: demo.source, gpuLayers: 0 } });
    const found: string[] = [];
    for (const clients of [1, 8]) {
      const [there, here] = [
        await tokensPerSecond(onGpu, clients),
        await tokensPerSecond(onProcessor, clients),
      ];
      found.push(`${clients} clients ${there.toFixed(0)} tokens/s, ${here.toFixed(0)} on the processor`);
    }
    return found.join('; ');
  },
  'more than the card holds': async (servers) => {
    const files = {
      large: { source: await tinyModel({ contextTokens: 4_000_000, layers: 16 }), context: 4_000_000 },
      llama: await tinyModel(),
    };
    const { client } = await servers.serve(files, { isolation: 'process' });
    const large = await complete(client, 'large').catch((error: unknown) => String(error));
    return `${JSON.stringify(large)}; then ${JSON.stringify(await complete(client, 'llama'))}`;
  },
};

/** Tokens that all of `clients` together get in a second, after a first answer. */
async function tokensPerSecond({ client }: GpuServer, clients: number): Promise<number> {
  const tokens = 100;
  const ask = () =>
    client.completions.create({
      model: 'demo',
      prompt: 'The sea',
      max_tokens: tokens,
      ignore_eos: true,
    } as never);
  await ask();
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: clients }, ask));
  return (clients * tokens * 1000) / (performance.now() - startedMs);
}

function cosine(one: readonly number[], other: readonly number[]): number {
  const dot = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}
