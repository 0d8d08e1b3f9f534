import type { Llama, LlamaContext, LlamaModel } from 'node-llama-cpp';
import { createNativeSampler } from '../../../src/engine/llama/native/sampler.ts';
import { nativeContextOf, type NativeContext } from '../../../src/engine/llama/native/context.ts';
import { openLlama } from '../../../src/engine/llama/open-llama.ts';
import { SamplerPool } from '../../../src/engine/llama/sampling/sampler-pool.ts';
import { Vocabulary } from '../../../src/engine/llama/tokens/vocabulary.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { tinyModel } from './tiny-model.ts';
import type { TinyModelOptions } from '../../../scripts/make/tiny-model/write-tiny-model.ts';

export const silentLog = createLog({ level: 'silent' });

/** llama.cpp on the CPU with one thread, which is the fastest for models as small as these. */
export const openTestLlama = (): Promise<Llama> => openLlama({ gpu: false, maxThreads: 1, log: silentLog });

/** A tiny model with a context, down to the addon's own handles. */
export interface NativeFixture extends AsyncDisposable {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly context: LlamaContext;
  readonly native: NativeContext;
  readonly vocabulary: Vocabulary;
  readonly samplers: SamplerPool;
}

export async function openNativeFixture(options: TinyModelOptions = {}): Promise<NativeFixture> {
  const llama = await openTestLlama();
  const model = await llama.loadModel({ modelPath: await tinyModel(options) });
  const context = await model.createContext({ contextSize: 512, sequences: 3, batchSize: 256, threads: 1 });
  const samplers = new SamplerPool(model);
  return {
    llama,
    model,
    context,
    native: nativeContextOf(context),
    vocabulary: new Vocabulary(model),
    samplers,
    async [Symbol.asyncDispose]() {
      samplers.dispose();
      await llama.dispose();
    },
  };
}

/** ln of the softmax over all tokens at `logitIndex`, from the raw logits: what log-probabilities must agree with. */
export async function fullLogprobs(
  { native, model }: Pick<NativeFixture, 'native' | 'model'>,
  logitIndex: number,
): Promise<ReadonlyMap<number, number>> {
  const raw = createNativeSampler(model);
  raw.applyConfig({ temperature: 0, seed: 0, topP: 1, minP: 0 });
  // `true` in place of a filter: all of them. The engine never asks for that.
  const all = true as never;
  const [, , , pairs = []] = await native.sampleToken(logitIndex, raw, false, false, all, false);
  raw.dispose();
  const logits = new Map<number, number>();
  for (let at = 0; at < pairs.length; at += 2) logits.set(pairs[at] ?? -1, pairs[at + 1] ?? Number.NaN);
  const highest = Math.max(...logits.values());
  const sum = [...logits.values()].reduce((total, logit) => total + Math.exp(logit - highest), 0);
  return new Map([...logits].map(([token, logit]) => [token, logit - highest - Math.log(sum)]));
}

/** Computes `tokens` of a sequence, beginning at `position`; the index of the logits after the last one. */
export async function decode(
  native: NativeContext,
  sequence: number,
  position: number,
  tokens: ArrayLike<number>,
): Promise<number> {
  native.initBatch(tokens.length);
  const indexes = native.addToBatch(
    sequence,
    position,
    Uint32Array.from(tokens),
    Uint32Array.of(tokens.length - 1),
  );
  await native.decodeBatch();
  return indexes[0] ?? -1;
}
