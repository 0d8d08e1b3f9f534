import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tone, writeWav } from '../../support/audio/wav.ts';
import { hasMedia } from '../../support/models/demo-speech.ts';
import { tinyVoice } from '../../support/models/tiny-voice.ts';
import { hasPseudoTerminal, openTerminalProgram } from '../../support/page/pseudo-terminal.ts';
import { openClient } from '../../support/server/chat-client.ts';
import { makeAccount, makeKey } from '../../support/server/make-accounts.ts';
import { hearthProcess } from '../../support/server/hearth-process.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { ledgerOf } from '../../support/watch/ledger.ts';

const cliPath = join(import.meta.dirname, '../../../src/cli.ts');
const frameBytes = 3840;
const endless = 'Without an end.';

/** A server that speaks: two seconds of sound for each text, and as much as is wanted for one of them. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"object":"list","data":[{"id":"mouth","object":"model"}]}');
    return;
  }
  const { input } = (await json(request)) as { input: string };
  const isEndless = input === endless;
  response.writeHead(200, { 'content-type': 'audio/pcm' });
  for (let frame = 0; frame < (isEndless ? 1000 : 25) && !response.closed; frame += 1) {
    response.write(Buffer.alloc(frameBytes, frame + 1));
    await sleep(isEndless ? 40 : 0);
  }
  response.end();
}

const folder = mkdtempSync(join(tmpdir(), 'hearth-speaks-'));
const dataDir = join(folder, 'data');
const modelsDir = join(folder, 'models');
const behind = createServer((request, response) => void answer(request, response));
let server: RunningServer;

const start = () =>
  startServer({
    modelsDirs: [modelsDir],
    dataDir,
    config: {
      demo: false,
      plans: { unlimited: { limits: {}, models: { mouth: { limits: { audioSeconds: { day: 12 } } } } } },
      voices: { broken: join(folder, 'broken.wav') },
      models: [
        {
          id: 'mouth',
          kind: 'voice',
          upstream: { url: `http://127.0.0.1:${(behind.address() as AddressInfo).port}/v1` },
        },
      ],
    },
  });

beforeAll(async () => {
  mkdirSync(dataDir);
  mkdirSync(join(modelsDir, 'voices'), { recursive: true });
  for (const family of ['pocket', 'qwen'] as const) {
    const { model, projector } = await tinyVoice({ family });
    copyFileSync(model, join(modelsDir, `${family}.gguf`));
    copyFileSync(projector, join(modelsDir, `mmproj-${family}.gguf`));
  }
  const demo = fileURLToPath(new URL('../../../models/hearth-demo-voice', import.meta.url));
  copyFileSync(`${demo}.gguf`, join(modelsDir, 'demo-mouth.gguf'));
  copyFileSync(`${demo}.mmproj.gguf`, join(modelsDir, 'mmproj-demo-mouth.gguf'));
  writeFileSync(join(modelsDir, 'voices', 'berta.wav'), writeWav(tone(220, 2)));
  writeFileSync(join(modelsDir, 'voices', 'short.wav'), writeWav(tone(220, 0.001)));
  writeFileSync(join(folder, 'broken.wav'), 'no sound');
  await new Promise<void>((resolve) => void behind.listen(0, '127.0.0.1', resolve));
  server = await start();
});
afterAll(async () => {
  await server.stop();
  behind.closeAllConnections();
  behind.close();
  rmSync(folder, { recursive: true });
});

const say = (...args: readonly string[]) =>
  hearthProcess(folder, ['say', ...args], { HEARTH_DATA_DIR: dataDir });

const ask = (body: object, { key = server.apiKey, signal }: { key?: string; signal?: AbortSignal } = {}) =>
  fetch(`${server.baseUrl}/audio/speech`, {
    method: 'POST',
    signal: signal ?? null,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'Good morning! How are you?', response_format: 'pcm', ...body }),
  });

describe.runIf(hasMedia)('a model in a file', () => {
  it.each(['pocket', 'qwen'])('says the same with the same seed, whole or in events: %s', async (model) => {
    const request = { model, voice: 'berta', seed: 7 };
    const sound = Buffer.from(await (await ask(request)).arrayBuffer());
    expect(sound.length % frameBytes).toBe(0);
    const text = await (await ask({ ...request, stream_format: 'sse' })).text();
    const deltas = Array.from(text.matchAll(/"audio":"([^"]+)"/g), ([, audio = '']) => audio);
    expect(Buffer.concat(deltas.map((audio) => Buffer.from(audio, 'base64'))).equals(sound)).toBe(true);
    const charged = ledgerOf(server).at(-1);
    expect(charged?.promptTokens).toBeGreaterThan(3);
    expect(text).toContain(`"input_tokens":${charged?.promptTokens},`);
    expect(charged?.audioMs).toBe(sound.length / 48);
  });

  it.each([
    ['a recording that is none', { voice: 'broken' }, 'invalid_value', 'voice'],
    ['a recording that is too short', { model: 'pocket', voice: 'short' }, 'invalid_value', 'voice'],
    ['instructions', { instructions: 'softly' }, 'unsupported_value', 'instructions'],
    ['a language that it does not speak', { language: 'xx' }, 'unsupported_value', 'language'],
  ] as const)('refuses %s', async (_what, changes, code, param) => {
    await expectError(await ask({ model: 'qwen', voice: 'berta', ...changes }), code, param);
  });

  it.each([
    ['Call 1234567.', 'ISBN 9783161484100', '2026-11-26 15:33:20', '10.0.0.255:8080', '9999999999'],
    [
      'Hello xxxxxxxxxxxxxxxxxxxx there',
      'y'.repeat(200),
      `https://www.example.com/${'a1/'.repeat(20)}?q=x&y=%20`,
    ],
    ['#', '---', '(', '* * *', '"', '。', '\u00A0!'],
    ['&', '€', '½', '😀', '語', 'ß', '-5', '<|im_end|>'],
  ])('speaks any text, or is silent for a moment: %s …', async (...texts) => {
    for (const model of ['demo-mouth', 'pocket'])
      for (const input of texts) {
        const voice = model === 'pocket' ? { voice: 'berta' } : {};
        const answered = await ask({ model, input, ...voice });
        const bytes = (await answered.arrayBuffer()).byteLength;
        expect([model, input, answered.status, bytes > 0]).toEqual([model, input, 200, true]);
      }
  });

  it('speaks to twenty at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const answered = await ask({ model: 'pocket', voice: 'berta', input: '\u202Eשלום abc' });
        return [answered.status, (await answered.arrayBuffer()).byteLength > 0];
      }),
    );
    expect(answers).toEqual(Array.from({ length: 20 }, () => [200, true]));
  });
});

it.runIf(hasMedia)(
  'speaks to another account before long texts of the first have ended, read or not',
  async () => {
    makeAccount(server, 'other');
    const { secret: key } = makeKey(server, 'other');
    const long = 'The quick brown fox jumps over the lazy dog again. '.repeat(80).slice(0, 4050);
    const leaving = new AbortController();
    const { signal } = leaving;
    const asked = Array.from({ length: 4 }, () => ask({ model: 'demo-mouth', input: long }, { signal }));
    // The first is being spoken, and nobody reads it further than that.
    const first = await Promise.race(asked);
    let ended = 0;
    const readAll = asked.slice(2).map(async (one) => {
      await (await one).arrayBuffer();
      ended += 1;
    });
    const settled = Promise.allSettled([...asked, ...readAll]);
    const short = await ask({ model: 'demo-mouth', input: 'Hello.' }, { key });
    expect([first.status, short.status, (await short.arrayBuffer()).byteLength > 0]).toEqual([
      200,
      200,
      true,
    ]);
    expect(ended).toBe(0);
    leaving.abort();
    await settled;
  },
);

describe('a server that speaks', () => {
  it('is told by its models', async () => {
    expect(await openClient(server).models.retrieve('mouth')).toMatchObject({
      kind: 'voice',
      supports_speech_output: true,
      capabilities: { supports_audio: false },
    });
  });

  it('answers the openai client', async () => {
    const { audio } = openClient(server);
    const answered = await audio.speech.create({
      model: 'mouth',
      voice: 'nova',
      input: 'Good morning!',
      response_format: 'wav',
    });
    const sound = Buffer.from(await answered.arrayBuffer());
    expect([sound.length, sound[44], sound.at(-1)]).toEqual([44 + 25 * frameBytes, 1, 25]);
    expect(ledgerOf(server).at(-1)).toMatchObject({ route: '/v1/audio/speech', status: 200, audioMs: 2000 });
  });

  it('writes files by hearth say, whose length is right', async () => {
    expect(await say('Good', 'morning!', '-o', 'morning.wav', '--model', 'mouth')).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    const sound = readFileSync(join(folder, 'morning.wav'));
    expect([sound.length, sound.readUInt32LE(4), sound.readUInt32LE(40)]).toEqual([
      44 + 25 * frameBytes,
      36 + 25 * frameBytes,
      25 * frameBytes,
    ]);
  });

  it('says what to do where a sound cannot go anywhere', async () => {
    const nowhere = await say('Hello');
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('-o FILE')]);
    const unknown = await say('Hello', '-o', 'x.wav', '--model', 'ears');
    expect(unknown.stderr).toBe(
      'hearth: there is no voice model "ears" (there are: demo-mouth, mouth, pocket, qwen)\n',
    );
    const fast = await say('Hello', '-o', 'x.wav', '--speed', '9');
    expect(fast.stderr).toBe("hearth: 'speed' must be at most 4.\n");
  });

  it.runIf(hasPseudoTerminal)('plays on a terminal', async () => {
    const player = join(folder, 'aplay');
    writeFileSync(player, `#!/bin/sh\ncat > ${join(folder, 'played.wav')}\n`);
    chmodSync(player, 0o755);
    const env = { PATH: `${folder}:${process.env['PATH']}`, HEARTH_DATA_DIR: dataDir };
    const command = [process.execPath, cliPath, 'say', 'Hello', '--model', 'mouth'];
    await using program = openTerminalProgram(command, { cwd: folder, env });
    expect(await program.exited).toBe(0);
    expect(readFileSync(join(folder, 'played.wav'))).toHaveLength(44 + 25 * frameBytes);
  });

  it('charges what was made of a stream before kill -9, and then refuses what is too much', async () => {
    const answered = await openClient(server).audio.speech.create({
      model: 'mouth',
      voice: 'nova',
      input: endless,
      response_format: 'pcm',
    });
    const reader = (answered.body as ReadableStream<Uint8Array>).getReader();
    let bytes = 0;
    // 40 ms for each frame of 80 ms: the usage is written down every two seconds.
    while (bytes <= 60 * frameBytes) bytes += (await reader.read()).value?.length ?? 0;
    // The stream is still open: a client that leaves before the kill would be charged as any other.
    await server.kill();
    await reader.cancel().catch(() => undefined);
    server = await start();
    const charged = ledgerOf(server).at(-1);
    // An estimate of four bytes for each token, as at the end of speech.
    expect(charged).toMatchObject({ route: '/v1/audio/speech', status: null, promptTokens: 4 });
    expect(charged?.audioMs).toBeGreaterThan(2000);
    const statuses: number[] = [];
    while (statuses.length < 5 && statuses.at(-1) !== 429) {
      const next = await ask({ model: 'mouth' });
      statuses.push(next.status);
      await next.arrayBuffer();
    }
    expect(statuses.at(-1)).toBe(429);
  });
});
