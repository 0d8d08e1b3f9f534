import { readdirSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/errors.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { rateLimitHeaders } from '../../support/fakes/fake-services.ts';
import { buildApp, limitedKey, userKey } from '../../support/fakes/http-service.ts';
import { testFolder } from '../../support/files/test-folder.ts';
import { tone, writeWav } from '../../support/audio/wav.ts';

const path = '/v1/audio/transcriptions';
const wav = writeWav(tone(440, 1.5));

type Fields = Readonly<Record<string, string | Blob | readonly string[] | undefined>>;

/** A form of a good file and model, with `fields` added or instead; undefined leaves one out. */
function form(fields: Fields = {}): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries({ file: wavFile(), model: 'ears', ...fields })) {
    for (const item of [value ?? []].flat() as (string | Blob)[]) {
      if (typeof item === 'string') data.append(name, item);
      else data.append(name, item);
    }
  }
  return data;
}

function wavFile(name = 'speech.wav', content: Uint8Array<ArrayBuffer> = wav): File {
  return new File([content], name);
}

function post(body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}): RequestInit {
  return { method: 'POST', body, headers: { authorization: `Bearer ${userKey}`, ...headers } };
}

let service: ReturnType<typeof buildApp>;

async function ask(
  fields: Fields = {},
  headers: Record<string, string> = {},
  to: string = path,
): Promise<Response> {
  // As bytes: a form that is given up half way trips over itself in process.
  const encoded = new Response(form(fields));
  const contentType = encoded.headers.get('content-type') ?? '';
  const request = post(await encoded.arrayBuffer(), { 'content-type': contentType, ...headers });
  return await service.app.request(to, request);
}

beforeEach(() => {
  service = buildApp();
  return () => expect(readdirSync(testFolder)).toEqual([]);
});

describe('a transcription', () => {
  it('has every field of the interface, and the usage of OpenAI', async () => {
    const response = await ask();
    expect(response.status).toBe(200);
    expect(response.headers.get('x-ignored-parameters')).toBeNull();
    expect(response.headers.get('x-ratelimit-limit-requests')).toBe(
      rateLimitHeaders['x-ratelimit-limit-requests'],
    );
    expect(await response.json()).toEqual({
      task: 'transcribe',
      language: 'en',
      duration: 1.5,
      text: 'The quick brown fox jumped.',
      segments: [
        {
          id: 0,
          seek: 0,
          start: 0,
          end: 1.12,
          text: ' The quick brown fox',
          tokens: [50364, 440, 1702, 50420],
          temperature: 0.2,
          avg_logprob: -0.144,
          compression_ratio: 0.9,
          no_speech_prob: 0.25,
        },
        {
          id: 1,
          seek: 3000,
          start: 30,
          end: 31,
          text: ' jumped.',
          tokens: [50364, 50414],
          temperature: 0,
          avg_logprob: -0.5,
          compression_ratio: 0.8,
          no_speech_prob: 0,
        },
      ],
      usage: { type: 'duration', seconds: 1.5 },
    });
  });

  it('of silence has an empty text and no segments', async () => {
    service.speech.segments = [];
    expect(await (await ask()).json()).toMatchObject({ text: '', segments: [], duration: 1.5 });
  });

  it('asks the engine for what the form says', async () => {
    await ask();
    await ask({ model: 'whisper-1', prompt: 'Fachbegriffe', temperature: '0.4', language: 'DE' });
    await ask({ prompt: '', temperature: '', language: 'auto' });
    const asked = service.speech.requests.map(({ samples, ...rest }) => ({ ...rest, count: samples.length }));
    const defaults = {
      modelId: 'ears',
      accountId: 'account-1',
      keyId: 'key-of-yz12',
      prompt: undefined,
      temperature: 0,
      count: 24_000,
    };
    expect(asked).toEqual([
      { ...defaults, language: 'en' },
      { ...defaults, language: 'de', prompt: 'Fachbegriffe', temperature: 0.4 },
      { ...defaults, language: 'auto' },
    ]);
  });

  it('takes the fields in any order', async () => {
    const data = new FormData();
    data.append('temperature', '1');
    data.append('model', 'ears');
    data.append('file', wavFile());
    data.append('language', 'fr');
    const response = await service.app.request(path, post(data));
    expect(await response.json()).toMatchObject({ language: 'fr' });
  });

  it('is charged by the length of its audio', async () => {
    await ask();
    expect(service.limiter.admitted).toEqual([
      expect.objectContaining({ modelId: 'ears', route: path, measures: ['requests', 'audioSeconds'] }),
    ]);
    expect(service.limiter.lastSettlement).toMatchObject({
      status: 200,
      audioSeconds: 1.5,
      completionTokens: 0,
      refundRequest: false,
    });
  });
});

describe('the parameters that are there for compatibility', () => {
  it('have no effect, and those that asked for something are told', async () => {
    const response = await ask({
      response_format: 'srt',
      stream: 'true',
      'include[]': ['logprobs'],
      'timestamp_granularities[]': ['word', 'segment'],
      'chunking_strategy[type]': 'server_vad',
    });
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('x-ignored-parameters')).toBe(
      'response_format, stream, include, timestamp_granularities, chunking_strategy',
    );
    expect(await response.json()).toMatchObject({ segments: [{ id: 0 }, { id: 1 }] });
  });

  it('may ask for what comes anyway', async () => {
    const harmless = {
      response_format: 'verbose_json',
      stream: 'false',
      'timestamp_granularities[]': ['segment'],
      chunking_strategy: 'auto',
    };
    expect((await ask(harmless)).headers.get('x-ignored-parameters')).toBeNull();
  });

  it('are told beside names that mean nothing at all', async () => {
    const response = await ask({ vendor_extra: 'x', stream: 'true', 'known_names[]': ['a', 'b'] });
    expect(response.headers.get('x-ignored-parameters')).toBe('vendor_extra, known_names, stream');
  });
});

describe('a transcription as events', () => {
  const events = { accept: 'text/event-stream' };
  const ofPackages = [{ 'x-stainless-lang': 'js' }, { 'user-agent': 'AsyncOpenAI/Python 3.22.1' }];
  const dataOf = (text: string) =>
    [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as { type?: string });

  it('has a delta for each segment, and the whole text at the end', async () => {
    const response = await ask({ stream: 'true' }, events);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(response.headers.get('x-ignored-parameters')).toBeNull();
    expect(dataOf(await response.text())).toEqual([
      { type: 'transcript.text.delta', delta: 'The quick brown fox' },
      { type: 'transcript.text.delta', delta: ' jumped.' },
      { type: 'transcript.text.done', text: 'The quick brown fox jumped.', usage: { type: 'duration', seconds: 1.5 } },
    ]);
    expect(service.limiter.lastSettlement).toMatchObject({ status: 200, audioSeconds: 1.5 });
  }); // prettier-ignore

  it.each([{ response_format: 'verbose_json' }, { 'timestamp_granularities[]': ['segment'] }])(
    'tells the segments with their times where %j asks for them',
    async (wish) => {
      const document = (await (await ask({})).json()) as { segments: object[] };
      const { segments, ...others } = document;
      const told = dataOf(await (await ask({ stream: 'true', ...wish }, events)).text());
      expect(told).toEqual([
        { type: 'transcript.text.delta', delta: 'The quick brown fox' },
        { type: 'transcript.text.segment', ...segments[0] },
        { type: 'transcript.text.delta', delta: ' jumped.' },
        { type: 'transcript.text.segment', ...segments[1] },
        { type: 'transcript.text.done', ...others },
      ]);
    },
  );

  it.each([events, ...ofPackages])('of silence has only an end, for who sends %j', async (headers) => {
    service.speech.segments = [];
    const response = await ask({ stream: 'true' }, headers);
    expect(dataOf(await response.text())).toMatchObject([{ type: 'transcript.text.done', text: '' }]);
  });

  it('is asked for by both the form and the header', async () => {
    for (const response of [await ask({ stream: 'true' }), await ask({}, events)])
      expect(await response.json()).toMatchObject({ task: 'transcribe' });
  });

  it('may fail before its first event, or after it', async () => {
    service.speech.fail = new AppError('engine_error', 'It broke.');
    await expectError(await ask({ stream: 'true' }, events), 'engine_error');
    service.speech.fail = undefined;
    service.speech.failAfterSegments = new AppError('engine_error', 'It broke.');
    await expectError(await ask({}), 'engine_error');
  });
});

describe('a translation', () => {
  const translations = '/v1/audio/translations';

  it('is English, of whatever language is spoken', async () => {
    const response = await ask({}, {}, translations);
    expect(await response.json()).toMatchObject({ task: 'translate', language: 'en', text: 'The quick brown fox jumped.' });
    expect(service.speech.requests.at(-1)).toMatchObject({ translates: true, language: 'auto' });
    expect(service.limiter.admitted.at(-1)).toMatchObject({ route: translations });
    await ask({ language: 'de' }, {}, translations);
    expect(service.speech.requests.at(-1)).toMatchObject({ translates: true, language: 'de' });
  }); // prettier-ignore

  it('comes as events too', async () => {
    const response = await ask({ stream: 'true' }, { 'x-stainless-lang': 'js' }, translations);
    expect(await response.text()).toContain('transcript.text.done');
  });

  it('is refused as a transcription is', async () => {
    await expectError(await ask({ model: 'tiny' }, {}, translations), 'unsupported_value', 'model');
    await expectError(await ask({ language: 'xx' }, {}, translations), 'invalid_value', 'language');
    await expectError(await ask({ file: wavFile('a.txt') }, {}, translations), 'unsupported_file', 'file');
  });
});

describe('a bad form', () => {
  it.each<[string, Fields, string, string]>([
    ['no file', { file: undefined }, 'missing_required_parameter', 'file'],
    ['no model', { model: undefined }, 'missing_required_parameter', 'model'],
    ['an empty model', { model: '' }, 'missing_required_parameter', 'model'],
    ['a text for the file', { file: 'speech.wav' }, 'invalid_type', 'file'],
    ['two files', { file: [wavFile(), wavFile()] as never }, 'invalid_value', 'file'],
    ['a file for the model', { model: wavFile() }, 'invalid_type', 'model'],
    ['two models', { model: ['ears', 'ears'] }, 'invalid_value', 'model'],
    ['a temperature above 1', { temperature: '1.01' }, 'invalid_value', 'temperature'],
    ['a temperature that is a word', { temperature: 'warm' }, 'invalid_value', 'temperature'],
    ['an endless temperature', { temperature: 'Infinity' }, 'invalid_value', 'temperature'],
    ['a language that there is not', { language: 'en; touch x' }, 'invalid_value', 'language'],
    ['a near miss', { langauge: 'de' }, 'unknown_parameter', 'langauge'],
    ['a near miss in brackets', { 'includes[]': ['logprobs'] }, 'unknown_parameter', 'includes'],
    ['an endless prompt', { prompt: 'x'.repeat(20_000) }, 'invalid_value', 'prompt'],
    ['an extension that is not accepted', { file: wavFile('speech.aiff') }, 'unsupported_file', 'file'],
    ['no extension', { file: wavFile('wav') }, 'unsupported_file', 'file'],
    ['a file that is no audio', { file: wavFile('a.wav', Buffer.from('RIFF')) }, 'invalid_audio', 'file'],
    ['an empty file', { file: wavFile('a.mp3', Buffer.alloc(0)) }, 'invalid_audio', 'file'],
    ['an unknown model', { model: 'eras' }, 'model_not_found', 'model'],
    ['a model that does not hear', { model: 'tiny' }, 'unsupported_value', 'model'],
  ])('with %s is refused', async (_what, fields, code, param) => {
    await expectError(await ask(fields), code as never, param);
    expect(service.limiter.settlements.every(({ refundRequest }) => refundRequest)).toBe(true);
  });

  it.each([
    [
      'cut off',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="model"\r\n\r\nears',
    ],
    ['without a boundary', 'multipart/form-data', ''],
    ['without its boundary inside', 'multipart/form-data; boundary=x', 'what is this'],
    ['empty', 'multipart/form-data; boundary=x', ''],
    [
      'of parts without names',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data\r\n\r\nears\r\n--x--',
    ],
    [
      'of files without names',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; filename="a.wav"\r\n\r\nears\r\n--x--',
    ],
  ])('that is %s is refused', async (_what, contentType, body) => {
    const response = await service.app.request(path, post(body, { 'content-type': contentType }));
    expect(response.status).toBe(400);
    await expectError(response, 'invalid_value');
  });

  it('may be of many fields, but not of endless ones', async () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`extra_field_${index}`, 'x']));
    await expectError(await ask(many), 'invalid_value', null);
  });

  it('is not JSON', async () => {
    const response = await service.app.request(path, post('{}', { 'content-type': 'application/json' }));
    await expectError(response, 'unsupported_media_type');
  });

  it('may have a file of exactly the limit', async () => {
    const limit = service.settings.audioBodyLimitBytes;
    const file = writeWav(new Float32Array(limit / 2));
    const exact = file.subarray(0, limit);
    expect((await ask({ file: wavFile('a.wav', exact) })).status).toBe(200);
  });
});

describe('what stands before the audio', () => {
  it('is a key, before the body is read', async () => {
    const body = new ReadableStream({
      pull() {
        throw new Error('the body was read');
      },
    });
    const response = await service.app.request(path, {
      ...post(body),
      duplex: 'half',
      headers: {},
    });
    await expectError(response, 'missing_api_key');
  });

  it('is a key that may use the model', async () => {
    await expectError(
      await ask({}, { authorization: `Bearer ${limitedKey}` }),
      'insufficient_permissions',
      'model',
    );
  });

  it('is an allowance', async () => {
    service.limiter.refuse = new AppError('rate_limit_exceeded', 'Wait 7 seconds.', { retryAfterSeconds: 7 });
    const response = await ask();
    expect(response.headers.get('retry-after')).toBe('7');
    await expectError(response, 'rate_limit_exceeded', null);
    expect(service.speech.requests).toEqual([]);
  });

  it('is a method', async () => {
    const response = await service.app.request(path, { headers: { authorization: `Bearer ${userKey}` } });
    expect(response.headers.get('allow')).toBe('POST');
    await expectError(response, 'method_not_allowed');
  });
});

describe('a transcription that fails', () => {
  it('is an error of the engine, and gives the request back', async () => {
    service.speech.fail = new AppError('model_load_failed', 'The model cannot be loaded.');
    await expectError(await ask(), 'model_load_failed');
    expect(service.limiter.lastSettlement).toMatchObject({
      status: 503,
      audioSeconds: 0,
      refundRequest: true,
    });
  });

  it('ends when the client leaves, who pays for what was heard', async () => {
    service.speech.endless = Promise.withResolvers();
    const leaving = new AbortController();
    const response = service.app.request(path, { ...post(form()), signal: leaving.signal });
    await service.speech.endless.promise;
    leaving.abort();
    expect((await response).status).toBe(499);
    expect(service.limiter.lastSettlement).toMatchObject({
      status: 499,
      audioSeconds: 0.75,
      refundRequest: false,
    });
  });

  it('says nothing of the audio in the log', async () => {
    await ask({ file: wavFile('my secret name.wav'), prompt: 'my secret prompt' });
    expect(service.logLines.join('')).not.toMatch(/secret|fox/);
  });
});
