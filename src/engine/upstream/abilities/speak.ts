import type { UpstreamResponse } from '../http/decoded.ts';
import { nextTurn } from '../../../timing/next-turn.ts';
import type { SpeakingRequest, SpokenPiece } from '../../voice/speaking-types.ts';
import { jsonContent } from '../connection.ts';
import { AddressFailure, invalidAnswer, refusedByUpstream } from '../failures.ts';
import type { Upstream } from './upstream-answer.ts';
import { PcmReader, rateOfPcm, toSpeechBody } from '../wire/speech.ts';
import { RefusedError } from '../wire/refusal.ts';

/** The slowest speech: a character that is read out as a word, after half a minute of silence. */
const mostSecondsPerCharacter = 1;
const restSeconds = 30;
/** Between two pieces of an answer that has begun. */
const idleTimeoutMs = 60_000;

/** A piece of sound as it comes: PCM has no room for usage, so that the upstream tells none. */
type ReadPiece = Omit<SpokenPiece, 'usage'>;

/** Hands on the sound of the text as it comes. Throws AppError, or anything once `signal` is aborted. */
export async function speakUpstream(
  request: SpeakingRequest,
  { addresses, connection, spec }: Upstream,
  signal: AbortSignal,
  onPiece: (piece: ReadPiece) => void,
): Promise<void> {
  const body = jsonContent(toSpeechBody(request, spec.model));
  await addresses.use(undefined, signal, async (address, begun) => {
    try {
      const response = await connection.post(address, '/audio/speech', body, signal);
      const mostSeconds = restSeconds + mostSecondsPerCharacter * request.text.length;
      const timeoutMs = Math.min(idleTimeoutMs, spec.timeoutMs);
      await readSound(response, { mostSeconds, timeoutMs, secret: connection.key }, (piece) => {
        begun();
        onPiece(piece);
      });
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      throw refusedByUpstream(error.refusal, (param) => param, 'input');
    }
  });
}

interface SoundReading {
  readonly mostSeconds: number;
  /** The longest time between two pieces. */
  readonly timeoutMs: number;
  readonly secret: string | undefined;
}

/** Resolves when the sound is whole. Throws RefusedError or AddressFailure. */
async function readSound(
  response: UpstreamResponse,
  { mostSeconds, timeoutMs, secret }: SoundReading,
  onPiece: (piece: ReadPiece) => void,
): Promise<void> {
  const sampleRateHz = await rateOfPcm(response, secret);
  const reader = new PcmReader();
  let mostSamples = mostSeconds * sampleRateHz;
  const expire = (): void => void response.destroy(new AddressFailure('silent', 'it stopped answering'));
  const timer = setTimeout(expire, timeoutMs);
  try {
    for await (const bytes of response as AsyncIterable<Buffer>) {
      timer.refresh();
      const samples = reader.read(bytes);
      if (samples.length === 0) continue;
      mostSamples -= samples.length;
      if (mostSamples < 0) throw invalidAnswer(`it has more than ${mostSeconds} s of sound`);
      onPiece({ samples, sampleRateHz });
      // Sound that comes all at once must not keep other requests waiting.
      await nextTurn();
    }
  } catch (cause) {
    if (cause instanceof AddressFailure) throw cause;
    throw new AddressFailure('silent', 'it closed the connection', { cause });
  } finally {
    clearTimeout(timer);
  }
  if (reader.isInsideSample) throw invalidAnswer('it ends in the middle of a sample');
  if (mostSamples === mostSeconds * sampleRateHz) throw invalidAnswer('it has no sound');
}
