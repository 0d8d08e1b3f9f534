import { GgmlType, type LlamaModel } from 'node-llama-cpp';
import type { Log } from '../../../telemetry/log.ts';
import { messageOf } from '../../../words/describe-error.ts';
import { addonRemedy } from '../../addons/addon.ts';
import type { FileModelSpec, ServedModel } from '../../model-backend.ts';
import { LoadRefusedError } from '../../pool/loadable.ts';
import { ChatThreads } from '../chat-threads.ts';
import type { LoadLimits } from '../loaded-model.ts';
import type { ChosenLoad } from '../loading/plan-load.ts';
import {
  openProjector,
  projectorTrouble,
  type Projector,
  type ProjectorOptions,
} from '../native/projector.ts';
import type { NativeContext } from '../native/context/context.ts';
import { openContext } from '../native/context/stepper-context.ts';
import { PrefillPacer } from '../steps/prefill-pacer.ts';
import { Vocabulary } from '../tokens/vocabulary.ts';
import { Speaker } from './speaker.ts';
import { hasOwnVoice } from './speech-families.ts';
import { voiceBatchTokens, voiceContextTokens } from './voice-context.ts';
import { VoiceRecordings } from './voice-recordings.ts';

export interface VoiceOpening {
  readonly model: LlamaModel;
  readonly spec: FileModelSpec;
  readonly chosen: ChosenLoad;
  readonly limits: LoadLimits;
  readonly threads: number;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** A model that speaks. Throws LoadRefusedError where it cannot here. */
export async function openVoiceModel(opening: VoiceOpening): Promise<ServedModel> {
  const { model, spec, chosen, limits, threads, log, signal } = opening;
  const { projectorPath: path } = spec;
  if (path === undefined)
    throw new LoadRefusedError(
      'it speaks by a projector, and no such file lies beside it: pull the model again, or put the file there',
    );
  const trouble = projectorTrouble();
  if (trouble !== undefined)
    throw new LoadRefusedError(`it speaks by an addon, which is missing (${trouble}); ${addonRemedy()}`);
  mustEmbedAllTokens(model);
  const context = await openContext(model, {
    contextTokens: voiceContextTokens,
    sequences: chosen.sequences,
    batchTokens: voiceBatchTokens,
    threads,
    cacheType: GgmlType.F16,
    embeds: true,
    signal,
  });
  const options = { path, threads, usesGpu: chosen.place.projectorOnGpu === true };
  const { projector, speech } = await openVoice(context, options);
  const { sampleRate } = projector;
  const { threadBudget } = limits;
  // A step of the streams beside it takes the other half.
  const sliceMs = limits.targetGapMs / 2;
  const speaker = new Speaker({
    ...limits,
    parallel: chosen.sequences,
    projector,
    speech,
    vocabulary: new Vocabulary(model),
    recordings:
      sampleRate === undefined || hasOwnVoice(speech)
        ? undefined
        : new VoiceRecordings(projector, sampleRate, log),
    pacer: new PrefillPacer(sliceMs, voiceBatchTokens),
    sliceMs,
    threads: threadBudget && new ChatThreads(context, threadBudget, threads),
  });
  return {
    memory: chosen.memory,
    get slots() {
      return speaker.slots;
    },
    get busySlots() {
      return speaker.busySlots;
    },
    get waiting() {
      return speaker.waiting;
    },
    speak: (request, abort, onPiece) => speaker.speak(request, abort, onPiece),
    async dispose() {
      await speaker.dispose();
      await context.dispose();
      await model.dispose();
    },
  };
}

/** A projector that speaks. Throws LoadRefusedError where it is none, and then the context is freed. */
async function openVoice(context: NativeContext, options: ProjectorOptions) {
  let projector: Projector | undefined;
  try {
    projector = await openProjector(context.stepper, options);
    if (projector?.speech === undefined) throw new Error('its projector does not speak');
    return { projector, speech: projector.speech };
  } catch (error) {
    await projector?.close();
    await context.dispose();
    throw new LoadRefusedError(messageOf(error));
  }
}

/** Throws where the file embeds fewer tokens than it has: llama.cpp ends the process at a token without embedding. */
function mustEmbedAllTokens({ fileInfo }: LlamaModel): void {
  const { tokens } = fileInfo.metadata.tokenizer.ggml;
  const weights = fileInfo.fullTensorInfo?.find(({ name }) => name === 'token_embd.weight');
  const rows = Number(weights?.dimensions[1] ?? 0);
  if (rows < tokens.length)
    throw new LoadRefusedError(`it has ${tokens.length} tokens, and embeddings for ${rows} of them`);
}
