import type { Transcript, TranscriptionRequest } from '../speech/transcription-types.ts';
import { refusedByUpstream } from './failures.ts';
import type { Upstream } from './upstream-answer.ts';
import { RefusedError } from './wire/refusal.ts';
import { readTranscript, toTranscriptionBody } from './wire/transcription.ts';

const mostAnswerBytes = 2 ** 25;

/** What is said in the audio. Throws AppError, or anything once `signal` is aborted. */
export async function transcribeUpstream(
  request: TranscriptionRequest,
  { addresses, connection, spec }: Upstream,
  signal: AbortSignal,
): Promise<Transcript> {
  return await addresses.use(undefined, signal, async (address, begun) => {
    const body = await toTranscriptionBody(request, spec.model, address.dialect);
    try {
      const path = request.translates === true ? '/audio/translations' : '/audio/transcriptions';
      const answer = await connection.postForFields(address, path, body, mostAnswerBytes, signal);
      const transcript = readTranscript(answer, request);
      begun();
      return transcript;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      throw refusedByUpstream(error.refusal, (param) => param, 'file');
    }
  });
}
