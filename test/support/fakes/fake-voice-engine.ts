import { once } from 'node:events';
import { AppError } from '../../../src/errors/errors.ts';
import { nothingComputed } from '../../../src/engine/generation/generation.ts';
import type {
  SpeakingEnd,
  SpeakingRequest,
  SpokenPiece,
  VoiceEngine,
} from '../../../src/engine/voice/speaking-types.ts';

const sampleRateHz = 24_000;
const pieceSamples = 1920;

/** A voice engine without a model: it says a number of pieces of 80 ms, fails, or goes on until it is stopped. */
export class FakeVoiceEngine implements VoiceEngine {
  readonly requests: SpeakingRequest[] = [];
  pieces = 5;
  /** How it fails after its pieces. */
  fail: Error | undefined;
  /** It has one voice, its own. */
  imitatesNobody = false;
  isEndless = false;
  /** How it ended, most recent last. */
  readonly ends: SpeakingEnd[] = [];

  async speak(
    request: SpeakingRequest,
    signal: AbortSignal,
    onPiece: (piece: SpokenPiece) => void,
  ): Promise<SpeakingEnd> {
    this.requests.push(request);
    if (this.imitatesNobody && request.voice !== undefined)
      return {
        outcome: 'failed',
        error: new AppError('unsupported_value', 'This model has one voice, its own.', { param: 'voice' }),
        usage: nothingComputed,
        audioSeconds: 0,
      };
    const usage = { ...nothingComputed, promptTokens: 3, completionTokens: this.pieces };
    const spent = { usage, audioSeconds: (this.pieces * pieceSamples) / sampleRateHz };
    for (let piece = 0; piece < this.pieces; piece += 1) {
      onPiece({
        samples: Float32Array.from({ length: pieceSamples }, (_, at) => Math.sin(at / 10)),
        sampleRateHz,
        usage,
      });
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (this.isEndless && !signal.aborted) await once(signal, 'abort');
    const end: SpeakingEnd = signal.aborted
      ? { outcome: 'aborted', ...spent }
      : this.fail === undefined
        ? { outcome: 'finished', ...spent }
        : { outcome: 'failed', error: this.fail, ...spent };
    this.ends.push(end);
    return end;
  }
}
