/** node-llama-cpp's own context and sampler, down to its addon's handles: the stepper's draws and numbers must agree with theirs. */
import type { LlamaModel } from 'node-llama-cpp';
import { nativeModelOf, bindingsOf, type NativeModel } from '../../../src/engine/llama/native/model.ts';
import { neutralSampling, type SamplingOptions } from '../../../src/engine/generation/sampling-options.ts';

interface NativeSampler {
  applyConfig(config: object): void;
  dispose(): void;
}

/** [token, probabilities, confidence, flat [token, logit] pairs] */
type SampleDetails = [number, unknown, unknown, number[] | undefined];

export interface ReferenceContext {
  initBatch(size: number): void;
  addToBatch(sequence: number, position: number, tokens: Uint32Array, logitIndexes: Uint32Array): Uint32Array;
  decodeBatch(): Promise<unknown>;
  sampleToken(logitIndex: number, sampler: NativeSampler): Promise<number>;
  sampleToken(
    logitIndex: number,
    sampler: NativeSampler,
    probabilities: false,
    confidence: false,
    ofAll: true,
    totalWeight: boolean,
  ): Promise<SampleDetails>;
  clear(): void;
  /** Frees it. Whoever keeps this keeps the library's context too, which its model waits for. */
  close(): Promise<void>;
}

export async function openReferenceContext(model: LlamaModel): Promise<ReferenceContext> {
  const context = await model.createContext({ contextSize: 512, sequences: 3, batchSize: 256, threads: 1 });
  const { _ctx: native } = context as unknown as {
    _ctx: Omit<ReferenceContext, 'clear' | 'close'> & { disposeSequence(sequence: number): void };
  };
  return Object.assign(native, {
    clear: () => [0, 1, 2].forEach((at) => native.disposeSequence(at)),
    close: () => context.dispose(),
  });
}

/** A sampler of node-llama-cpp. `seen`: the tokens that penalties count, of which those drawn from now on are no part. */
export function createReferenceSampler(
  model: LlamaModel,
  sampling: SamplingOptions = { ...neutralSampling, temperature: 0 },
  seen: readonly number[] = [],
): NativeSampler {
  const { AddonSampler } = bindingsOf(model.llama) as {
    AddonSampler: new (model: NativeModel) => NativeSampler;
  };
  const sampler = new AddonSampler(nativeModelOf(model));
  const { temperature, topK, topP, minP, seed = 0, logitBias, xtcProbability, xtcThreshold } = sampling;
  const { repeatPenalty, frequencyPenalty, presencePenalty } = sampling;
  const isPenalised = repeatPenalty !== 1 || frequencyPenalty !== 0 || presencePenalty !== 0;
  sampler.applyConfig({
    temperature,
    topP,
    minP,
    seed,
    ...(topK > 0 && { topK }),
    ...(xtcProbability > 0 && { xtcProbability, xtcThreshold }),
    ...(isPenalised && {
      repeatPenalty,
      repeatPenaltyFrequencyPenalty: frequencyPenalty,
      repeatPenaltyPresencePenalty: presencePenalty,
      repeatPenaltyMaxTokens: 512,
      repeatPenaltyTokens: Uint32Array.from(seen),
    }),
    ...(logitBias.size > 0 && {
      tokenBiasKeys: Uint32Array.from(logitBias.keys()),
      tokenBiasValues: Float32Array.from(logitBias.values()),
    }),
  });
  return sampler;
}
