import { GgmlType, type LlamaContext, type LlamaModel } from 'node-llama-cpp';
import { AppError } from '../../../errors/errors.ts';
import { engineError } from '../../../errors/unavailable.ts';
import type { GenerationChannel } from '../../generation/generation-channel.ts';
import type { EmbeddingEnd } from '../../generation/generation.ts';
import type { ServedModel } from '../../model-backend.ts';
import { noMemory, sumMemory, type MemoryUse } from '../../pool/memory-use.ts';
import type { FairTurns } from '../../queue/fair-turns.ts';
import type { TokenizedText, TokenizeRequest } from '../../text-engine.ts';
import type { EmbeddingRequest, GenerationRequest } from '../../types.ts';
import type { Embedder } from '../embeddings/embedder.ts';
import { cacheTypeOf } from '../loading/cache-type.ts';
import { batchTokens } from '../loading/needs/load-estimates.ts';
import { adaptersOf, openTemplate, type Opening } from '../loading/opening.ts';
import type { ChosenLoad } from '../loading/plan-load.ts';
import { refuseMedia } from '../media/open-media.ts';
import { projectorTrouble } from '../native/projector.ts';
import { stepperTrouble } from '../native/stepper.ts';
import { constraintOf, prepareRequest, type PreparationOptions } from '../prepared-request.ts';
import { PromptTokenizer } from '../tokens/prompt-tokens.ts';
import { readTokens } from '../tokens/read-tokens.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';
import { PlainWriter } from './plain-writer.ts';

/** A chat model that answers one request after the other. */
export class PlainChat implements ServedModel {
  readonly slots = 1;
  readonly #model: LlamaModel;
  readonly #context: LlamaContext;
  readonly #chosen: ChosenLoad;
  readonly #preparation: PreparationOptions;
  readonly #turns: FairTurns;
  readonly #embedder: Embedder;
  readonly #writer: PlainWriter;

  private constructor(
    { model, chosen }: Opening,
    context: LlamaContext,
    preparation: PreparationOptions,
    turns: FairTurns,
    embedder: Embedder,
  ) {
    this.#model = model;
    this.#context = context;
    this.#chosen = chosen;
    this.#preparation = preparation;
    this.#turns = turns;
    this.#embedder = embedder;
    this.#writer = new PlainWriter(model, context.getSequence(), preparation.vocabulary);
  }

  /** Throws errors of node-llama-cpp. */
  static async open(opening: Opening, vocabulary: Vocabulary, turns: FairTurns, embedder: Embedder) {
    const { model, spec, chosen, limits, threads, signal } = opening;
    const { contextTokens } = chosen;
    const cacheType = GgmlType[cacheTypeOf(spec)] as keyof typeof GgmlType;
    const context = await model.createContext({
      contextSize: contextTokens,
      sequences: 1,
      batchSize: batchTokens,
      threads,
      flashAttention: spec.flashAttention ?? 'auto',
      experimentalKvCacheKeyType: cacheType,
      experimentalKvCacheValueType: cacheType,
      lora: { adapters: adaptersOf(spec) },
      createSignal: signal,
    });
    const { templateSource, template } = await openTemplate(opening, vocabulary);
    const promptTokenizer = new PromptTokenizer({
      vocabulary,
      template,
      templateSource,
      contextTokens,
      attachments: spec.projectorPath === undefined ? undefined : refuseMedia(projectorTrouble() ?? '').read,
    });
    const preparation = { vocabulary, promptTokenizer, answers: limits.answers, contextTokens };
    return new PlainChat(opening, context, preparation, turns, embedder);
  }

  get contextTokens(): number {
    return this.#preparation.contextTokens;
  }

  get memory(): MemoryUse {
    const { memory, embeddingMemory } = this.#chosen;
    return sumMemory([memory, this.#embedder.isOpen ? embeddingMemory : noMemory]);
  }

  get busySlots(): number {
    return this.#turns.running;
  }

  get waiting(): number {
    return this.#turns.waiting;
  }

  async generate(request: GenerationRequest, channel: GenerationChannel): Promise<void> {
    refuseUnknown(request, this.#preparation.vocabulary);
    const { signal, generation } = channel;
    const prepared = await prepareRequest(request, this.#preparation, signal);
    await request.batch?.join(signal);
    channel.accept();
    try {
      await this.#turns.take(request, signal, async (charge) => {
        const end = await this.#writer.write(prepared, channel);
        charge(end.usage.promptTokens + end.usage.completionTokens);
        channel.end(end);
      });
    } catch (cause) {
      const usage = generation.usageSoFar();
      const outcome = signal.aborted ? 'aborted' : 'failed';
      channel.end(outcome === 'aborted' ? { outcome, usage } : { outcome, error: engineError(cause), usage });
    }
  }

  async countTokens(request: GenerationRequest, signal: AbortSignal): Promise<number> {
    const { promptTokenizer, answers } = this.#preparation;
    const count = await promptTokenizer.count(request, signal);
    await constraintOf(request, { facts: promptTokenizer.facts, answers }, signal);
    return count;
  }

  tokenize(request: TokenizeRequest, signal: AbortSignal): Promise<TokenizedText> {
    return readTokens(request, this.#preparation, signal);
  }

  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<EmbeddingEnd> {
    return this.#embedder.embed(request, signal);
  }

  async dispose(): Promise<void> {
    await this.#embedder.dispose();
    await this.#context.dispose();
    await this.#model.dispose();
  }
}

/** Throws unsupported_value for a parameter that node-llama-cpp has nothing for. */
function refuseUnknown(request: GenerationRequest, { endOfGeneration }: Vocabulary): void {
  const { topLogprobs, minTokens, ignoreEos, sampling } = request;
  const unknown = {
    logprobs: topLogprobs !== undefined,
    min_tokens: minTokens > 0,
    ignore_eos: ignoreEos,
    // Biases of node-llama-cpp leave out the tokens that end a turn.
    logit_bias: [...sampling.logitBias.keys()].some((token) => endOfGeneration.has(token)),
  };
  for (const [param, isSet] of Object.entries(unknown))
    if (isSet)
      throw new AppError(
        'unsupported_value',
        `'${param}' cannot be honoured here, because an addon of the server is missing (${stepperTrouble()}). Leave it ` +
          "out. On the server, 'hearth doctor' says what to do.",
        { param },
      );
}
