/**
 * Asks a real server for a mixture of all that it does, and prints once a minute the memory of its process, so that one
 * sees whether that grows for ever.
 *
 *   node scripts/load/growth.ts [--minutes 60] [--gap-ms 300]
 *
 * Resident megabytes, of which those of kept conversations are bounded by cacheMemory, 64 MiB here.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { hostileDocuments } from '../../test/support/files/hostile-documents.ts';
import { demoSpeech } from '../../test/support/models/demo-speech.ts';
import { tinyModel, tinyProjector } from '../../test/support/models/tiny-model.ts';
import { startServer } from '../../test/support/server/start-server.ts';
import { writeWav } from '../../test/support/audio/wav.ts';
import { processRssBytes } from '../bench/figures/proc.ts';
import { pictureFile, seeingFamilies } from '../compare/pictures/families.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, 'gap-ms': { type: 'string', default: '300' } },
});
const { model, projector } = seeingFamilies.gemma3;
await using stack = new AsyncDisposableStack();
const server = await startServer({
  modelsDirs: [],
  config: {
    demo: false,
    cacheMemory: '64MiB',
    models: [
      { id: 'seeing', source: await tinyModel(model), projector: await tinyProjector(projector), threads: 1 },
      { id: 'other', source: await tinyModel({ endOfTurnGain: 0 }), keepAlive: '5s', threads: 1 },
      { id: 'ears', source: await demoSpeech(), threads: 1 },
    ],
  },
});
stack.defer(async () => void (await server.stop()));
const headers = { authorization: `Bearer ${server.apiKey}` };

async function post(path: string, body: object, signal?: AbortSignal): Promise<void> {
  const response = await fetch(`${server.baseUrl}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
  await response.arrayBuffer();
}

let round = 0;
/** Conversations, schemas and names that nobody asked for before: each could leave something behind. */
const words = () => Array.from({ length: 20 }, () => Math.random().toString(36).slice(2, 7)).join(' ');
const user = (content: unknown) => ({ messages: [{ role: 'user', content }], max_tokens: 40 });
const documents = hostileDocuments();
const asks: readonly (() => Promise<void>)[] = [
  () => post('/chat/completions', { model: 'seeing', ...user(words()), stream: true }),
  () => post('/chat/completions', { model: 'seeing', ...user(words()) }, AbortSignal.timeout(150)),
  () => post('/messages', { model: 'seeing', ...user(words()) }),
  () =>
    post('/responses', { model: 'seeing', input: words(), max_output_tokens: 30, store: round % 10 === 0 }),
  () => post('/chat/completions', { model: 'other', ...user(words()), ...aSchema() }),
  () => post('/embeddings', { model: 'other', input: [words(), words()] }),
  () => post('/chat/completions', { model: 'seeing', ...user(aPicture()) }),
  () => post('/chat/completions', { model: 'none', ...user(words()) }),
  () =>
    post('/documents', {
      file_data: Buffer.from(documents[round % documents.length]?.bytes ?? []).toString('base64'),
    }),
  transcribe,
];

function aSchema(): object {
  const properties = { [`n${words().slice(0, 5)}`]: { type: 'integer' }, at: { enum: [words()] } };
  return {
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'a', schema: { type: 'object', properties } },
    },
  };
}

function aPicture(): unknown {
  const url = `data:image/bmp;base64,${pictureFile(round % 3).toString('base64')}`;
  return [
    { type: 'image_url', image_url: { url } },
    { type: 'text', text: words() },
  ];
}

async function transcribe(): Promise<void> {
  const form = new FormData();
  form.set('model', 'ears');
  form.set('file', new Blob([writeWav(new Float32Array(16_000 * 2))]), 'silence.wav');
  await (
    await fetch(`${server.baseUrl}/audio/transcriptions`, { method: 'POST', headers, body: form })
  ).text();
}

const residentMegabytes = () => Math.round((processRssBytes(server.pid) ?? Number.NaN) / 2 ** 20);

const endsAtMs = Date.now() + Number(values.minutes) * 60_000;
let asked = 0;
let saidAtMs = 0;
while (Date.now() < endsAtMs) {
  if (Date.now() - saidAtMs >= 60_000) {
    saidAtMs = Date.now();
    console.log(`${new Date().toISOString().slice(11, 16)} ${asked} requests, ${residentMegabytes()} MB`);
  }
  await asks[round % asks.length]?.().catch(() => undefined);
  asked += 1;
  round += 1;
  await sleep(Number(values['gap-ms']));
}
