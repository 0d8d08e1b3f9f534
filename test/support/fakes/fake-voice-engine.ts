import { once } from 'node:events';
import { nothingComputed } from '../../../src/engine/generation.ts';
import type {
  SpeakingEnd,
  SpeakingRequest,
  SpokenPiece,
  VoiceEngine,
} from '../../../src/engine/voice/speaking-types.ts';

const sampleRateHz = 24_000;
const pieceSamples = 1920;

/** A voice engine without a model: it says so many pieces of 80 ms, fails, or goes on until it is stopped. */
export class FakeVoiceEngine implements VoiceEngine {
  readonly requests: SpeakingRequest[] = [];
  pieces = 5;
  /** How it fails after its pieces. */
  fail: Error | undefined;
  isEndless = false;
  /** How it ended, most recent last. */
  readonly ends: SpeakingEnd[] = [];

  async speak(
    request: SpeakingRequest,
    signal: AbortSignal,
    onPiece: (piece: SpokenPiece) => void,
  ): Promise<SpeakingEnd> {
    this.requests.push(request);
    const usage = { ...nothingComputed, promptTokens: 3, completionTokens: this.pieces };
    const spent = { usage, audioSeconds: (this.pieces * pieceSamples) / sampleRateHz };
    for (let piece = 0; piece < this.pieces; piece += 1) {
      onPiece({
        samples: Float32Array.from({ length: pieceSamples }, (_, at) => Math.sin(at / 10)),
        sampleRateHz,
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
