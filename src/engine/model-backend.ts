import { AppError } from '../errors/errors.ts';
import { modelKinds, type ModelKind } from '../model-kinds.ts';
import type { GenerationChannel } from './generation/generation-channel.ts';
import { LoadRefusedError, type Loadable, type PooledModel } from './pool/loadable.ts';
import type {
  TranscriptionEnd,
  TranscriptionProgress,
  TranscriptionRequest,
} from './speech/transcription-types.ts';
import type { EmbeddingEnd } from './generation/generation.ts';
import type { EmbeddingRequest, GenerationRequest } from './types.ts';
import type { RankEnd, RankRequest, TokenizedText, TokenizeRequest } from './text-engine.ts';
import type { SpeakingEnd, SpeakingRequest, SpokenPiece } from './voice/speaking-types.ts';

/** All that models can do, one method each. */
export interface ModelWork {
  /** Resolves when `request` ended, however it ended. Throws AppError when it cannot be served. */
  generate(request: GenerationRequest, channel: GenerationChannel): Promise<void>;
  /** The number of tokens of the request's prompt. Throws AppError, or the reason of `signal`. */
  countTokens(request: GenerationRequest, signal: AbortSignal): Promise<number>;
  /** The tokens of the request's prompt, or the text of its tokens. Throws AppError, or the reason of `signal`. */
  tokenize(request: TokenizeRequest, signal: AbortSignal): Promise<TokenizedText>;
  /** How `request` ended. Throws AppError, or the reason of `signal`. */
  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<EmbeddingEnd>;
  /** How `request` ended. Throws AppError, or the reason of `signal`. */
  rank(request: RankRequest, signal: AbortSignal): Promise<RankEnd>;
  /** How `request` ended; never rejects. */
  transcribe(
    request: TranscriptionRequest,
    signal: AbortSignal,
    onProgress: (progress: TranscriptionProgress) => void,
  ): Promise<TranscriptionEnd>;
  /** How `request` ended. Throws AppError, or the reason of `signal`. */
  speak(
    request: SpeakingRequest,
    signal: AbortSignal,
    onPiece: (piece: SpokenPiece) => void,
  ): Promise<SpeakingEnd>;
}

/** A model that is ready to serve. It has the methods that belong to its kind. */
export interface ServedModel extends PooledModel, Partial<ModelWork> {}

/** `work`, unless the model has no such ability: then throws unsupported_value. */
export function able<Result>(work: Promise<Result> | undefined): Promise<Result> {
  if (work !== undefined) return work;
  throw new AppError('unsupported_value', 'This model cannot do that. Use another model here.', {
    param: 'model',
  });
}

/**
 * Runs models of some kinds: llama.cpp or whisper.cpp in this process, for example. `Spec` is the backend's description
 * of a model.
 */
export interface ModelBackend<Spec> {
  /** How `model` is loaded. Nothing is opened yet. */
  loadable(model: Spec): Loadable<ServedModel>;
  /** Frees memory that the backend holds in addition to its models. Called after all of them are freed. */
  close?(): Promise<void>;
}

/** How the caches of conversations keep their numbers; the fewer bits, the less memory and the coarser. */
export const cacheTypes = ['f16', 'q8_0', 'q5_1', 'q5_0', 'q4_1', 'q4_0'] as const;
export type CacheType = (typeof cacheTypes)[number];

/** Small changes to a model's weights, in a file of their own. */
export interface LoraAdapter {
  readonly path: string;
  /** How strongly it changes them; 1: as it was trained. */
  readonly scale: number;
}

/** Where the caches of a model's conversations lie while it is not in memory. */
export interface CacheFilePlace {
  /** Absolute path; of this model alone. */
  readonly folder: string;
  /** By it the server knows files that it wrote itself. */
  readonly secret: Uint8Array;
}

/** How the owner of a model wants it to be loaded. */
export interface LoadSettings {
  /** Tokens per sequence; undefined: the model's own, capped by memory. */
  readonly contextTokens: number | undefined;
  /** Requests that are computed together. */
  readonly parallel: number;
  /** The context is held for all of them from the beginning; otherwise it grows as they need it. */
  readonly reserve?: boolean | undefined;
  /** Undefined: physical cores, minus one where the machine has more than four; 1 for a small model. */
  readonly threads: number | undefined;
  /** 0: the processor computes even where there is a GPU; undefined: as many as fit. */
  readonly gpuLayers: number | undefined;
  /** How the caches of conversations keep their numbers; undefined: f16. */
  readonly cacheType?: CacheType | undefined;
  /** Undefined: wherever llama.cpp can. */
  readonly flashAttention?: boolean | undefined;
  /** With absolute paths; undefined: the model as it is. */
  readonly lora?: readonly LoraAdapter[] | undefined;
  /** The caches of conversations are kept in files while the model is not in memory. */
  readonly cacheFile?: boolean | undefined;
  /** Where guesses of an answer's next tokens come from; undefined: all sources. */
  readonly drafts?: 'all' | 'prediction' | 'none' | undefined;
  /** Its vectors may be cut to fewer numbers. */
  readonly cutsVectors?: boolean | undefined;
  /** How long the idle model stays in memory; undefined: for ever. */
  readonly keepAliveMs: number | undefined;
  /** Absolute path of a voice activity detector, for speech models; undefined: all of the audio is listened to. */
  readonly voiceActivityModel?: string | undefined;
  /** It is to be in memory before anyone asks for it. */
  readonly preload?: boolean | undefined;
}

/** A model that is loaded from a file. Undefined settings are chosen by the backend. */
export interface FileModelSpec extends LoadSettings {
  readonly id: string;
  readonly kind: ModelKind;
  readonly path: string;
  /** File of the projector by which the model sees or hears; undefined: it only reads. */
  readonly projectorPath?: string | undefined;
  /** Where the caches of its conversations are kept; undefined: they are lost when the model is unloaded. */
  readonly cachePlace?: CacheFilePlace | undefined;
}

/** Where models in files run: `none` is hearth's own process, `process` one process for each model. */
export const isolations = ['none', 'process'] as const;
export type Isolation = (typeof isolations)[number];

/** Tells whether a file may be loaded: tries it in a process of its own, or remembers that it was tried. */
export type FileCheck = (
  path: string,
  signal: AbortSignal,
) => Promise<
  | { readonly loadable: true }
  | {
      readonly loadable: false;
      readonly reason: string;
      /** When it may be tried again, by `Date.now()`; undefined: at any time. */
      readonly retryAtMs?: number;
    }
>;

/** Settings that only some kinds of models have a use for, each with its name in the file. */
const ownSettings: readonly [setting: keyof LoadSettings, name: string, kinds: readonly ModelKind[]][] = [
  ['contextTokens', 'context', ['chat', 'embedding', 'reranker']],
  ['reserve', 'reserve', ['chat']],
  ['cacheType', 'cacheType', ['chat']],
  ['flashAttention', 'flashAttention', ['chat']],
  ['lora', 'lora', ['chat']],
  ['cacheFile', 'cacheFile', ['chat']],
  ['drafts', 'drafts', ['chat']],
  ['cutsVectors', 'dimensions', ['chat', 'embedding']],
  ['voiceActivityModel', 'voiceActivity', ['speech']],
];

/** Throws LoadRefusedError where `spec` has settings that have no meaning for models of its kind. */
export function mustHaveOwnSettings(spec: FileModelSpec): void {
  const { kind } = spec;
  for (const [setting, name, kinds] of ownSettings)
    if (spec[setting] !== undefined && !kinds.includes(kind))
      throw new LoadRefusedError(
        `its ${name} is set, which has no meaning for this model: it ${modelKinds[kind].strength}`,
      );
}

/** Throws LoadRefusedError where the file at `path` must not be loaded. */
export async function mustBeLoadable(check: FileCheck, path: string, signal: AbortSignal): Promise<void> {
  const verdict = await check(path, signal);
  if (!verdict.loadable) throw new LoadRefusedError(verdict.reason, verdict.retryAtMs);
}
