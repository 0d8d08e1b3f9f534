import {
  sampleRateHz,
  type Transcript,
  type TranscriptionRequest,
} from '../../speech/transcription-types.ts';
import { refusedByUpstream } from '../failures.ts';
import type { Upstream } from './upstream-answer.ts';
import { mostPartsOfLists } from '../wire/json.ts';
import { RefusedError } from '../wire/refusal.ts';
import { readTranscript, toTranscriptionBody } from '../wire/transcription.ts';

/** Ten times the bytes of a second of fast speech, words, tokens and times together. */
const mostBytesPerSecond = 2 ** 10;
const restBytes = 2 ** 16;
/** An hour at that rate; a longer answer would take too long to parse. */
const mostAnswerBytes = 2 ** 22;

/** The transcription of the audio. Throws AppError, or anything once `signal` is aborted. */
export async function transcribeUpstream(
  request: TranscriptionRequest,
  { addresses, connection, spec }: Upstream,
  signal: AbortSignal,
): Promise<Transcript> {
  return await addresses.use(undefined, signal, async (address, begun) => {
    const body = await toTranscriptionBody(request, spec.model, address.serverKind);
    const seconds = request.samples.length / sampleRateHz;
    const bounds = {
      mostBytes: Math.min(mostAnswerBytes, restBytes + mostBytesPerSecond * seconds),
      mostParts: mostPartsOfLists,
    };
    try {
      const path = request.translates === true ? '/audio/translations' : '/audio/transcriptions';
      const answer = await connection.postForFields(address, path, body, bounds, signal);
      const transcript = readTranscript(answer, request);
      begun();
      return transcript;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      throw refusedByUpstream(error.refusal, (param) => param, 'file');
    }
  });
}
