import { describe, expect, it, vi } from 'vitest';
import {
  FileTranscriber,
  type FileTranscriptionRequest,
} from '../../../../src/engine/speech/file-transcriber.ts';
import { AppError } from '../../../../src/errors/errors.ts';
import { FakeSpeechEngine } from '../../../support/fakes/fake-speech-engine.ts';

const never = new AbortController().signal;

function request(keyId = 'key'): FileTranscriptionRequest {
  const file = { path: `/uploads/${keyId}`, extension: 'mp3' };
  return {
    modelId: 'ears',
    accountId: keyId,
    keyId,
    file,
    language: 'en',
    prompt: undefined,
    temperature: 0,
  };
}

/** A transcriber of one file at a time, whose decoder the test gives. */
function create(decode: (path: string, signal: AbortSignal) => Promise<Float32Array>) {
  const speech = new FakeSpeechEngine();
  const decoder = {
    decode: vi.fn((file: { path: string }, signal: AbortSignal) => decode(file.path, signal)),
  };
  const limits = { parallel: 1, queueLimit: 2, queueTimeoutMs: 60_000 };
  return { speech, decoder, transcriber: new FileTranscriber({ decoder, speech, ...limits }) };
}

describe('a file', () => {
  it('is decoded when it is its turn, and by then no other', async () => {
    const decoded = Promise.withResolvers<Float32Array>();
    const { transcriber, decoder, speech } = create(() => decoded.promise);
    const first = transcriber.transcribe(request('a'), never);
    const second = transcriber.transcribe(request('b'), never);
    await expect.poll(() => decoder.decode.mock.calls.length).toBeGreaterThan(0);
    expect(decoder.decode).toHaveBeenCalledTimes(1);
    decoded.resolve(new Float32Array(16_000));
    expect(await first).toMatchObject({ outcome: 'finished', audioSeconds: 1 });
    expect(await second).toMatchObject({ outcome: 'finished' });
    expect(speech.requests[0]).toEqual({
      modelId: 'ears',
      accountId: 'a',
      keyId: 'a',
      language: 'en',
      prompt: undefined,
      temperature: 0,
      samples: new Float32Array(16_000),
    });
  });

  it('that cannot be decoded costs nothing and keeps nobody waiting', async () => {
    const error = new AppError('invalid_audio', 'No.', { param: 'file' });
    const { transcriber, speech } = create((path) =>
      path.endsWith('bad') ? Promise.reject(error) : Promise.resolve(new Float32Array(8_000)),
    );
    const bad = transcriber.transcribe(request('bad'), never);
    const good = transcriber.transcribe(request('good'), never);
    expect(await bad).toEqual({ outcome: 'failed', error, audioSeconds: 0 });
    expect(await good).toMatchObject({ outcome: 'finished', audioSeconds: 0.5 });
    expect(speech.requests).toHaveLength(1);
  });

  it('whose decoder breaks is the fault of the engine', async () => {
    const { transcriber } = create(() => Promise.reject(new Error('disk on fire')));
    const end = await transcriber.transcribe(request(), never);
    expect(end).toMatchObject({ outcome: 'failed', error: { code: 'engine_error' } });
  });

  it('is let go when the client leaves: waiting, being decoded, being heard', async () => {
    const { transcriber, speech } = create(
      (path, signal) =>
        new Promise((resolve, reject) => {
          if (path.endsWith('heard')) resolve(new Float32Array(16_000));
          else signal.addEventListener('abort', () => reject(new Error('killed')));
        }),
    );
    const leaving = { decoding: new AbortController(), waiting: new AbortController() };
    const decoding = transcriber.transcribe(request('decoding'), leaving.decoding.signal);
    const waiting = transcriber.transcribe(request('waiting'), leaving.waiting.signal);
    leaving.waiting.abort();
    expect(await waiting).toEqual({ outcome: 'aborted', audioSeconds: 0 });
    leaving.decoding.abort();
    expect(await decoding).toEqual({ outcome: 'aborted', audioSeconds: 0 });

    speech.endless = Promise.withResolvers();
    const left = new AbortController();
    const heard = transcriber.transcribe(request('heard'), left.signal);
    await speech.endless.promise;
    left.abort();
    expect(await heard).toEqual({ outcome: 'aborted', audioSeconds: 0.5 });
  });

  it('is given up when the time to close has passed, and none is taken from then on', async () => {
    const { transcriber, speech } = create(async () => new Float32Array(16_000));
    speech.endless = Promise.withResolvers();
    const heard = transcriber.transcribe(request(), never);
    await speech.endless.promise;
    const closing = transcriber.close(0);
    const error = { code: 'server_shutting_down' };
    expect(await transcriber.transcribe(request(), never)).toMatchObject({ outcome: 'failed', error });
    expect(await heard).toMatchObject({ outcome: 'failed', error, audioSeconds: 0.5 });
    await closing;
  });

  it('is refused when too many wait', async () => {
    const { transcriber } = create(() => new Promise(() => {}));
    for (const key of ['a', 'b', 'c']) void transcriber.transcribe(request(key), never);
    const end = await transcriber.transcribe(request('d'), never);
    expect(end).toMatchObject({ outcome: 'failed', error: { code: 'server_overloaded' } });
  });
});
