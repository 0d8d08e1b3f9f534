import { once } from 'node:events';
import type {
  SpeechEngine,
  Transcript,
  TranscriptionEnd,
  TranscriptionProgress,
  TranscriptionRequest,
} from '../../../src/engine/speech/transcription-types.ts';
import { sampleRateHz } from '../../../src/engine/speech/transcription-types.ts';

type Segments = Transcript['segments'];

/** Two segments, as a model could have heard them. */
export const fakeSegments: Segments = [
  {
    id: 0,
    windowStartSeconds: 0,
    startSeconds: 0,
    endSeconds: 1.1199999,
    text: ' The quick brown fox',
    tokens: [50364, 440, 1702, 50420],
    temperature: 0.2,
    avgLogprob: -0.144,
    compressionRatio: 0.9,
    noSpeechProb: 0.25,
  },
  {
    id: 1,
    windowStartSeconds: 30,
    startSeconds: 30,
    endSeconds: 31,
    text: ' jumped.',
    tokens: [50364, 50414],
    temperature: 0,
    avgLogprob: -0.5,
    compressionRatio: 0.8,
    noSpeechProb: 0,
  },
];

/** A speech engine without a model: it hears `segments` in everything, fails, or listens until it is stopped. */
export class FakeSpeechEngine implements SpeechEngine {
  readonly requests: TranscriptionRequest[] = [];
  segments: Segments = fakeSegments;
  fail: Error | undefined;
  /** Fails after all segments were heard. */
  failAfterSegments: Error | undefined;
  /** Resolved when somebody is listened to without an end; undefined: all have one. */
  endless: PromiseWithResolvers<void> | undefined;

  async transcribe(
    request: TranscriptionRequest,
    signal: AbortSignal,
    onProgress?: (progress: TranscriptionProgress) => void,
  ): Promise<TranscriptionEnd> {
    this.requests.push(request);
    const durationSeconds = request.samples.length / sampleRateHz;
    if (this.fail !== undefined) return { outcome: 'failed', error: this.fail, audioSeconds: 0 };
    if (this.endless !== undefined) {
      this.endless.resolve();
      await once(signal, 'abort');
      return { outcome: 'aborted', audioSeconds: durationSeconds / 2 };
    }
    for (const segment of this.segments)
      onProgress?.({ audioSeconds: segment.endSeconds, durationSeconds, segments: [segment] });
    if (this.failAfterSegments !== undefined)
      return { outcome: 'failed', error: this.failAfterSegments, audioSeconds: durationSeconds };
    const language = request.language === 'auto' ? 'es' : request.language;
    const transcript = { language, durationSeconds, segments: this.segments };
    return { outcome: 'finished', transcript, audioSeconds: durationSeconds };
  }
}
