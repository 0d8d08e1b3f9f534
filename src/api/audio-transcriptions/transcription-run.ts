import type { FileTranscriptionRequest } from '../../engine/speech/file-transcriber.ts';
import type { Transcript, TranscriptSegment } from '../../engine/speech/transcription-types.ts';
import { nothingComputed, type Usage } from '../../engine/generation/generation.ts';
import type { AppDeps } from '../env.ts';
import type { RunningGeneration } from '../generation/serve-generation.ts';

export type TranscriptionEvent =
  | { readonly type: 'started' }
  | { readonly type: 'segment'; readonly segment: TranscriptSegment };

export interface FinishedTranscription {
  readonly outcome: 'finished';
  readonly transcript: Transcript;
  readonly audioSeconds: number;
  /** Audio is charged by its length, so it has no tokens. */
  readonly usage: Usage;
}

export function runTranscription(
  { transcriber }: Pick<AppDeps, 'transcriber'>,
  request: FileTranscriptionRequest,
  signal: AbortSignal,
): RunningGeneration<TranscriptionEvent, FinishedTranscription> {
  const unread: TranscriptionEvent[] = [];
  let news = Promise.withResolvers<undefined>();
  let audioSecondsSoFar = 0;
  const ended = transcriber
    .transcribe(request, signal, ({ segments, audioSeconds }) => {
      audioSecondsSoFar = audioSeconds;
      for (const segment of segments) unread.push({ type: 'segment', segment });
      if (segments.length > 0) news.resolve(undefined);
    })
    .then((end) => ({ ...end, usage: nothingComputed }));
  const first = Promise.race([news.promise, ended]);
  async function* events(): AsyncGenerator<TranscriptionEvent> {
    for (let isFirst = true; ; isFirst = false) {
      const end = await Promise.race([news.promise, ended]);
      news = Promise.withResolvers();
      if (end?.outcome === 'failed') throw end.error;
      if (isFirst) yield { type: 'started' };
      yield* unread.splice(0);
      if (end !== undefined) return;
    }
  }
  return {
    answer: undefined,
    events: events(),
    accepted: first.then(() => undefined),
    ended,
    usageSoFar: () => nothingComputed,
    audioSecondsSoFar: () => audioSecondsSoFar,
  };
}
