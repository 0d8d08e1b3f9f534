import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SoundEncoder } from '../../../src/engine/audio/sound-encoder.ts';
import { AppError, type ErrorCode } from '../../../src/errors/errors.ts';
import { hasFfmpeg } from '../../support/audio/audio-kinds.ts';
import { tone, writeWav } from '../../support/audio/wav.ts';
import { adminKey, buildApp, jsonRequest, listen, userKey } from '../../support/fakes/http-service.ts';
import { testFolder } from '../../support/files/test-folder.ts';
import { expectError } from '../../support/wire/error-envelope.ts';

const speechPath = '/v1/audio/speech';
const good = { model: 'mouth', input: 'Good morning!', response_format: 'wav' };
const pieceBytes = 3840;

let service: ReturnType<typeof buildApp>;
beforeEach(() => {
  service = buildApp();
});
const ask = (changes: object = {}, to = service) =>
  to.app.request(...jsonRequest(speechPath, { ...good, ...changes }));

describe('speech', () => {
  it('is a WAV file of unknown length, or its samples alone', async () => {
    const response = await ask();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('audio/wav');
    expect(response.headers.get('x-ratelimit-limit-requests')).not.toBeNull();
    const wav = Buffer.from(await response.arrayBuffer());
    expect(wav.toString('latin1', 0, 4) + wav.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
    expect([wav.readUInt32LE(4), wav.readUInt32LE(40)]).toEqual([0xffff_ffff, 0xffff_ffff]);
    expect([wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)]).toEqual([1, 24_000, 16]);
    expect(wav.length).toBe(44 + 5 * pieceBytes);
    const samples = await ask({ response_format: 'pcm' });
    expect(samples.headers.get('content-type')).toBe('audio/pcm');
    expect(Buffer.from(await samples.arrayBuffer())).toEqual(wav.subarray(44));
    expect(wav.readInt16LE(44 + 2 * 10)).toBe(Math.round(Math.sin(1) * 32_767));
  });

  it('asks the engine for what the request says', async () => {
    await ask();
    await ask({
      model: 'tts-1',
      input: 'a\u0000b\u202Ec\nd \uD800',
      voice: { id: 'berta' },
      language: 'DE',
      instructions: 'softly',
      seed: 2 ** 32 - 1,
    });
    const caller = { modelId: 'mouth', accountId: 'account-1', keyId: 'key-of-yz12' };
    const anna = { name: 'anna', path: '/voices/anna.wav' };
    expect(service.engine.voice.requests).toEqual([
      { ...caller, text: 'Good morning!', voice: anna },
      {
        ...caller,
        text: 'a bc\nd ',
        voice: { name: 'berta', path: '/voices/berta.wav' },
        language: 'de',
        instructions: 'softly',
        seed: 0,
      },
    ]);
  });

  it('takes the first voice for the names of OpenAI, and says so', async () => {
    const response = await ask({ voice: 'alloy', user: 'me' });
    expect(response.headers.get('x-ignored-parameters')).toBe('voice');
    expect(service.engine.voice.requests[0]?.voice?.name).toBe('anna');
    expect((await ask({ voice: 'default' })).headers.get('x-ignored-parameters')).toBeNull();
  });

  it('comes from a model that imitates nobody where nobody asked for a voice', async () => {
    service.engine.voice.imitatesNobody = true;
    expect((await (await ask({ voice: 'nova' })).arrayBuffer()).byteLength).toBe(44 + 5 * pieceBytes);
    await expectError(await ask({ voice: 'anna' }), 'unsupported_value', 'voice');
  });

  it.each<[string, object, ErrorCode, string]>([
    ['a text that is too long', { input: 'a'.repeat(60_000) }, 'invalid_value', 'input'],
    ['a blank text', { input: '\u0000\u200F\uE000 \n' }, 'invalid_value', 'input'],
    ['no text', { input: undefined }, 'missing_required_parameter', 'input'],
    ['an unknown voice', { voice: 'ana' }, 'invalid_value', 'voice'],
    ['a speed out of range', { speed: 4.1 }, 'invalid_value', 'speed'],
    ['an unknown format', { response_format: 'midi' }, 'invalid_value', 'response_format'],
    ['an unknown language', { language: 'German' }, 'invalid_value', 'language'],
    ['a model that cannot speak', { model: 'tiny' }, 'unsupported_value', 'model'],
    ['a slip in a name', { voise: 'anna' }, 'unknown_parameter', 'voise'],
  ])('refuses %s', async (_what, changes, code, param) => {
    const message = await expectError(await ask(changes), code, param);
    expect(service.limiter.admitted).toEqual([]);
    if (param === 'voice') expect(message).toContain("Did you mean 'anna'?");
  });

  it('without ffmpeg is WAV, and nothing else', async () => {
    const bare = buildApp({}, { sounds: new SoundEncoder('/nowhere/ffmpeg') });
    const { response_format: _, ...plain } = good;
    const response = await bare.app.request(...jsonRequest(speechPath, plain));
    expect(response.headers.get('content-type')).toBe('audio/wav');
    for (const [changes, param] of [
      [{ response_format: 'mp3' }, 'response_format'],
      [{ speed: 2 }, 'speed'],
    ] as const) {
      const answer = await bare.app.request(...jsonRequest(speechPath, { ...good, ...changes }));
      expect(await expectError(answer, 'unsupported_value', param)).toContain('install ffmpeg');
    }
  });

  it('comes as the events of OpenAI, with its usage', async () => {
    const response = await ask({ stream_format: 'sse', response_format: 'pcm' });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const events = (await response.text())
      .trim()
      .split('\n\n')
      .map((text) => JSON.parse(text.replace('data: ', '')) as { type: string; audio: string });
    const deltas = events.slice(0, -1);
    expect(new Set(deltas.map(({ type }) => type))).toEqual(new Set(['speech.audio.delta']));
    expect(Buffer.concat(deltas.map(({ audio }) => Buffer.from(audio, 'base64')))).toHaveLength(
      5 * pieceBytes,
    );
    expect(events.at(-1)).toEqual({
      type: 'speech.audio.done',
      usage: { input_tokens: 3, output_tokens: 5, total_tokens: 8, seconds: 0.4 },
    });
  });

  it('is charged by its text and its length', async () => {
    await (await ask()).arrayBuffer();
    expect(service.limiter.admitted).toEqual([
      expect.objectContaining({ route: speechPath, measures: ['requests', 'inputTokens', 'audioSeconds'] }),
    ]);
    expect(service.limiter.lastSettlement).toMatchObject({ status: 200, promptTokens: 3, audioSeconds: 0.4 });
  });

  it('that fails before its sound is an error of its own, with nothing charged', async () => {
    service.engine.voice.pieces = 0;
    service.engine.voice.fail = new AppError('invalid_audio', 'The recording is damaged.', {
      param: 'voice',
    });
    // Without ffmpeg an mp3 is refused before anything is spoken.
    for (const format of hasFfmpeg ? ['wav', 'mp3'] : ['wav'])
      await expectError(await ask({ response_format: format }), 'invalid_audio');
    expect(service.limiter.lastSettlement).toMatchObject({
      status: 400,
      audioSeconds: 0,
      refundRequest: true,
    });
  });

  it('that fails later ends in an error event', async () => {
    service.engine.voice.fail = new AppError('engine_error', 'It failed.');
    const text = await (await ask({ stream_format: 'sse' })).text();
    expect(text).toContain('speech.audio.delta');
    expect(text).toMatch(/event: error\ndata: .*"engine_error".*\n\n$/);
    expect(service.limiter.lastSettlement).toMatchObject({ status: 200, promptTokens: 3, audioSeconds: 0.4 });
  });
});

describe.runIf(hasFfmpeg)('speech through ffmpeg', () => {
  it.each([
    ['mp3', 'audio/mpeg', /^\u00FF[\u00F0-\u00FF]/],
    ['opus', 'audio/ogg', /^OggS/],
    ['aac', 'audio/aac', /^\u00FF[\u00F0-\u00FF]/],
    ['flac', 'audio/flac', /^fLaC/],
  ])('is %s', async (format, mediaType, beginning) => {
    const response = await ask({ response_format: format });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, mediaType]);
    expect(Buffer.from(await response.arrayBuffer()).toString('latin1')).toMatch(beginning);
  });

  it.each([0.25, 0.7, 3])('is %d times as fast', async (speed) => {
    service.engine.voice.pieces = 25;
    const sound = await (await ask({ response_format: 'pcm', speed })).arrayBuffer();
    expect((sound.byteLength / 48_000) * speed).toBeCloseTo(2, 1);
    expect(service.limiter.lastSettlement).toMatchObject({ audioSeconds: 2 });
  });
});

describe('over a socket', () => {
  let server: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    server = await listen();
  });
  afterAll(() => server.close());
  const voice = () => server.engine.voice;
  beforeEach(() => {
    Object.assign(voice(), { pieces: 5, fail: undefined, isEndless: false });
  });

  it('the openai client gets it whole, in the first format here without one', async () => {
    const answer = await server.client.audio.speech.create({ model: 'tts-1', voice: 'nova', input: 'Hello' });
    expect(answer.headers.get('content-type')).toBe(hasFfmpeg ? 'audio/mpeg' : 'audio/wav');
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(1000);
  });

  it('the first bytes come before the end, and a client that leaves stops it at once', async () => {
    voice().isEndless = true;
    for (const format of hasFfmpeg ? ['wav', 'mp3'] : ['wav']) {
      voice().pieces = 50;
      const leaving = new AbortController();
      const answer = await server.client.audio.speech.create(
        { model: 'mouth', voice: 'anna', input: 'Hello', response_format: format as 'wav' },
        { signal: leaving.signal },
      );
      await answer.body?.getReader().read();
      const ended = voice().ends.length;
      leaving.abort();
      await expect.poll(() => voice().ends.length).toBe(ended + 1);
      await expect.poll(() => server.limiter.lastSettlement).toMatchObject({ status: 200, audioSeconds: 4 });
    }
  });

  it('the connection of sound that fails breaks off', async () => {
    voice().fail = new AppError('engine_error', 'It failed.');
    const answer = await server.client.audio.speech.create({
      model: 'mouth',
      voice: 'anna',
      input: 'Hello',
      response_format: 'pcm',
    });
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });
});

describe('voices', () => {
  const recording = (seconds: number, level = 1) =>
    writeWav(tone(440, seconds).map((sample) => sample * level));
  async function upload(
    name: string,
    content: string | Uint8Array<ArrayBuffer>,
    filename = 'voice.wav',
    key = adminKey,
  ) {
    const form = new FormData();
    form.append('name', name);
    form.append('file', new File([content], filename));
    const encoded = new Response(form);
    return service.app.request('/admin/v1/voices', {
      method: 'POST',
      body: await encoded.arrayBuffer(),
      headers: { authorization: `Bearer ${key}`, 'content-type': encoded.headers.get('content-type') ?? '' },
    });
  }
  const list = async () => {
    const headers = { authorization: `Bearer ${userKey}` };
    const answer = await service.app.request('/v1/audio/voices', { headers });
    return (await answer.json()) as { data: { id: string; source: string }[]; voices: { id: string }[] };
  };
  const remove = (name: string) =>
    service.app.request(`/admin/v1/voices/${name}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${adminKey}` },
    });

  it('are added and deleted by an admin', async () => {
    const added = await upload('carla', recording(2));
    expect([added.status, await added.json()]).toEqual([
      201,
      { id: 'carla', object: 'voice', name: 'carla', source: 'upload' },
    ]);
    expect((await list()).data.map(({ id, source }) => `${id} ${source}`)).toEqual([
      'anna configuration',
      'berta configuration',
      'carla upload',
    ]);
    expect((await list()).voices.at(-1)).toEqual({ id: 'carla', name: 'carla' });
    expect(await (await ask({ voice: 'carla' })).arrayBuffer()).toBeDefined();
    expect(service.engine.voice.requests[0]?.voice?.path).toBe(path.join(testFolder, 'voices/carla.wav'));
    await expectError(await upload('carla', recording(2)), 'invalid_value');
    expect((await remove('carla')).status).toBe(200);
    await expectError(await remove('carla'), 'not_found');
    await expectError(await remove('anna'), 'invalid_value');
    expect(readdirSync(path.join(testFolder, 'voices'))).toEqual([]);
  });

  it.each<[string, () => ReturnType<typeof upload>, ErrorCode]>([
    ['half a second', () => upload('x', recording(0.5)), 'invalid_audio'],
    ['31 seconds', () => upload('x', recording(31)), 'audio_too_long'],
    ['silence', () => upload('x', recording(2, 0)), 'invalid_audio'],
    ['no audio', () => upload('x', 'x'.repeat(1000)), 'invalid_audio'],
    ['another extension', () => upload('x', recording(2), 'voice.txt'), 'unsupported_file'],
    ['a path for a name', () => upload('../x', recording(2)), 'invalid_value'],
    ['too many bytes', () => upload('x', recording(30)), 'request_too_large'],
    ["an ordinary user's key", () => upload('x', recording(2), 'x.wav', userKey), 'insufficient_permissions'],
  ])('are refused with %s', async (what, attempt, code) => {
    // A second of the tone takes 32 KB, and the largest file here 1 MiB.
    if (what === 'too many bytes') service = buildApp({ audioBodyLimitBytes: 500_000 });
    await expectError(await attempt(), code);
    expect((await list()).data).toHaveLength(2);
  });
});
