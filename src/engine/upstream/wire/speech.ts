import type { UpstreamResponse } from '../http/decoded.ts';
import type { SpeakingRequest } from '../../voice/speaking-types.ts';
import { invalidAnswer } from '../failures.ts';
import { readWhole } from '../http/read-body.ts';
import { parseFields, type Fields } from './json.ts';
import { errorInside } from './refusal.ts';

/** Of OpenAI's `pcm`, and of all who follow it; others name theirs. */
const usualRateHz = 24_000;
const leastRateHz = 8000;
const mostRateHz = 192_000;
const sampleBytes = 2;
const loudest = 32_767;

const mostOtherBytes = 2 ** 20;
const otherTimeoutMs = 10_000;

/**
 * The body of a request for speech, without fields that were not asked for: strict servers refuse those that they do not
 * know.
 */
export function toSpeechBody(
  { text, voice, language, instructions, seed }: SpeakingRequest,
  model: string,
): Fields {
  return {
    model,
    input: text,
    response_format: 'pcm',
    ...(voice !== undefined && { voice: voice.name }),
    ...(language !== undefined && { language }),
    ...(instructions !== undefined && { instructions }),
    ...(seed !== undefined && { seed }),
  };
}

/** The sample rate of an answer that is PCM. Throws RefusedError or AddressFailure where it is something else. */
export async function rateOfPcm(response: UpstreamResponse, secret: string | undefined): Promise<number> {
  const type = response.headers['content-type'] ?? '';
  if (/^application\/json\b/i.test(type)) {
    const fields = parseFields(await readWhole(response, mostOtherBytes, otherTimeoutMs));
    throw fields['error'] === undefined ? invalidAnswer('it is no sound') : errorInside(fields, secret);
  }
  const rateHz = Number(/;\s*rate=(\d+)/i.exec(type)?.[1] ?? usualRateHz);
  const isPcm = /^(?:$|audio\/(?:x-)?pcm\b|audio\/raw\b|(?:application|binary)\/octet-stream\b)/i.test(type);
  if (isPcm && rateHz >= leastRateHz && rateHz <= mostRateHz) return rateHz;
  response.destroy();
  const named = /^[\w.+-]{1,64}\/[\w.+-]{1,64}/.exec(type)?.[0] ?? 'of no known type';
  throw invalidAnswer(isPcm ? `its sample rate is ${rateHz}` : `it is not audio/pcm but ${named}`);
}

/** Puts 16-bit samples, little-endian, together from pieces of bytes, which may end inside of one. */
export class PcmReader {
  #rest: Buffer = Buffer.alloc(0);

  get isInsideSample(): boolean {
    return this.#rest.length > 0;
  }

  /** The samples that are whole, -1..1. */
  read(piece: Buffer): Float32Array {
    const bytes = this.isInsideSample ? Buffer.concat([this.#rest, piece]) : piece;
    const count = Math.floor(bytes.length / sampleBytes);
    this.#rest = bytes.subarray(count * sampleBytes);
    return Float32Array.from({ length: count }, (_, index) =>
      Math.max(-1, bytes.readInt16LE(index * sampleBytes) / loudest),
    );
  }
}
