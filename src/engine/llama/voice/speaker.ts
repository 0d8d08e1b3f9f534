import { performance } from 'node:perf_hooks';
import { brokenOff, nothingComputed, type Usage } from '../../generation.ts';
import { FairTurns, type TurnLimits } from '../../queue/fair-turns.ts';
import type { SpeakingEnd, SpeakingRequest, SpokenPiece } from '../../voice/speaking-types.ts';
import type { ChatThreads } from '../chat-threads.ts';
import type { Medium, UtteranceHandle } from '../native/media-addon.ts';
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

/** A sequence of the context. */
interface Place {
  readonly sequence: number;
  /** Who spoke there last; undefined: nobody, or the model's own voice. */
  voice: Medium | undefined;
}

/** The work that one request took. */
interface Spent {
  usage: Usage;
  audioSeconds: number;
}

/** Speaks texts, several at a time, which take turns after each frame. */
export class Speaker {
  readonly #options: SpeakerOptions;
  readonly #turns: FairTurns;
  readonly #frames = new Turns();
  /** Where nobody speaks. */
  readonly #free: Place[];

  constructor(options: SpeakerOptions) {
    this.#options = options;
    this.#turns = new FairTurns(options);
    this.#free = Array.from({ length: options.parallel }, (_, sequence) => ({ sequence, voice: undefined }));
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
    const spent: Spent = { usage: nothingComputed, audioSeconds: 0 };
    try {
      mustBeAbleTo(request, this.#options.speech, this.#options.recordings !== undefined);
      await this.#turns.take(request, signal, async (charge) => {
        try {
          await this.#speak(request, signal, spent, onPiece);
        } finally {
          charge(spent.audioSeconds);
        }
      });
      return { outcome: 'finished', ...spent };
    } catch (cause) {
      return brokenOff(signal, cause, spent);
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
    const medium = voice && (await recordings?.find(voice, signal));
    const place = this.#takePlace(medium);
    const endComputing = threads?.begin();
    try {
      if (medium !== undefined) await this.#frames.take(() => this.#encode(medium, signal));
      for (const piece of pieces) {
        const promptTokens = spent.usage.promptTokens + (await countTokens(piece));
        spent.usage = { ...nothingComputed, promptTokens };
        const { sequence } = place;
        const utterance = projector.beginUtterance({ sequence, text: piece, language, voice: medium, seed });
        await this.#say(utterance, seed !== undefined, signal, (samples) => {
          spent.audioSeconds += samples.length / speech.sampleRateHz;
          onPiece({ samples, sampleRateHz: speech.sampleRateHz, usage: spent.usage });
        });
      }
    } finally {
      endComputing?.();
      this.#free.push(place);
    }
  }

  /** A free place, rather one that holds the voice already; else the last one, because each takes memory once it is used. */
  #takePlace(voice: Medium | undefined): Place {
    const holding = voice === undefined ? -1 : this.#free.findLastIndex((place) => place.voice === voice);
    const [place = { sequence: 0, voice }] = this.#free.splice(holding, 1);
    place.voice = voice;
    return place;
  }

  /** Encodes the recording of a voice, unless it is encoded already. */
  async #encode(medium: Medium, signal: AbortSignal): Promise<void> {
    const { projector, sliceMs } = this.#options;
    do await this.#checkIn(signal);
    while (!(await projector.encode(medium, sliceMs)));
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

  /** Reads a part of the voice or of the text, or makes a frame. True: the utterance is over. */
  async #advance(
    utterance: UtteranceHandle,
    signal: AbortSignal,
    onSamples: (samples: Float32Array) => void,
  ): Promise<boolean> {
    const { projector, pacer, sliceMs } = this.#options;
    for (;;) {
      await this.#checkIn(signal);
      const startedAtMs = performance.now();
      const advanced = await projector.advanceUtterance(utterance, pacer.chunkTokens(), sliceMs);
      const { isDone, isOver, promptTokens, samples } = advanced;
      if (promptTokens > 0) pacer.observe(promptTokens, performance.now() - startedAtMs);
      if (samples.length > 0) onSamples(audible(samples));
      if (isDone) return isOver;
    }
  }

  /** Before each slice. Throws the reason of `signal`. */
  async #checkIn(signal: AbortSignal): Promise<void> {
    if (signal.aborted) {
      await this.#options.projector.abandon();
      throw signal.reason;
    }
    this.#options.threads?.adapt();
  }

  /** Frees the memory. Nobody may speak any more. */
  dispose(): Promise<void> {
    return this.#options.projector.close();
  }
}

/** `samples`, none of them beyond what can be played. Throws model_broken where they are no numbers. */
function audible(samples: Float32Array): Float32Array {
  return samples.map((sample) => {
    if (!Number.isFinite(sample)) throw brokenModel('sound that is no number (NaN)');
    return Math.max(-1, Math.min(1, sample));
  });
}
