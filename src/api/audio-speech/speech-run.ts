import type { PcmPiece, SoundEncoder, SoundForm } from '../../engine/audio/sound-encoder.ts';
import { nothingComputed } from '../../engine/generation.ts';
import type { SpeakingEnd, SpeakingRequest, VoiceEngine } from '../../engine/voice/speaking-types.ts';
import type { RunningGeneration } from '../generation/serve-generation.ts';

/** The next bytes of the encoded sound. */
export interface SoundEvent {
  readonly type: 'sound';
  readonly bytes: Uint8Array;
}

export type FinishedSpeech = Extract<SpeakingEnd, { outcome: 'finished' }>;

export interface SpeechDeps {
  readonly engine: VoiceEngine;
  readonly sounds: Pick<SoundEncoder, 'encode'>;
}

/** Speech that begins now, encoded as it is made. */
export function runSpeech(
  { engine, sounds }: SpeechDeps,
  request: SpeakingRequest,
  form: SoundForm,
  signal: AbortSignal,
): RunningGeneration<SoundEvent, FinishedSpeech> {
  const leaving = new AbortController();
  const ending = AbortSignal.any([signal, leaving.signal]);
  const unread: PcmPiece[] = [];
  let news = Promise.withResolvers<undefined>();
  let audioSeconds = 0;
  let encodingError: Error | undefined;
  const spoken = engine.speak(request, ending, ({ samples, sampleRateHz }) => {
    audioSeconds += samples.length / sampleRateHz;
    unread.push({ pcm: toPcm(samples), sampleRateHz });
    news.resolve(undefined);
  });
  const first = Promise.race([news.promise, spoken]);
  async function* pieces(): AsyncGenerator<PcmPiece> {
    for (;;) {
      const end = await Promise.race([news.promise, spoken]);
      news = Promise.withResolvers();
      yield* unread.splice(0);
      if (end !== undefined) return;
    }
  }
  async function* events(): AsyncGenerator<SoundEvent> {
    let isSilent = true;
    try {
      for await (const bytes of sounds.encode(pieces(), form, ending)) {
        isSilent = false;
        yield { type: 'sound', bytes };
      }
    } catch (error) {
      encodingError = error as Error;
      throw error;
    } finally {
      leaving.abort();
    }
    const end = await spoken;
    if (end.outcome === 'failed') throw end.error;
    if (isSilent && end.outcome === 'finished') yield { type: 'sound', bytes: new Uint8Array() };
  }
  return {
    events: events(),
    accepted: first.then(() => undefined),
    ended: spoken.then((end) =>
      encodingError === undefined || end.outcome === 'failed'
        ? end
        : { ...end, outcome: 'failed', error: encodingError },
    ),
    usageSoFar: () => nothingComputed,
    audioSecondsSoFar: () => audioSeconds,
  };
}

/** 16-bit samples in the byte order of every machine that Node runs on, which is that of WAV files. */
function toPcm(samples: Float32Array): Buffer {
  const pcm = Int16Array.from(samples, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32_767));
  return Buffer.from(pcm.buffer);
}
