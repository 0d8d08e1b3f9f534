/**
 * The one place that touches node-llama-cpp's internals (pinned to an exact version). Everything above it works
 * with the two typed handles below; test/unit/engine/native.test.ts fails loudly when an upgrade changes them.
 */
import { getLlama, LlamaLogLevel, type Llama, type LlamaContext, type LlamaModel } from 'node-llama-cpp';
import type { Log } from '../../telemetry/log.ts';
import { Turns } from './turns.ts';

/** The addon's sampler; opaque, freed by `dispose`. */
export interface NativeSampler {
  applyConfig(config: NativeSamplerConfig): void;
  dispose(): void;
}

/** How far a grammar has come; opaque, freed by the garbage collector. */
export interface NativeGrammarState {
  readonly grammarState: unique symbol;
}

/** How far a grammar has come, and what it has to say about the next token. */
export interface GrammarState {
  readonly native: NativeGrammarState;
  allows(token: number): boolean;
  /** Takes in a token that it allows. */
  accept(token: number): void;
}

/** What the addon's sampler chain understands: bias, penalties, top-k, top-p, min-p, temperature, seed. */
export interface NativeSamplerConfig {
  temperature: number;
  /** 2 ** 32 - 1 stands for a random one. */
  seed: number;
  /** 0 keeps all candidates too, but sorts them; leave it out instead. */
  topK?: number;
  topP: number;
  minP: number;
  repeatPenalty?: number;
  repeatPenaltyMaxTokens?: number;
  repeatPenaltyTokens?: Uint32Array;
  repeatPenaltyPresencePenalty?: number;
  repeatPenaltyFrequencyPenalty?: number;
  tokenBiasKeys?: Uint32Array;
  tokenBiasValues?: Float32Array;
  grammarEvaluationState?: NativeGrammarState;
}

/** [token, probabilities, confidence, flat [token, logit] pairs, sum of exp(logit - highest logit)] */
type SampleDetails = [number, unknown, unknown, number[] | undefined, number | undefined];
type LogitsFilter = [tokens: number[], highest: boolean, lowest: boolean, selected: boolean, top: number];

/** llama.cpp's context through the addon: one batch at a time, sequences numbered from 0. */
export interface NativeContext {
  /** Between steps only. */
  setThreads(threads: number): void;
  initBatch(size: number): void;
  addToBatch(sequence: number, position: number, tokens: Uint32Array, logitIndexes: Uint32Array): Uint32Array;
  decodeBatch(): Promise<void>;
  sampleToken(logitIndex: number, sampler: NativeSampler): Promise<number>;
  sampleToken(
    logitIndex: number,
    sampler: NativeSampler,
    probabilities: false,
    confidence: false,
    /** `true`: those of all tokens. */
    logits: LogitsFilter | true,
    totalWeight: boolean,
  ): Promise<SampleDetails>;
  /** False when the memory of this architecture cannot forget a part only. */
  removeTokenCellsFromSequence(sequence: number, start: number, end: number): boolean;
  disposeSequence(sequence: number): void;
  copySequenceStateFromOtherSequence(target: number, source: number): Promise<number>;
}

/** A context of one sequence whose outputs are vectors and not tokens. */
export interface NativeEmbeddingContext extends Pick<
  NativeContext,
  'initBatch' | 'addToBatch' | 'decodeBatch' | 'disposeSequence' | 'setThreads'
> {
  /** Of what was decoded last: pooled as the model wants it, else of its last token. Not normalised. */
  getEmbedding(inputTokens: number): Float64Array;
}

/** llama.cpp's model and vocabulary through the addon. */
export interface NativeModel {
  tokenize(text: string, parseSpecial: boolean): Uint32Array;
  detokenize(tokens: Uint32Array, special: boolean): string;
  getTokenString(token: number): string | undefined;
  getTokenAttributes(token: number): number;
  isEogToken(token: number): boolean;
  getVocabularyType(): number;
  shouldPrependBosToken(): boolean;
  shouldAppendEosToken(): boolean;
  tokenBos(): number;
  tokenEos(): number;
  /** Separates texts in the input of an encoder. This and the following: -1 where the model has none. */
  sepToken(): number;
  /** Of fill-in-the-middle: before what stands first, before what stands last, before what is missing. */
  prefixToken(): number;
  suffixToken(): number;
  middleToken(): number;
}

/** A copy of a sequence's cache, outside of the context. */
export interface SavedSequence {
  /** Bytes. */
  readonly size: number;
  dispose(): void;
}

/** Copies the caches of whole sequences out of a context and back. */
export interface SequenceVault {
  save(sequence: number): Promise<SavedSequence>;
  /** The sequence then holds the first `length` tokens of what was saved; false: it could not be brought back. */
  restore(saved: SavedSequence, sequence: number, length: number): Promise<boolean>;
}

interface NativeCheckpoint extends SavedSequence {
  init(context: NativeContext, sequence: number): Promise<void>;
}

interface NativeBindings {
  AddonContextSequenceCheckpoint: new () => NativeCheckpoint;
  AddonSampler: {
    new (model: NativeModel): NativeSampler;
    acceptGrammarEvaluationStateToken(state: NativeGrammarState, token: number): void;
    canBeNextTokenForGrammarEvaluationState(state: NativeGrammarState, token: number): boolean;
  };
  AddonGrammar: new (gbnf: string, options: { addonExports: unknown; rootRuleName: string }) => object;
  AddonGrammarEvaluationState: new (model: NativeModel, grammar: object) => NativeGrammarState;
  AddonJinjaRenderer: new (template: string) => { render(items: Record<string, unknown>): string };
}

const bindingsOf = (llama: Llama) => (llama as unknown as { _bindings: NativeBindings })._bindings;

export const nativeModelOf = (model: LlamaModel): NativeModel =>
  (model as unknown as { _model: NativeModel })._model;

/** Steps of all contexts go one after the other: each of them uses all threads that it may. */
const steps = new Turns();

export function nativeContextOf(context: LlamaContext): NativeContext {
  const { _ctx: native } = context as unknown as { _ctx: NativeContext };
  if (Object.hasOwn(native, 'decodeBatch')) return native;
  const decodeBatch = native.decodeBatch.bind(native);
  Object.defineProperty(native, 'decodeBatch', { value: () => steps.take(decodeBatch) });
  return native;
}

/**
 * A vault for `context`; undefined where the addon's checkpoints hold a part of the cache only: with sliding windows
 * and recurrent states.
 */
export function openSequenceVault(model: LlamaModel, context: LlamaContext): SequenceVault | undefined {
  const { swaSize, isRecurrent, isHybrid } = model.fileInsights;
  if (swaSize !== undefined || isRecurrent || isHybrid) return undefined;
  const { AddonContextSequenceCheckpoint } = bindingsOf(model.llama);
  const native = nativeContextOf(context) as NativeContext & {
    restoreCheckpoint(saved: SavedSequence, lastPosition: number, sequence: number): Promise<boolean>;
  };
  return {
    async save(sequence) {
      const checkpoint = new AddonContextSequenceCheckpoint();
      await checkpoint.init(native, sequence);
      return checkpoint;
    },
    restore: (saved, sequence, length) => native.restoreCheckpoint(saved, length - 1, sequence),
  };
}

/** An embedding context and how to free it. Throws what node-llama-cpp throws. */
export async function openEmbeddingContext(
  model: LlamaModel,
  options: Parameters<LlamaModel['createEmbeddingContext']>[0],
): Promise<{ readonly native: NativeEmbeddingContext; dispose(): Promise<void> }> {
  const context = await model.createEmbeddingContext(options);
  const { _llamaContext: inner } = context as unknown as { _llamaContext: LlamaContext };
  const native = nativeContextOf(inner) as unknown as NativeEmbeddingContext;
  return { native, dispose: () => context.dispose() };
}

export const createNativeSampler = (model: LlamaModel): NativeSampler =>
  new (bindingsOf(model.llama).AddonSampler)(nativeModelOf(model));

/**
 * The beginning of a grammar, `begun` taken in already; undefined when that text does not fit the grammar.
 * Throws when llama.cpp cannot parse it.
 */
export function createGrammarState(
  model: LlamaModel,
  gbnf: string,
  begun: Uint32Array,
): GrammarState | undefined {
  const bindings = bindingsOf(model.llama);
  const { AddonGrammar, AddonGrammarEvaluationState, AddonSampler } = bindings;
  const grammar = new AddonGrammar(gbnf, { addonExports: bindings, rootRuleName: 'root' });
  const native = new AddonGrammarEvaluationState(nativeModelOf(model), grammar);
  const state: GrammarState = {
    native,
    allows: (token) => AddonSampler.canBeNextTokenForGrammarEvaluationState(native, token),
    accept: (token) => AddonSampler.acceptGrammarEvaluationStateToken(native, token),
  };
  for (const token of begun) {
    if (!state.allows(token)) return undefined;
    state.accept(token);
  }
  return state;
}

/** A renderer of `source` by llama.cpp's own Jinja engine. Throws on a template that it cannot parse. */
export function createTemplateRenderer(
  llama: Llama,
  source: string,
): (items: Record<string, unknown>) => string {
  const renderer = new (bindingsOf(llama).AddonJinjaRenderer)(source);
  return (items) => renderer.render(items);
}

/**
 * The llama.cpp backend of this process: the best GPU that the machine has, else the CPU.
 * Uses binaries that were installed with the package; never builds and never downloads.
 */
export async function openLlama(options: {
  readonly gpu: 'auto' | false;
  readonly maxThreads: number;
  readonly log: Log;
}): Promise<Llama> {
  const { gpu, maxThreads, log } = options;
  const llama = await getLlama({
    gpu,
    build: 'never',
    skipDownload: true,
    maxThreads,
    logLevel: LlamaLogLevel.warn,
    logger: (level, message) => {
      const line = message.trim();
      if (line === '') return;
      if (level === LlamaLogLevel.error || level === LlamaLogLevel.fatal) log.error({ line }, 'llama.cpp');
      else log.debug({ line }, 'llama.cpp');
    },
  });
  if (llama.gpu === false || (await llama.getGpuDeviceNames()).length > 0) return llama;
  // A GPU library without a device behind it, as on a server with Vulkan installed.
  await llama.dispose();
  return openLlama({ ...options, gpu: false });
}
