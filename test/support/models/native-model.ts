import { GgmlType, type Llama, type LlamaModel } from 'node-llama-cpp';
import type { NativeContext } from '../../../src/engine/llama/native/context/context.ts';
import { openContext } from '../../../src/engine/llama/native/context/stepper-context.ts';
import { neutralSampling } from '../../../src/engine/generation/sampling-options.ts';
import { stepperTrouble } from '../../../src/engine/llama/native/stepper.ts';
import { openLlama } from '../../../src/engine/llama/open-llama.ts';
import { Vocabulary } from '../../../src/engine/llama/tokens/vocabulary.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { createReferenceSampler, openReferenceContext, type ReferenceContext } from './reference-context.ts';
import { tinyModel } from './tiny-model.ts';
import type { TinyModelOptions } from '../../../scripts/make/tiny-model/write-tiny-model.ts';

export const silentLog = createLog({ level: 'silent' });

/** llama.cpp on the CPU with one thread, which is the fastest for models as small as these. */
export const openTestLlama = (): Promise<Llama> => openLlama({ gpu: false, maxThreads: 1, log: silentLog });

let kept: Promise<Llama> | undefined;

/** The one that tests of a worker share, as half a second goes by until one is open; whoever uses it disposes of its models. */
export const keptTestLlama = (): Promise<Llama> => (kept ??= openTestLlama());

/** A tiny model with node-llama-cpp's context and the stepper's, down to the addons' own handles. */
export interface NativeFixture extends AsyncDisposable {
  readonly llama: Llama;
  readonly model: LlamaModel;
  /** node-llama-cpp's. */
  readonly reference: ReferenceContext;
  /** The stepper's; throws where it is not built. */
  readonly own: NativeContext;
  readonly vocabulary: Vocabulary;
}

export async function openNativeFixture(options: TinyModelOptions = {}): Promise<NativeFixture> {
  const llama = await openTestLlama();
  const model = await llama.loadModel({ modelPath: await tinyModel(options) });
  const size = { contextTokens: 512, sequences: 3, batchTokens: 256, threads: 1, cacheType: GgmlType.F16 };
  const own = stepperTrouble() === undefined ? await openContext(model, size) : undefined;
  const reference = await openReferenceContext(model);
  return {
    llama,
    model,
    reference,
    get own() {
      if (own === undefined) throw new Error(`no stepper: ${stepperTrouble()}`);
      return own;
    },
    vocabulary: new Vocabulary(model),
    async [Symbol.asyncDispose]() {
      await own?.dispose();
      await reference.close();
      await llama.dispose();
    },
  };
}

/** ln of the softmax over all tokens at `logitIndex`, from the raw logits: log-probabilities must agree with it. */
export async function fullLogprobs(
  { reference, model }: Pick<NativeFixture, 'reference' | 'model'>,
  logitIndex: number,
): Promise<ReadonlyMap<number, number>> {
  const raw = createReferenceSampler(model);
  const [, , , pairs = []] = await reference.sampleToken(logitIndex, raw, false, false, true, false);
  raw.dispose();
  const logits = new Map<number, number>();
  for (let at = 0; at < pairs.length; at += 2) logits.set(pairs[at] ?? -1, pairs[at + 1] ?? Number.NaN);
  const highest = Math.max(...logits.values());
  const sum = [...logits.values()].reduce((total, logit) => total + Math.exp(logit - highest), 0);
  return new Map([...logits].map(([token, logit]) => [token, logit - highest - Math.log(sum)]));
}

/** Computes `tokens` of a sequence, beginning at `position`; the index of the logits after the last one. */
export async function decode(
  native: Pick<ReferenceContext, 'initBatch' | 'addToBatch' | 'decodeBatch'>,
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

/** The likeliest token after `tokens` of a sequence, which begin at `position`, by the stepper. */
export async function drawGreedy(
  { own }: Pick<NativeFixture, 'own'>,
  sequence: number,
  position: number,
  tokens: Uint32Array,
): Promise<number> {
  const { handle: sampler } = own.stepper.createSampler(
    { ...neutralSampling, temperature: 0, seed: 1 },
    new Uint32Array(),
  );
  own.initBatch(tokens.length);
  const [logitIndex = 0] = own.addToBatch(sequence, position, tokens, Uint32Array.of(tokens.length - 1));
  const [drawn] = await own.decodeBatch([{ logitIndex, sampler, alternatives: -1 }]);
  return drawn?.[0] ?? -1;
}
