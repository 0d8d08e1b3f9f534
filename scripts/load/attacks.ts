/**
 * Sends requests that are made to hold up a server to a real one, and tells how long /healthz waited meanwhile, beside
 * a server that does nothing else on the same machine, and beside a plain chat, which is the control.
 *
 *   node scripts/load/attacks.ts [--rounds 3] [--only NAME]
 *
 * Numbers are milliseconds: the longest answer of /healthz beyond the longest of the idle server, the median of the
 * rounds and the least and most of them.
 */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { crc32, deflateSync } from 'node:zlib';
import { startHostileUpstream, sendJson } from '../../test/support/upstream/hostile-upstream.ts';
import { startServer } from '../../test/support/server/start-server.ts';
import { watchHealth } from '../../test/support/watch/health-watch.ts';
import { tinyModel, tinyProjector } from '../../test/support/models/tiny-model.ts';
import { hostileDocuments } from '../../test/support/files/hostile-documents.ts';
import { demoSpeech } from '../../test/support/models/demo-speech.ts';
import { writeWav } from '../../test/support/audio/wav.ts';
import { seeingFamilies } from '../compare/pictures/families.ts';
import { quantile } from '../../src/cli/bench/statistics.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, only: { type: 'string' } },
});
const mib = 2 ** 20;
const messages = [{ role: 'user', content: 'Hello' }];

await using stack = new AsyncDisposableStack();
const nested = (bytes: number) => '['.repeat(bytes);
const hostile = stack.use(
  await startHostileUpstream({
    'nested-6': (response) => void response.end(nested(6 * mib)),
    'nested-40': (response) => void response.end(nested(40 * mib)),
    plain: (response) => sendJson(response, 200, { data: [] }),
  }),
);
const { model, projector } = seeingFamilies.gemma3;
const server = await startServer({
  modelsDirs: [],
  config: {
    audioBodyLimit: '256MiB',
    models: [
      { id: 'seeing', source: await tinyModel(model), projector: await tinyProjector(projector), threads: 1 },
      { id: 'ears', source: await demoSpeech() },
      { id: 'nested-6', upstream: { url: hostile.url } },
      { id: 'nested-40', upstream: { url: hostile.url } },
    ],
  },
});
stack.defer(async () => void (await server.stop()));
const headers = { authorization: `Bearer ${server.apiKey}` };

async function post(path: string, body: string): Promise<number> {
  const response = await fetch(`${server.baseUrl}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}

async function chat(content: unknown, rest: object = {}): Promise<number> {
  const body = { model: 'seeing', messages: [{ role: 'user', content }], max_tokens: 8, ...rest };
  return await post('/chat/completions', JSON.stringify(body));
}
const look = (kind: string, picture: Uint8Array) =>
  chat([
    {
      type: 'image_url',
      image_url: { url: `data:image/${kind};base64,${Buffer.from(picture).toString('base64')}` },
    },
  ]);

async function transcribe(file: Uint8Array<ArrayBuffer>): Promise<number> {
  const form = new FormData();
  form.set('model', 'ears');
  form.set('file', new Blob([file]), 'silence.wav');
  const response = await fetch(`${server.baseUrl}/audio/transcriptions`, {
    method: 'POST',
    headers,
    body: form,
  });
  await response.arrayBuffer();
  return response.status;
}

async function upload(file: Uint8Array<ArrayBuffer>): Promise<number> {
  const form = new FormData();
  form.set('purpose', 'batch');
  form.set('file', new Blob([file]), 'lines.jsonl');
  const response = await fetch(`${server.baseUrl}/files`, { method: 'POST', headers, body: form });
  await response.arrayBuffer();
  return response.status;
}

/** Keeps a stream of some megabytes, and has hundreds of readers of it that never read. */
async function readNothing(): Promise<string> {
  const body = {
    model: 'seeing',
    messages,
    max_tokens: 1024,
    logprobs: true,
    top_logprobs: 20,
    stream: true,
  };
  const named = { ...headers, 'content-type': 'application/json', 'x-conversation-id': 'kept' };
  const kept = await fetch(`${server.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: named,
    body: JSON.stringify({ ...body, ignore_eos: true }),
  });
  await kept.arrayBuffer();
  const { hostname, port } = new URL(server.baseUrl);
  const head = `GET /v1/stream/kept HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${headers.authorization}\r\n\r\n`;
  const readers = Array.from({ length: 400 }, () => {
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.pause().write(head);
    return socket;
  });
  await sleep(3000);
  for (const reader of readers) reader.destroy();
  return 'none that was read';
}

/** A document in the form of each API, by the path that takes it. */
const documentBodies: Readonly<Record<string, (data: string) => object>> = {
  '/documents': (data) => ({ file_data: data }),
  '/chat/completions': (data) => ({
    model: 'seeing',
    max_tokens: 1,
    messages: [{ role: 'user', content: [{ type: 'file', file: { file_data: data, filename: oddName } }] }],
  }),
  '/responses': (data) => ({
    model: 'seeing',
    max_output_tokens: 16,
    input: [{ role: 'user', content: [{ type: 'input_file', file_data: data, filename: oddName }] }],
  }),
  '/messages': (data) => ({
    model: 'seeing',
    max_tokens: 1,
    messages: [
      {
        role: 'user',
        content: [
          {
            type: 'document',
            title: oddName,
            source: { type: 'base64', media_type: 'application/pdf', data },
          },
        ],
      },
    ],
  }),
};
const oddName = '../../etc/passwd\u0000\u001b[2J\n```.pdf';

/** The number of answers of each status. */
async function readDocuments(path: string): Promise<string> {
  const toBody = documentBodies[path] ?? (() => ({}));
  const send = ({ bytes }: { readonly bytes: Uint8Array }) =>
    post(path, JSON.stringify(toBody(Buffer.from(bytes).toString('base64'))));
  const statuses = await Promise.all(hostileDocuments().map(send));
  return [...Map.groupBy(statuses, (status) => status)]
    .map(([status, { length }]) => `${length} times ${status}`)
    .join(', ');
}

const silence = writeWav(new Float32Array(3500 * 16_000), { encoding: 'u8' });
const padding = Buffer.alloc(20 * mib, 0xff);
padding.writeUInt16BE(0xff_d8, 0);
const large = grayPng(7900, 8000);

/** Requests that are made to hold the server up, and controls, by their names in the report. */
const attacks: Readonly<Record<string, () => Promise<unknown>>> = {
  'control: a chat of 512 tokens': () => chat('Hello', { max_tokens: 512 }),
  'control: eight chats of 512 tokens at once': () =>
    Promise.all(Array.from({ length: 8 }, () => chat('Hello', { max_tokens: 512 }))),
  'an hour of silence': () => transcribe(silence),
  'eight hours of silence at once': () => Promise.all(Array.from({ length: 8 }, () => transcribe(silence))),
  'a JPEG of 20 MiB of padding': () => look('jpeg', padding),
  'a picture of 63 megapixels': () => look('png', large),
  'four pictures of 63 megapixels at once': () =>
    Promise.all(Array.from({ length: 4 }, () => look('png', large))),
  'an upstream with 6 MiB of brackets for vectors': () =>
    post('/embeddings', JSON.stringify({ model: 'nested-6', input: ['a', 'b'] })),
  'an upstream with 40 MiB of brackets for vectors': () =>
    post(
      '/embeddings',
      JSON.stringify({ model: 'nested-40', input: Array.from({ length: 256 }, () => 'a') }),
    ),
  'a request of 20 MiB of brackets': () => post('/chat/completions', nested(20 * mib)),
  'a request of 20 MiB of numbers': () =>
    post(
      '/chat/completions',
      JSON.stringify({ model: 'seeing', messages, x: Array.from({ length: 5 * mib }, () => 100) }),
    ),
  'a request of 20 MiB of names': () =>
    post(
      '/chat/completions',
      `{"model":"seeing","x":{${Array.from({ length: 1.4 * mib }, (_, n) => `"n${n}":1`).join(',')}}}`,
    ),
  'a batch file of 100 MiB of blank lines': () => upload(new Uint8Array(100 * mib).fill(10)),
  '400 readers of a kept stream that never read': readNothing,
  ...Object.fromEntries(
    Object.keys(documentBodies).map((path) => [
      `two hundred hostile documents at once for ${path}`,
      () => readDocuments(path),
    ]),
  ),
  'a prompt of 19 MiB': () => chat('word '.repeat(4 * mib - 50_000)),
};

await chat('Hello');
await transcribe(writeWav(new Float32Array(16_000)));
for (const [name, send] of Object.entries(attacks)) {
  if (values.only !== undefined && !name.includes(values.only)) continue;
  const delaysMs: number[] = [];
  let answered: unknown;
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const { delayMs } = await watchHealth(server, async () => void (answered = await send()));
    delaysMs.push(delayMs);
  }
  const [least, median, most] = [0, 0.5, 1].map((share) =>
    (quantile(delaysMs, share) ?? Number.NaN).toFixed(0),
  );
  console.log(`${name}: ${median} ms [${least}–${most}], answered ${String(answered)}`);
}

/** A picture of one grey, in a file of some kilobytes. */
function grayPng(widthPixels: number, heightPixels: number): Buffer {
  const chunk = (name: string, data: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(name), data]);
    const whole = Buffer.alloc(named.length + 8);
    whole.writeUInt32BE(data.length, 0);
    named.copy(whole, 4);
    whole.writeUInt32BE(crc32(named), named.length + 4);
    return whole;
  };
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  head.writeUInt32BE(widthPixels, 0);
  head.writeUInt32BE(heightPixels, 4);
  const rows = deflateSync(Buffer.alloc((widthPixels + 1) * heightPixels));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}
