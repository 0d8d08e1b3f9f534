/**
 * The one place that touches the addon over whisper.cpp (native/addon.cc). Everything above it works with the two
 * typed objects below. Each call computes on a thread of its own, and leaves libuv's pool alone.
 */
import { createRequire } from 'node:module';
import { doesNotLoad } from '../../addons/addon.ts';
import type { ThreadLease } from '../../queue/thread-budget.ts';
import { AddonError, addonFile } from './addon-file.ts';
import { messageOf } from '../../../words/describe-error.ts';

type ModelHandle = { readonly whisperModel: unique symbol };
type SessionHandle = { readonly whisperSession: unique symbol };

/** The facts of a model in its file. */
export interface SpeechModelFacts {
  /** Languages, numbered as in transcription-languages.ts; 0: it knows English only. */
  readonly languageCount: number;
  /** Positions of its 30 s window. */
  readonly audioContext: number;
  /** Tokens of a prompt and its transcript together. */
  readonly textContext: number;
  /** Tokens below it are text. */
  readonly endOfText: number;
  /** It and the tokens above it are timestamps, 20 ms apart. */
  readonly firstTimestamp: number;
}

export interface WindowRequest {
  /** Text tokens and timestamps that come before the window's; the last ones that fit are used. */
  readonly past: readonly number[];
  /** Number of the language; of no consequence where the model knows one only. */
  readonly language: number;
  /** English is written, whatever is spoken. */
  readonly translates: boolean;
  /** 0 takes the most probable token each time. */
  readonly temperature: number;
  /** Of the draws above temperature 0; less than 2 ** 31. */
  readonly seed: number;
}

/** The model's text and tokens for one window. */
export interface WrittenWindow {
  /** Text and timestamps. */
  readonly tokens: readonly number[];
  /** Natural log-probability of each token at temperature 1, and of the end of the text where it came. */
  readonly logprobs: readonly number[];
  /** Probability of "no speech" at the start of the transcript. */
  readonly noSpeechProb: number;
}

/** How much of the processor a call may use. */
export type ProcessorShare = Pick<ThreadLease, 'threads' | 'yields'>;

/** A stretch of audio, in seconds. */
export interface SpeechSpan {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

interface Addon {
  loadModel(path: string, useGpu: boolean): Promise<ModelHandle>;
  describeModel(model: ModelHandle): SpeechModelFacts;
  tokenize(model: ModelHandle, text: string): Promise<Int32Array>;
  textOf(model: ModelHandle, tokens: Int32Array): Uint8Array;
  releaseModel(model: ModelHandle): Promise<void>;
  openSession(model: ModelHandle): Promise<SessionHandle>;
  setAudio(session: SessionHandle, samples: Float32Array, share: ProcessorShare): Promise<boolean>;
  encode(session: SessionHandle, offsetFrames: number, share: ProcessorShare): Promise<void>;
  detectLanguage(session: SessionHandle, share: ProcessorShare): Promise<number>;
  decode(
    session: SessionHandle,
    request: Omit<WindowRequest, 'past' | 'translates'> & { past: Int32Array; translates: 0 | 1 },
    share: ProcessorShare,
  ): Promise<{ tokens: Int32Array; logprobs: Float32Array; noSpeechProb: number }>;
  cancel(session: SessionHandle): void;
  releaseSession(session: SessionHandle): Promise<void>;
  detectSpeech(modelPath: string, samples: Float32Array, share: ProcessorShare): Promise<Float32Array>;
}

let loaded: Addon | undefined;

/** The addon that the installation built. Throws AddonError. */
export function loadAddon(): Addon {
  if (loaded !== undefined) return loaded;
  const file = addonFile();
  try {
    loaded = createRequire(import.meta.url)(file) as Addon;
  } catch (error) {
    throw new AddonError(doesNotLoad(messageOf(error)));
  }
  return loaded;
}

/** A model's weights in memory, shared by all sessions. To be released. */
export type NativeSpeechModel = Awaited<ReturnType<typeof loadSpeechModel>>;

/**
 * The model of the file at `path`, which must have been checked before, because whisper.cpp trusts the file. Rejects
 * when it cannot be loaded, AddonError included.
 */
export async function loadSpeechModel(path: string, { useGpu }: { useGpu: boolean }) {
  const native = loadAddon();
  const model = await native.loadModel(path, useGpu);
  const facts = native.describeModel(model);
  return {
    facts,
    /** Tokens of any text; characters without a token are left out. */
    tokenize: async (text: string) => [...(await native.tokenize(model, text))],
    /** The text of the text tokens among these; timestamps are passed over. */
    textOf(tokens: readonly number[]): string {
      const textTokens = tokens.filter((token) => token < facts.endOfText);
      return new TextDecoder().decode(native.textOf(model, Int32Array.from(textTokens)));
    },
    openSession: async () => toSession(native, await native.openSession(model)),
    /** Frees the weights, once no session needs them any more. */
    release: () => native.releaseModel(model),
  };
}

/** One audio and the memory to compute with. One call at a time, except for `cancel`. To be released. */
export type NativeSession = ReturnType<typeof toSession>;

function toSession(native: Addon, session: SessionHandle) {
  return {
    /** Takes in mono samples of 16 kHz, not to be changed meanwhile; false where some of them are no numbers. */
    setAudio: (samples: Float32Array, share: ProcessorShare) => native.setAudio(session, samples, share),
    /** Looks at the 30 s from `offsetFrames` on; a frame is 10 ms. */
    encode: (offsetFrames: number, share: ProcessorShare) => native.encode(session, offsetFrames, share),
    /** Number of the most probable language of the encoded window, for a model that knows several. */
    detectLanguage: (share: ProcessorShare) => native.detectLanguage(session, share),
    /** The encoded window's transcript, written once. */
    async decode(request: WindowRequest, share: ProcessorShare): Promise<WrittenWindow> {
      const past = Int32Array.from(request.past);
      const translates = request.translates ? 1 : 0;
      const written = await native.decode(session, { ...request, past, translates }, share);
      const { tokens, logprobs, noSpeechProb } = written;
      return { tokens: [...tokens], logprobs: [...logprobs], noSpeechProb };
    },
    /** Makes the running call and all later ones reject before their next step. */
    cancel: () => native.cancel(session),
    /** Frees the memory. It does not wait for calls, so none may run. */
    release: () => native.releaseSession(session),
  };
}

/**
 * Where in the samples, not to be changed meanwhile, the detector of `modelPath` (Silero, in whisper.cpp's format) hears
 * speech.
 */
export async function detectSpeech(
  modelPath: string,
  samples: Float32Array,
  share: ProcessorShare,
): Promise<SpeechSpan[]> {
  const bounds = await loadAddon().detectSpeech(modelPath, samples, share);
  const spans: SpeechSpan[] = [];
  for (let index = 0; index + 1 < bounds.length; index += 2)
    spans.push({ startSeconds: bounds[index] ?? 0, endSeconds: bounds[index + 1] ?? 0 });
  return spans;
}
