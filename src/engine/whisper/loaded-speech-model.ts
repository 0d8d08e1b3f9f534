import { AppError } from '../../errors/errors.ts';
import { brokenOff } from '../generation/generation.ts';
import type { ServedModel } from '../model-backend.ts';
import type { MemoryUse } from '../pool/memory-use.ts';
import type { ThreadBudget } from '../queue/thread-budget.ts';
import { anyLanguage, transcriptionLanguages } from '../speech/transcription-languages.ts';
import {
  sampleRateHz,
  type Transcript,
  type TranscriptSegment,
  type TranscriptionEnd,
  type TranscriptionProgress,
  type TranscriptionRequest,
} from '../speech/transcription-types.ts';
import {
  detectSpeech,
  type NativeSession,
  type NativeSpeechModel,
  type ProcessorShare,
} from './addon/native.ts';
import { transcribeAudio, type Listener } from './transcribe/transcribe-audio.ts';
import { FairTurns, type TurnLimits } from '../queue/fair-turns.ts';
import { joinSpokenParts, type SpokenParts } from './transcribe/voice-activity.ts';

export interface LoadedSpeechModelOptions extends TurnLimits {
  readonly native: NativeSpeechModel;
  readonly memory: MemoryUse;
  readonly threadBudget: ThreadBudget;
  /** Most threads of one transcription. */
  readonly threads: number;
  /** File of a voice activity detector; undefined: all of the audio is listened to. */
  readonly voiceActivityModel: string | undefined;
}

/** Characters of the prompt's end that the decoder can use. */
const usedPromptCharacters = 2000;
/** The language of audio that holds no speech. */
const languageOfSilence = 0;

/** A speech model in memory. Transcriptions wait for their turn, and each computes in a session of its own. */
export class LoadedSpeechModel implements ServedModel {
  readonly #options: LoadedSpeechModelOptions;
  readonly #turns: FairTurns;

  constructor(options: LoadedSpeechModelOptions) {
    this.#options = options;
    this.#turns = new FairTurns(options);
  }

  get memory(): MemoryUse {
    return this.#options.memory;
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

  /** How the transcription of the request's audio ended; never rejects. */
  async transcribe(
    request: TranscriptionRequest,
    signal: AbortSignal,
    onProgress: (progress: TranscriptionProgress) => void,
  ): Promise<TranscriptionEnd> {
    let audioSeconds = 0;
    try {
      const transcript = await this.#transcribe(request, signal, (progress) => {
        ({ audioSeconds } = progress);
        onProgress(progress);
      });
      return { outcome: 'finished', transcript, audioSeconds: request.samples.length / sampleRateHz };
    } catch (cause) {
      return brokenOff(signal, cause, { audioSeconds });
    }
  }

  async dispose(): Promise<void> {
    await this.#options.native.release();
  }

  /**
   * The transcript of the request's audio. Throws AppError (unsupported_value, invalid_audio, server_overloaded), an
   * error of whisper.cpp, or anything once `signal` aborted.
   */
  async #transcribe(
    request: TranscriptionRequest,
    signal: AbortSignal,
    onProgress: (progress: TranscriptionProgress) => void,
  ): Promise<Transcript> {
    if (request.translates === true && this.#options.native.facts.languageCount === 0)
      throw knowsEnglishOnly();
    const language = this.#languageNumber(request.language);
    return await this.#turns.take(request, signal, async (charge) => {
      const spoken = await this.#spokenParts(request.samples, signal);
      const session = await this.#options.native.openSession();
      const cancel = () => session.cancel();
      signal.addEventListener('abort', cancel);
      try {
        signal.throwIfAborted();
        let chargedSeconds = 0;
        return await this.#listen(session, request, language, spoken, (audioSeconds, segments) => {
          charge(audioSeconds - chargedSeconds);
          chargedSeconds = audioSeconds;
          onProgress({ audioSeconds, durationSeconds: request.samples.length / sampleRateHz, segments });
        });
      } finally {
        signal.removeEventListener('abort', cancel);
        await session.release();
      }
    });
  }

  async #listen(
    session: NativeSession,
    request: TranscriptionRequest,
    language: number | undefined,
    spoken: SpokenParts,
    onProgress: (audioSeconds: number, segments: readonly TranscriptSegment[]) => void,
  ): Promise<Transcript> {
    const { native } = this.#options;
    const inOriginal = (segment: TranscriptSegment): TranscriptSegment => ({
      ...segment,
      windowStartSeconds: spoken.toOriginal(segment.windowStartSeconds),
      startSeconds: spoken.toOriginal(segment.startSeconds),
      endSeconds: spoken.toOriginal(segment.endSeconds),
    });
    if (!(await this.#withShare((share) => session.setAudio(spoken.samples, share))))
      throw new AppError('invalid_audio', 'The audio holds samples that are no numbers.', { param: 'file' });
    const heard = await transcribeAudio(
      this.#listener(session, request.translates === true),
      spoken.samples,
      {
        language,
        promptTokens: await this.#promptTokens(request.prompt),
        temperature: request.temperature,
        onProgress: (seconds, segments) => onProgress(spoken.toOriginal(seconds), segments.map(inOriginal)),
      },
    );
    const knowsOneOnly = native.facts.languageCount === 0;
    const number = knowsOneOnly ? 0 : (heard.language ?? languageOfSilence);
    return {
      language: transcriptionLanguages[number] ?? request.language,
      durationSeconds: request.samples.length / sampleRateHz,
      segments: heard.segments.map(inOriginal),
    };
  }

  #listener(session: NativeSession, translates: boolean): Listener {
    const { native } = this.#options;
    const { firstTimestamp, endOfText, languageCount } = native.facts;
    return {
      firstTimestamp,
      endOfText,
      textOf: (tokens) => native.textOf(tokens),
      encode: (frame) => this.#withShare((share) => session.encode(frame, share)),
      detectLanguage: async () =>
        languageCount === 0 ? 0 : await this.#withShare((share) => session.detectLanguage(share)),
      decode: (window) => this.#withShare((share) => session.decode({ ...window, translates }, share)),
    };
  }

  async #spokenParts(samples: Float32Array, signal: AbortSignal): Promise<SpokenParts> {
    const { voiceActivityModel } = this.#options;
    if (voiceActivityModel === undefined) return { samples, toOriginal: (seconds) => seconds };
    signal.throwIfAborted();
    const spans = await this.#withShare((share) => detectSpeech(voiceActivityModel, samples, share));
    return await joinSpokenParts(samples, spans);
  }

  async #promptTokens(prompt: string | undefined): Promise<readonly number[]> {
    const text = prompt?.replaceAll(/[\s\0]+/g, ' ').trim() ?? '';
    if (text === '') return [];
    return await this.#options.native.tokenize(` ${text.slice(-usedPromptCharacters)}`);
  }

  /** The language's number; undefined where the model is to detect it. Throws unsupported_value. */
  #languageNumber(code: string): number | undefined {
    const { languageCount } = this.#options.native.facts;
    if (code === anyLanguage) return undefined;
    const number = transcriptionLanguages.indexOf(code);
    if (number >= 0 && number < Math.max(1, languageCount)) return number;
    const known = languageCount === 0 ? 'It knows English only.' : `It knows ${languageCount} others.`;
    throw new AppError(
      'unsupported_value',
      `This model does not know the language '${code}'. ${known} Use another language, or a multilingual model.`,
      { param: 'language' },
    );
  }

  async #withShare<Result>(compute: (share: ProcessorShare) => Promise<Result>): Promise<Result> {
    const lease = await this.#options.threadBudget.lease(this.#options.threads);
    try {
      return await compute(lease);
    } finally {
      lease.release();
    }
  }
}

const knowsEnglishOnly = () =>
  new AppError(
    'unsupported_value',
    'This model knows English only, so it cannot translate. Use a multilingual model.',
    {
      param: 'model',
    },
  );
