import type { PcmPiece, SoundEncoder, SoundForm } from '../../engine/audio/sound-encoder.ts';
import { nothingComputed } from '../../engine/generation/generation.ts';
import { AppError } from '../../errors/errors.ts';
import type {
  SpeakingEnd,
  SpeakingRequest,
  SpokenPiece,
  VoiceEngine,
} from '../../engine/voice/speaking-types.ts';
import type { RunningGeneration } from '../generation/serve-generation.ts';

export interface SoundEvent {
  readonly type: 'sound';
  readonly bytes: Uint8Array;
}

export type FinishedSpeech = Extract<SpeakingEnd, { outcome: 'finished' }>;

export interface SpeechDeps {
  readonly engine: VoiceEngine;
  readonly sounds: Pick<SoundEncoder, 'encode'>;
}

export interface SpeechJob {
  readonly request: SpeakingRequest;
  /** A model that imitates nobody speaks without it. */
  readonly isDefaultVoice: boolean;
  readonly form: SoundForm;
}

export function runSpeech(
  { engine, sounds }: SpeechDeps,
  job: SpeechJob,
  signal: AbortSignal,
): RunningGeneration<SoundEvent, FinishedSpeech> {
  const leaving = new AbortController();
  const ending = AbortSignal.any([signal, leaving.signal]);
  const unread: PcmPiece[] = [];
  let news = Promise.withResolvers<undefined>();
  let audioSeconds = 0;
  let usage = nothingComputed;
  let encodingError: Error | undefined;
  const onPiece = ({ samples, sampleRateHz, ...piece }: SpokenPiece) => {
    ({ usage } = piece);
    audioSeconds += samples.length / sampleRateHz;
    unread.push({ pcm: toPcm(samples), sampleRateHz });
    news.resolve(undefined);
  };
  const spoken = speakBy(engine, job, ending, onPiece);
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
      for await (const bytes of sounds.encode(pieces(), job.form, ending)) {
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
    answer: undefined,
    events: events(),
    accepted: first.then(() => undefined),
    ended: spoken.then((end) =>
      encodingError === undefined || end.outcome === 'failed'
        ? end
        : { ...end, outcome: 'failed', error: encodingError },
    ),
    usageSoFar: () => usage,
    audioSecondsSoFar: () => audioSeconds,
  };
}

async function speakBy(
  engine: VoiceEngine,
  { request, isDefaultVoice }: SpeechJob,
  ...rest: [AbortSignal, (piece: SpokenPiece) => void]
): Promise<SpeakingEnd> {
  const end = await engine.speak(request, ...rest);
  const imitatesNobody =
    end.outcome === 'failed' &&
    end.error instanceof AppError &&
    end.error.code === 'unsupported_value' &&
    end.error.param === 'voice';
  return isDefaultVoice && imitatesNobody
    ? await engine.speak({ ...request, voice: undefined }, ...rest)
    : end;
}

/** 16-bit samples in the byte order of every machine that Node runs on, which is that of WAV files. */
function toPcm(samples: Float32Array): Buffer {
  const pcm = Int16Array.from(samples, (sample) => Math.round(sample * 32_767));
  return Buffer.from(pcm.buffer);
}
