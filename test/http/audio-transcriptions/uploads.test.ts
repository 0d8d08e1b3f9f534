import { createReadStream, readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../../support/wire/error-envelope.ts';
import { listen, userKey } from '../../support/fakes/http-service.ts';
import type { Service } from '../../support/fakes/http-service.ts';
import { testFolder } from '../../support/files/test-folder.ts';
import { tone, writeWav } from '../../support/audio/wav.ts';

const wav = writeWav(tone(440, 1.5));
const wavPath = path.join(testFolder, 'speech.wav');
writeFileSync(wavPath, wav);
const limitBytes = 2 ** 20;

let service: Service;
beforeAll(async () => {
  service = await listen({ audioBodyLimitBytes: limitBytes });
});
afterAll(() => service.close());

const uploads = (): string[] => readdirSync(testFolder).filter((name) => name !== path.basename(wavPath));

function send(file: Blob | string, name = 'file'): Promise<Response> {
  const form = new FormData();
  form.append('model', 'ears');
  if (typeof file === 'string') form.append(name, file);
  else form.append(name, file, 'speech.wav');
  const headers = { authorization: `Bearer ${userKey}` };
  return fetch(`${service.origin}/v1/audio/transcriptions`, { method: 'POST', body: form, headers });
}

/** A connection that has sent the head of a request, announcing `contentLength` bytes, and the begin of its form. */
function openRequest(contentLength: number) {
  const socket = connect(service.port, '127.0.0.1');
  socket.write(
    `POST /v1/audio/transcriptions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${userKey}\r\n` +
      `content-type: multipart/form-data; boundary=x\r\ncontent-length: ${contentLength}\r\n\r\n` +
      '--x\r\ncontent-disposition: form-data; name="file"; filename="speech.wav"\r\n\r\n',
  );
  return socket;
}

describe('the openai client', () => {
  it.each([
    ['a File', () => new File([wav], 'speech.wav')],
    ['a path', () => createReadStream(wavPath)],
    ['a stream', () => toFile(Readable.from([wav.subarray(0, 100), wav.subarray(100)]), 'speech.wav')],
    ['bytes', () => toFile(wav, 'speech.WAV')],
    ['a response', async () => toFile(new Response(wav), 'speech.wav')],
  ])('sends %s', async (_what, file) => {
    const answer = await service.client.audio.transcriptions.create({
      file: await file(),
      model: 'whisper-1',
      language: 'es',
      temperature: 0.5,
      response_format: 'verbose_json',
      timestamp_granularities: ['segment'],
    });
    expect(answer).toMatchObject({ language: 'es', duration: 1.5, text: 'The quick brown fox jumped.' });
    expect(answer.segments?.[0]?.no_speech_prob).toBe(0.25);
    expect(service.speech.requests.at(-1)).toMatchObject({ temperature: 0.5, language: 'es' });
    expect(uploads()).toEqual([]);
  });
});

describe('the size of a form', () => {
  it('is refused for its file, and for what is beside it, on a connection that goes on', async () => {
    const large = new Blob([new Uint8Array(limitBytes + 1)]);
    expect(await expectError(await send(large), 'request_too_large', null)).toContain(String(limitBytes));
    await expectError(await send(large, 'attachment'), 'request_too_large', null);
    await expectError(await send(new Blob([new Uint8Array(limitBytes * 4)])), 'request_too_large', null);
    expect((await send(new Blob([wav]))).status).toBe(200);
    expect(uploads()).toEqual([]);
  });

  it('is refused by its announcement, before its file came', async () => {
    const socket = openRequest(9_999_999_999);
    const answer = await new Promise<Buffer>((resolve) => void socket.once('data', resolve));
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });
});

describe('a client that leaves', () => {
  it('leaves no file of a half upload', async () => {
    const socket = openRequest(500_000);
    socket.write(Buffer.alloc(200_000));
    await expect.poll(uploads).toHaveLength(1);
    socket.destroy();
    await expect.poll(uploads).toEqual([]);
  });

  it('ends what is transcribed for it', async () => {
    service.speech.endless = Promise.withResolvers();
    const leaving = new AbortController();
    const file = new File([wav], 'speech.wav');
    const answer = service.client.audio.transcriptions
      .create({ file, model: 'ears' }, { signal: leaving.signal })
      .catch((error: unknown) => error);
    await service.speech.endless.promise;
    service.speech.endless = undefined;
    leaving.abort();
    expect(await answer).toBeInstanceOf(Error);
    await expect.poll(() => service.limiter.lastSettlement?.status).toBe(499);
    expect(service.limiter.lastSettlement).toMatchObject({ audioSeconds: 0.75 });
    await expect.poll(uploads).toEqual([]);
  });
});
