import { readFileSync } from 'node:fs';
import { copyFile, readdir, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pictureFile, seeingFamilies } from '../../../scripts/compare/pictures/families.ts';
import { meteredRoutes } from '../../../src/api/generation/metering.ts';
import type { ModelWork } from '../../../src/engine/model-backend.ts';
import type { ModelKind } from '../../../src/model-kinds.ts';
import { processTree } from '../../../scripts/bench/figures/proc.ts';
import { oneThread } from '../../support/server/chat-fixture.ts';
import { canTranscribe, demoSpeech, hasMedia } from '../../support/models/demo-speech.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';
import { createModelsDir, tinyEncoder, tinyModel, tinyProjector } from '../../support/models/tiny-model.ts';
import { tinyVoice } from '../../support/models/tiny-voice.ts';
import { tone, writeWav } from '../../support/audio/wav.ts';

interface Asked {
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Sent as a form in place of the body. */
  readonly audio?: Uint8Array<ArrayBuffer>;
}

const messages = [{ role: 'user', content: 'Hello' }];
const few = { max_tokens: 4, temperature: 0 };
const audio = writeWav(tone(440, 2));
const schema = { type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'] };

/** Requests that need each of the things that a model may do: whole, streamed, and of every dialect. */
const requests: Readonly<Record<keyof ModelWork, readonly Asked[]>> = {
  generate: [
    { path: '/v1/chat/completions', body: { messages, ...few, logprobs: true, top_logprobs: 2 } },
    { path: '/v1/chat/completions', body: { messages, ...few, stream: true } },
    {
      path: '/v1/chat/completions',
      body: { messages, response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } },
    },
    { path: '/v1/completions', body: { prompt: ['one', 'two'], ...few, echo: true, logprobs: 1 } },
    { path: '/completion', body: { prompt: 'one', n_predict: 4, n_probs: 2, temperature: 0 } },
    { path: '/infill', body: { input_prefix: 'one', input_suffix: 'two', n_predict: 4, temperature: 0 } },
    { path: '/v1/messages', body: { messages, ...few } },
    { path: '/v1/responses', body: { input: 'Hello', temperature: 0, max_output_tokens: 16 } },
    { path: '/v1/responses/compact', body: { input: 'Hello' } },
    { path: '/api/chat', body: { messages, options: { num_predict: 4, temperature: 0 } } },
    { path: '/api/v1/chat', body: { input: 'Hello', temperature: 0, max_output_tokens: 4 } },
    { path: '/api/v1/chat', body: { input: 'Hello', temperature: 0, max_output_tokens: 4, stream: true } },
    {
      path: '/api/generate',
      body: { prompt: 'Hello', stream: false, options: { num_predict: 4, temperature: 0 } },
    },
  ],
  countTokens: [
    { path: '/v1/messages/count_tokens', body: { messages } },
    { path: '/v1/responses/input_tokens', body: { input: 'Hello' } },
  ],
  tokenize: [
    { path: '/v1/tokenize', body: { content: 'Hello', with_pieces: true } },
    { path: '/tokenize', body: { messages } },
    { path: '/apply-template', body: { messages } },
    { path: '/v1/detokenize', body: { tokens: [5, 6] } },
    { path: '/detokenize', body: { tokens: [5, 99_999_999] } },
    { path: '/api/generate', body: { prompt: '' } },
    { path: '/api/chat', body: { messages: [], stream: false } },
  ],
  embed: [
    { path: '/v1/embeddings', body: { input: ['one', [5, 6]] } },
    { path: '/v1/embeddings', body: { input: ['one', 'words '.repeat(8000)] } },
    { path: '/api/embed', body: { input: 'one' } },
    { path: '/api/embeddings', body: { prompt: 'one' } },
  ],
  rank: [
    { path: '/v1/rerank', body: { query: 'fox', documents: ['a dog', 'the fox slept'] } },
    { path: '/rerank', body: { query: 'fox', documents: ['a dog', 'words '.repeat(8000)] } },
  ],
  transcribe: [
    { path: '/v1/audio/transcriptions', audio },
    { path: '/v1/audio/translations', audio },
  ],
  // A seed makes the same sound, byte for byte.
  speak: [
    { path: '/v1/audio/speech', body: { input: 'Hello. A fox.', response_format: 'pcm', seed: 7 } },
    { path: '/v1/audio/speech', body: { input: 'Hello.', response_format: 'pcm', stream_format: 'sse' } },
    { path: '/v1/audio/speech', body: { input: 'Hello.', language: 'tlh' } },
  ],
};

const files: Readonly<Record<ModelKind, (() => Promise<string>) | undefined>> = {
  chat: () => tinyModel(),
  embedding: () => tinyEncoder(),
  reranker: () => tinyEncoder({ ranks: true }),
  speech: canTranscribe ? () => demoSpeech() : undefined,
  voice: hasMedia ? async () => (await tinyVoice({ family: 'qwen' })).model : undefined,
};
const kinds = Object.entries(files).flatMap(([kind, file]) => (file === undefined ? [] : [{ kind, file }]));

const url = `data:image/bmp;base64,${pictureFile(0).toString('base64')}`;
const picture = { role: 'user', content: [{ type: 'image_url', image_url: { url } }] };
const asksSeeing = { path: '/v1/chat/completions', body: { messages: [picture], ...few } };

const stack = new AsyncDisposableStack();
const servers: RunningServer[] = [];
let modelsFolder: string;
beforeAll(async () => {
  const paths: Record<string, string> = {};
  for (const { kind, file } of kinds) paths[kind] = await file();
  paths['voice.mmproj'] = (await tinyVoice({ family: 'qwen' })).projector;
  paths['seeing'] = await tinyModel(seeingFamilies.gemma3.model);
  paths['seeing.mmproj'] = await tinyProjector(seeingFamilies.gemma3.projector);
  const modelsDir = await createModelsDir(paths);
  modelsFolder = modelsDir;
  stack.defer(() => rm(modelsDir, { recursive: true, force: true }));
  const models = [...kinds.map(({ kind }) => kind), 'seeing'].map((id) => ({ id, ...oneThread }));
  for (const isolation of ['none', 'process'] as const) {
    const config = { demo: false, isolation, models };
    const server = await startServer({ modelsDirs: [modelsDir], config });
    stack.defer(() => server.stop().then(() => undefined));
    servers.push(server);
  }
});
afterAll(() => stack.disposeAsync());

/** Status, kind of content and shape of an answer. */
async function ask({ baseUrl, apiKey }: RunningServer, model: string, { path, body, audio: sound }: Asked) {
  const form = new FormData();
  if (sound !== undefined) {
    form.set('model', model);
    form.set('file', new File([sound], 'tone.wav'));
    // At a lower one it is heard again and again until it makes sense, which no translation by a demo does.
    form.set('temperature', '1');
  }
  const response = await fetch(new URL(path, baseUrl), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? form : JSON.stringify({ model, ...body }),
  });
  const type = response.headers.get('content-type');
  const text = await response.text();
  const parts = text.split('\n').map((line) => line.replace(/^data: /, ''));
  return { status: response.status, type, shapes: [...new Set(parts.map(shapeOfText))] };
}

function shapeOfText(text: string): string {
  try {
    return JSON.stringify(shapeOf(JSON.parse(text)));
  } catch {
    return text;
  }
}

/** Names and kinds of values in place of values; those of an error stay, since they say why. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((one) => JSON.stringify(shapeOf(one))))];
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  const shapes = Object.entries(value).map(([name, one]) => [name, name === 'error' ? one : shapeOf(one)]);
  return Object.fromEntries(shapes) as unknown;
}

describe.each(kinds)('a $kind model in a process of its own', ({ kind }) => {
  it.each(Object.values(requests).flat())('answers $path as in the process of the server', async (asked) => {
    const [beside, isolated] = await Promise.all(servers.map((server) => ask(server, kind, asked)));
    expect(isolated).toEqual(beside);
    expect(isolated?.status).not.toBe(500);
  });
});

it.each(Object.entries(requests))('some kind of model can %s', async (_work, [asked]) => {
  const [, isolated] = servers;
  if (asked === undefined || isolated === undefined) throw new Error('nothing is asked');
  if ((asked.audio !== undefined && !canTranscribe) || (asked.path.endsWith('speech') && !hasMedia)) return;
  const answers = await Promise.all(kinds.map(({ kind }) => ask(isolated, kind, asked)));
  expect(answers.map(({ status }) => status)).toContain(200);
});

it.skipIf(process.platform !== 'linux')(
  'maps no file of a model, so that none is lost when one is cut',
  () => {
    const pids = servers.flatMap(({ pid }) => processTree(pid));
    expect(pids.length).toBeGreaterThan(servers.length + kinds.length);
    const maps = pids.map((pid) => readFileSync(`/proc/${pid}/maps`, 'utf8')).join('');
    expect(maps).toContain('.node');
    expect(maps).not.toContain(modelsFolder);
  },
);

it('goes on while files of all kinds are cut, with right answers or errors that name the model', async () => {
  const works = { chat: 'generate', embedding: 'embed', reranker: 'rank', speech: 'transcribe', voice: 'speak' } as const; // prettier-ignore
  const asked = kinds.flatMap(({ kind }) =>
    requests[works[kind as ModelKind]].slice(0, 1).map((one) => ({ id: kind, one })),
  );
  if (hasMedia) asked.push({ id: 'seeing', one: asksSeeing });
  // Here a fault would end all models, and not only one.
  const [beside] = servers;
  if (beside === undefined) throw new Error('no server');
  const askAll = async () =>
    await Promise.all(asked.map(async ({ id, one }) => ({ id, ...(await ask(beside, id, one)) })));
  const whole = await askAll();
  expect(whole.map(({ status }) => status)).toEqual(whole.map(() => 200));

  const names = await readdir(modelsFolder);
  const kept = await createModelsDir(
    Object.fromEntries(names.map((name) => [name, join(modelsFolder, name)])),
  );
  stack.defer(() => rm(kept, { recursive: true }));
  const wrong: unknown[] = [];
  /** Who answers: from memory, until it is noticed that a file was cut. */
  const answering = async () => {
    const answers = await askAll();
    const isRight = ({ id, status, shapes }: (typeof answers)[number], at: number) =>
      status === 200
        ? JSON.stringify(shapes) === JSON.stringify(whole[at]?.shapes)
        : shapes.some((one) => one.includes(`'${id}'`) || one.includes('which no model here understands'));
    wrong.push(...answers.filter((answer, at) => !isRight(answer, at)));
    return answers.filter(({ status }) => status === 200).map(({ id }) => id);
  };
  const patience = { timeout: 60_000, interval: 500 };
  // One that sees loses its projector only.
  for (const name of names.filter((one) => one !== 'seeing.gguf'))
    await truncate(join(modelsFolder, name), 4096);
  await expect.poll(answering, patience).toEqual([]);
  for (const name of names) await copyFile(join(kept, `${name}.gguf`), join(modelsFolder, name));
  await expect.poll(askAll, patience).toEqual(whole);
  expect(wrong).toEqual([]);
}, 200_000);

it('asks every metered route', () => {
  const asked = new Set(Object.values(requests).flatMap((some) => some.map(({ path }) => path)));
  expect(Object.values(meteredRoutes).filter(({ route }) => !asked.has(route))).toEqual([]);
});
