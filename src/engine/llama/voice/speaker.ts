import { performance } from 'node:perf_hooks';
import { brokenOff, nothingComputed, type Usage } from '../../generation/generation.ts';
import { FairTurns, type TurnLimits } from '../../queue/fair-turns.ts';
import type { SpeakingEnd, SpeakingRequest, SpokenPiece } from '../../voice/speaking-types.ts';
import type { ChatThreads } from '../chat-threads.ts';
import type { Medium, UtteranceHandle } from '../native/media-addon.ts';
import type { Projector, ProjectorSpeech } from '../native/projector.ts';
import { brokenModel } from '../sampling/draw-errors.ts';
import type { PrefillPacer } from '../steps/prefill-pacer.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';
import { mustBeAbleTo, pieceTokensOf } from './speech-families.ts';
import { piecesOf, plainText, withRoom } from './speech-text.ts';
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

/** How long it is silent where a text has nothing that can be said. */
const silenceSeconds = 0.4;
/** Whoever leaves ends a part at its next slice, and not while it waits for its frame. */
const never = new AbortController().signal;

/** A sequence of the context. */
interface Place {
  readonly sequence: number;
  /** Who spoke there last; undefined: nobody, or the model's own voice. */
  voice: Medium | undefined;
}

/** A text that is spoken in one go. */
interface SpokenPart {
  readonly text: string;
  readonly tokens: number;
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
  /** The account that had fewest frames makes the next one. */
  readonly #frames: FairTurns;
  /** Where nobody speaks. */
  readonly #free: Place[];

  constructor(options: SpeakerOptions) {
    this.#options = options;
    const { parallel } = options;
    // A text takes as long in one place as in several, because frames go one after the other.
    this.#turns = new FairTurns({ ...options, mostPerAccount: Math.max(1, Math.floor(parallel / 2)) });
    this.#frames = new FairTurns({ parallel: 1, queueLimit: parallel, queueTimeoutMs: 2 ** 31 - 1 });
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
      await this.#turns.take(request, signal, async (charge, pass) => {
        for await (const part of this.#partsOf(request)) {
          if (spent.audioSeconds > 0) await pass();
          const before = spent.audioSeconds;
          try {
            await this.#speak(request, part, signal, spent, onPiece);
          } finally {
            charge(spent.audioSeconds - before);
          }
        }
      });
      return { outcome: 'finished', ...spent };
    } catch (cause) {
      return brokenOff(signal, cause, spent);
    }
  }

  /** The parts of the text that are spoken one after the other; where there is nothing to say, one that is empty. */
  async *#partsOf({ text }: SpeakingRequest): AsyncGenerator<SpokenPart> {
    const { vocabulary, speech } = this.#options;
    const countTokens = async (part: string) => (await vocabulary.tokenize(part, false)).length;
    const pieces = await piecesOf(plainText(text), pieceTokensOf(speech), countTokens);
    for (const piece of pieces) {
      const tokens = await countTokens(piece);
      if (tokens > 0) yield { text: withRoom(piece, tokens), tokens };
      else if (pieces.length === 1) yield { text: '', tokens };
    }
    if (pieces.length === 0) yield { text: '', tokens: 0 };
  }

  async #speak(
    { voice, language = '', seed, ...caller }: SpeakingRequest,
    { text, tokens }: SpokenPart,
    signal: AbortSignal,
    spent: Spent,
    onPiece: (piece: SpokenPiece) => void,
  ): Promise<void> {
    const { projector, speech, recordings, threads } = this.#options;
    const { sampleRateHz } = speech;
    const onSamples = (samples: Float32Array) => {
      spent.audioSeconds += samples.length / sampleRateHz;
      onPiece({ samples, sampleRateHz, usage: spent.usage });
    };
    if (text === '') {
      onSamples(new Float32Array(Math.round(silenceSeconds * sampleRateHz)));
      return;
    }
    const medium = voice && (await recordings?.find(voice, signal));
    const place = this.#takePlace(medium);
    const endComputing = threads?.begin();
    const inTurn = <Result>(work: () => Promise<Result>) =>
      this.#frames.take(caller, never, async (charge) => {
        try {
          return await work();
        } finally {
          charge(1);
        }
      });
    try {
      if (medium !== undefined) await inTurn(() => this.#encode(medium, signal));
      spent.usage = { ...nothingComputed, promptTokens: spent.usage.promptTokens + tokens };
      const utterance = projector.beginUtterance({
        sequence: place.sequence,
        text,
        language,
        voice: medium,
        seed,
      });
      const frame = () => this.#advance(utterance, signal, onSamples);
      const toTheEnd = async () => {
        while (!(await frame()));
        return true;
      };
      // One with a seed is spoken alone, because chance has one source for all of them.
      while (!(await inTurn(seed === undefined ? frame : toTheEnd)));
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

/** `samples`, none of them louder than can be played. Throws model_broken where they are no numbers. */
function audible(samples: Float32Array): Float32Array {
  return samples.map((sample) => {
    if (!Number.isFinite(sample)) throw brokenModel('sound that is no number (NaN)');
    return Math.max(-1, Math.min(1, sample));
  });
}
