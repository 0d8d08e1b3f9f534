import { performance } from 'node:perf_hooks';
import { engineError } from '../../../errors/unavailable.ts';
import { nothingComputed } from '../../generation.ts';
import { FairTurns, type TurnLimits } from '../../queue/fair-turns.ts';
import type { SpeakingEnd, SpeakingRequest, SpokenPiece } from '../../voice/speaking-types.ts';
import type { ChatThreads } from '../chat-threads.ts';
import type { UtteranceHandle } from '../native/media-addon.ts';
import type { Projector, ProjectorSpeech } from '../native/projector.ts';
import { Turns } from '../native/step-turns.ts';
import { brokenModel } from '../sampling/draw-errors.ts';
import type { PrefillPacer } from '../steps/prefill-pacer.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';
import { mustBeAbleTo, pieceTokensOf } from './speech-families.ts';
import { piecesOf, plainText } from './speech-text.ts';
import type { VoiceRecordings } from './voice-recordings.ts';

export interface SpeakerOptions extends TurnLimits {
  readonly projector: Projector;
  readonly speech: ProjectorSpeech;
  readonly vocabulary: Pick<Vocabulary, 'tokenize'>;
  /** Undefined: the model imitates nobody. */
  readonly recordings: VoiceRecordings | undefined;
  readonly pacer: PrefillPacer;
  /** Longest time that streams of other models wait for a piece of sound. */
  readonly sliceMs: number;
  readonly threads: ChatThreads | undefined;
}

/** The work that one request took. */
interface Spent {
  promptTokens: number;
  audioSeconds: number;
}

/** Speaks texts, several at a time, which take turns after each frame. */
export class Speaker {
  readonly #options: SpeakerOptions;
  readonly #turns: FairTurns;
  readonly #frames = new Turns();
  /** Sequences of the context in which nobody speaks. */
  readonly #free: number[];

  constructor(options: SpeakerOptions) {
    this.#options = options;
    this.#turns = new FairTurns(options);
    this.#free = Array.from({ length: options.parallel }, (_, index) => index);
  }

  get slots(): number {
    return this.#options.parallel;
  }

  get busySlots(): number {
    return this.#turns.running;
  }

  get waiting(): number {
    return this.#turns.waiting;
  }

  /** How `request` ended; never rejects. */
  async speak(
    request: SpeakingRequest,
    signal: AbortSignal,
    onPiece: (piece: SpokenPiece) => void,
  ): Promise<SpeakingEnd> {
    const spent: Spent = { promptTokens: 0, audioSeconds: 0 };
    try {
      mustBeAbleTo(request, this.#options.speech, this.#options.recordings !== undefined);
      await this.#turns.take(request, signal, async (charge) => {
        try {
          await this.#speak(request, signal, spent, onPiece);
        } finally {
          charge(spent.audioSeconds);
        }
      });
      return { outcome: 'finished', ...toEnd(spent) };
    } catch (cause) {
      if (signal.aborted) return { outcome: 'aborted', ...toEnd(spent) };
      return { outcome: 'failed', error: engineError(cause), ...toEnd(spent) };
    }
  }

  async #speak(
    { text, voice, language = '', seed }: SpeakingRequest,
    signal: AbortSignal,
    spent: Spent,
    onPiece: (piece: SpokenPiece) => void,
  ): Promise<void> {
    const { projector, speech, recordings, threads } = this.#options;
    const countTokens = async (part: string) => (await this.#options.vocabulary.tokenize(part, false)).length;
    const pieces = await piecesOf(plainText(text), pieceTokensOf(speech), countTokens);
    const reference = (voice && (await recordings?.samplesOf(voice, signal))) ?? new Float32Array();
    const sequence = this.#free.pop() ?? 0;
    const endComputing = threads?.begin();
    try {
      for (const piece of pieces) {
        spent.promptTokens += await countTokens(piece);
        const utterance = projector.beginUtterance({
          sequence,
          text: piece,
          language,
          reference,
          seed,
        });
        await this.#say(utterance, seed !== undefined, signal, (samples) => {
          spent.audioSeconds += samples.length / speech.sampleRateHz;
          onPiece({ samples, sampleRateHz: speech.sampleRateHz, promptTokens: spent.promptTokens });
        });
      }
    } finally {
      endComputing?.();
      this.#free.push(sequence);
    }
  }

  /** Speaks an utterance from first to last; one with a seed alone, because chance has one source for all of them. */
  async #say(
    utterance: UtteranceHandle,
    isSeeded: boolean,
    signal: AbortSignal,
    onSamples: (samples: Float32Array) => void,
  ): Promise<void> {
    const frame = () => this.#advance(utterance, signal, onSamples);
    const toTheEnd = async () => {
      while (!(await frame()));
      return true;
    };
    while (!(await this.#frames.take(isSeeded ? toTheEnd : frame)));
  }

  /** Reads the voice or a part of the text, or makes a frame. True: the utterance is over. */
  async #advance(
    utterance: UtteranceHandle,
    signal: AbortSignal,
    onSamples: (samples: Float32Array) => void,
  ): Promise<boolean> {
    const { projector, pacer, sliceMs, threads } = this.#options;
    for (;;) {
      if (signal.aborted) {
        await projector.abandon();
        throw signal.reason;
      }
      threads?.adapt();
      const startedAtMs = performance.now();
      const advanced = await projector.advanceUtterance(utterance, pacer.chunkTokens(), sliceMs);
      const { isDone, isOver, promptTokens, samples } = advanced;
      if (promptTokens > 0) pacer.observe(promptTokens, performance.now() - startedAtMs);
      if (samples.length > 0) onSamples(audible(samples));
      if (isDone) return isOver;
    }
  }

  /** Frees the memory. Nobody may speak any more. */
  dispose(): Promise<void> {
    return this.#options.projector.close();
  }
}

const toEnd = ({ promptTokens, audioSeconds }: Spent) => ({
  usage: { ...nothingComputed, promptTokens },
  audioSeconds,
});

/** `samples`, none of them beyond what can be played. Throws model_broken where they are no numbers. */
function audible(samples: Float32Array): Float32Array {
  return samples.map((sample) => {
    if (!Number.isFinite(sample)) throw brokenModel('sound that is no number (NaN)');
    return Math.max(-1, Math.min(1, sample));
  });
}
