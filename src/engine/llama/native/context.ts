import type { LlamaContext, LlamaModel } from 'node-llama-cpp';
import type { NativeSampler } from './sampler.ts';
import { takeStep } from './step-turns.ts';
import { openStepper, type StepDraw, type Stepper } from './stepper.ts';

/** [token, probabilities, confidence, flat [token, logit] pairs, sum of exp(logit - highest logit)] */
type SampleDetails = [number, unknown, unknown, number[] | undefined, number | undefined];
type LogitsFilter = [tokens: number[], highest: boolean, lowest: boolean, selected: boolean, top: number];

/** llama.cpp's context through the addon: one batch at a time, sequences numbered from 0. */
export interface NativeContext {
  /** Draws within steps; undefined: this process does without that, so all draws are made by `sampleToken`. */
  readonly stepper?: Stepper | undefined;
  /** To be called only between steps. */
  setThreads(threads: number): void;
  initBatch(size: number): void;
  addToBatch(sequence: number, position: number, tokens: Uint32Array, logitIndexes: Uint32Array): Uint32Array;
  /** What was drawn for each of `draws`, as `Stepper.step` tells it; these are only for a context with a stepper. */
  decodeBatch(draws?: readonly StepDraw[]): Promise<readonly Float64Array[]>;
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
  /** False when the memory of this architecture cannot forget only a part of a sequence. */
  removeTokenCellsFromSequence(sequence: number, start: number, end: number): boolean;
  disposeSequence(sequence: number): void;
  copySequenceStateFromOtherSequence(target: number, source: number): Promise<number>;
}

/** A context of one sequence whose outputs are vectors and not tokens. */
export interface NativeEmbeddingContext extends Pick<
  NativeContext,
  'initBatch' | 'addToBatch' | 'disposeSequence' | 'setThreads'
> {
  decodeBatch(): Promise<unknown>;
  /** The vector of what was decoded last: pooled as the model wants it, else of its last token. Not normalised. */
  getEmbedding(inputTokens: number, mostNumbers?: number): Float64Array;
}

export function nativeContextOf(context: LlamaContext): NativeContext {
  const { _ctx: native } = context as unknown as { _ctx: NativeContext };
  if (Object.hasOwn(native, 'decodeBatch')) return native;
  const stepper = openStepper(context);
  const decodeAlone = native.decodeBatch.bind(native);
  const decode = async (draws: readonly StepDraw[]): Promise<readonly Float64Array[]> => {
    if (stepper !== undefined) return await stepper.step(draws);
    await decodeAlone();
    return [];
  };
  Object.defineProperties(native, {
    stepper: { value: stepper },
    decodeBatch: { value: (draws: readonly StepDraw[] = []) => takeStep(() => decode(draws)) },
  });
  return native;
}

/** A LoRA adapter as node-llama-cpp takes it. */
export interface NativeAdapter {
  readonly filePath: string;
  readonly scale: number;
}

/** An embedding context, or one that ranks texts, and how to free it. Throws what node-llama-cpp throws. */
export async function openEmbeddingContext(
  model: LlamaModel,
  options: Parameters<LlamaModel['createEmbeddingContext']>[0],
  { ranks = false, adapters = [] }: { ranks?: boolean; adapters?: readonly NativeAdapter[] } = {},
): Promise<{ readonly native: NativeEmbeddingContext; dispose(): Promise<void> }> {
  const context = ranks
    ? await model.createRankingContext(options)
    : await model.createEmbeddingContext(options);
  const { _llamaContext: inner } = context as unknown as {
    _llamaContext: LlamaContext & {
      _setLoras: (this: LlamaContext, adapters: readonly NativeAdapter[]) => Promise<void>;
    };
  };
  const { _setLoras: setAdapters } = inner;
  if (adapters.length > 0) await setAdapters.call(inner, adapters);
  const native = nativeContextOf(inner) as unknown as NativeEmbeddingContext;
  return { native, dispose: () => context.dispose() };
}
