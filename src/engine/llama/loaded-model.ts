import type { LlamaContext, LlamaModel } from 'node-llama-cpp';
import { AppError } from '../../errors.ts';
import type { GenerationTimes } from '../observer.ts';
import type { GenerationChannel } from '../generation-channel.ts';
import type { ServedModel } from '../model-backend.ts';
import type { AnswerCompiler } from '../guard/answer-compiler.ts';
import { demandOf } from '../prompt/constrain-answer.ts';
import {
  nothingComputed,
  type EmbeddingEnd,
  type EmbeddingRequest,
  type GenerationRequest,
  type Prompt,
} from '../types.ts';
import { sumMemory, type MemoryUse } from '../pool/memory-use.ts';
import type { ThreadBudget } from '../queue/thread-budget.ts';
import { WaitingRoom } from '../queue/waiting-room.ts';
import { ChatThreads } from './steps/chat-threads.ts';
import type { Embedder } from './embeddings/embedder.ts';
import type { CacheMemory } from './caches/cache-memory.ts';
import { IdleCaches } from './caches/idle-caches.ts';
import { nativeContextOf, openSequenceVault } from './native.ts';
import type { PromptTokenizer } from './tokens/prompt-tokens.ts';
import type { PreparedTurn, SequenceRequest } from './steps/running-sequence.ts';
import { SamplerPool } from './sampling/sampler-pool.ts';
import { StepLoop } from './steps/step-loop.ts';
import { TokenSampler } from './sampling/token-sampler.ts';
import { planTurn, type TurnPlan } from '../prompt/turn-plan.ts';
import type { Vocabulary } from './tokens/vocabulary.ts';

export interface LoadedModelOptions {
  readonly model: LlamaModel;
  readonly context: LlamaContext;
  readonly vocabulary: Vocabulary;
  readonly promptTokenizer: PromptTokenizer;
  /** Shared with other models. */
  readonly answers: AnswerCompiler;
  readonly embedder: Embedder;
  readonly memory: MemoryUse;
  /** Besides, once it was asked for embeddings. */
  readonly embeddingMemory: MemoryUse;
  /** Shared with other models. */
  readonly cacheMemory: CacheMemory;
  readonly targetGapMs: number;
  /** Requests that may wait for a slot at the same time. */
  readonly queueLimit: number;
  readonly queueTimeoutMs: number;
  /** Default: nothing else computes on the cores. */
  readonly threadBudget?: ThreadBudget | undefined;
  readonly onTimed?: ((times: GenerationTimes) => void) | undefined;
}

/** A model in memory: makes requests ready and has its step loop serve them. */
export class LoadedModel implements ServedModel {
  readonly #options: LoadedModelOptions;
  readonly #loop: StepLoop;
  readonly #samplers: SamplerPool;
  readonly #idleCaches: IdleCaches | undefined;
  /** Those whose prompt is being tokenised, and those that wait for a slot. */
  readonly #room = new WaitingRoom();

  constructor(options: LoadedModelOptions) {
    this.#options = options;
    const { model, context, vocabulary } = options;
    this.#samplers = new SamplerPool(model);
    const native = nativeContextOf(context);
    const { threadBudget } = options;
    const vault = openSequenceVault(model, context);
    this.#idleCaches = vault && new IdleCaches(native, vault, options.cacheMemory);
    this.#loop = new StepLoop({
      context: native,
      idleCaches: this.#idleCaches,
      threads: threadBudget && new ChatThreads(native, threadBudget, context.idealThreads),
      vocabulary,
      createSampler: (request) =>
        new TokenSampler({
          samplers: this.#samplers,
          vocabulary,
          sampling: request.sampling,
          prompt: request.prompt,
          contextTokens: context.contextSize,
          minTokens: request.ignoreEos ? Number.POSITIVE_INFINITY : request.minTokens,
          topLogprobs: request.topLogprobs,
        }),
      slots: context.totalSequences,
      contextTokens: context.contextSize,
      batchTokens: context.batchSize,
      targetGapMs: options.targetGapMs,
      queueTimeoutMs: options.queueTimeoutMs,
      onTimed: options.onTimed,
    });
  }

  get memory(): MemoryUse {
    const { memory, embedder, embeddingMemory } = this.#options;
    return embedder.isOpen ? sumMemory([memory, embeddingMemory]) : memory;
  }

  get slots(): number {
    return this.#options.context.totalSequences;
  }

  get busySlots(): number {
    return this.slots - this.#loop.freeSlots;
  }

  get waiting(): number {
    return this.#room.size;
  }

  /** Tokens that a prompt and its completion may have together. */
  get contextTokens(): number {
    return this.#options.context.contextSize;
  }

  /**
   * Serves `request`; resolves when it ended, however it ended.
   * Throws AppError when it cannot be served: server_overloaded, context_length_exceeded, invalid_value,
   * invalid_json_schema, schema_too_complex.
   */
  async generate(request: GenerationRequest, channel: GenerationChannel): Promise<void> {
    const places = this.#options.queueLimit + this.#loop.freeSlots;
    const leave = this.#room.enter(request, places, () => {
      channel.abort(this.#overloaded());
      // Not only when its prompt is ready.
      channel.end({ outcome: 'aborted', usage: nothingComputed });
    });
    if (leave === undefined) throw this.#overloaded();
    try {
      const sequenceRequest = await this.#prepare(request, channel.signal);
      await request.batch?.join(channel.signal);
      this.#loop.submit(sequenceRequest, channel, leave);
      await channel.generation.ended;
    } finally {
      leave();
    }
  }

  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<EmbeddingEnd> {
    return this.#options.embedder.embed(request, signal);
  }

  /** Waits for running requests, then frees the memory. No `generate` may be under way or follow. */
  async dispose(): Promise<void> {
    await this.#loop.idle();
    this.#idleCaches?.dispose();
    this.#samplers.dispose();
    await this.#options.embedder.dispose();
    await this.#options.context.dispose();
    await this.#options.model.dispose();
  }

  #overloaded(): AppError {
    const { expectedWaitSeconds: retryAfterSeconds } = this.#loop;
    const message = 'Too many requests wait for this model already. Try again later.';
    return new AppError('server_overloaded', message, { retryAfterSeconds });
  }

  async #prepare(request: GenerationRequest, signal: AbortSignal): Promise<SequenceRequest> {
    const { vocabulary, promptTokenizer, answers } = this.#options;
    for (const token of request.sampling.logitBias.keys()) {
      if (vocabulary.has(token)) continue;
      throw new AppError('invalid_value', `Token ${token} is not one of the model's ${vocabulary.size}.`, {
        param: 'logit_bias',
      });
    }
    const { tokens: prompt, startsInThought } = await promptTokenizer.tokenize(
      request.prompt,
      request,
      signal,
    );
    checkEchoedLogprobs(request, prompt.length);
    const { facts } = promptTokenizer;
    const demand = demandOf(request, facts, startsInThought);
    const constraint = demand && (await answers.compile(demand, { keyId: request.keyId, signal }));
    const plan = planTurn(request, facts, startsInThought, constraint);
    const room = this.contextTokens - prompt.length;
    return {
      accountId: request.accountId,
      keyId: request.keyId,
      batch: request.batch,
      prompt,
      sampling: request.sampling,
      stop: request.stop,
      echo: request.echo === true ? echoOf(request.prompt, prompt, vocabulary) : undefined,
      maxTokens: Math.min(request.maxTokens ?? room, room),
      minTokens: request.minTokens,
      ignoreEos: request.ignoreEos,
      topLogprobs: request.topLogprobs,
      turn: plan && prepareTurn(plan, vocabulary),
    };
  }
}

/** They are kept in memory until the answer is sent, some kilobytes a token. */
function checkEchoedLogprobs(request: GenerationRequest, promptTokens: number): void {
  const { echo, topLogprobs, maxEchoedLogprobs = Infinity } = request;
  if (echo !== true || topLogprobs === undefined || promptTokens <= maxEchoedLogprobs) return;
  throw new AppError(
    'invalid_value',
    `The log-probabilities of ${promptTokens} prompt tokens are too many to repeat; here up to ${maxEchoedLogprobs} ` +
      "are for each prompt. Send fewer prompts at once, lower 'logprobs', or leave 'echo' out.",
    { param: 'logprobs' },
  );
}

/** Given text as it is, other prompts as the text of their tokens. */
function echoOf(prompt: Prompt, tokens: Uint32Array, vocabulary: Vocabulary): string {
  return prompt.kind === 'text' ? prompt.text : vocabulary.textOf(tokens);
}

function prepareTurn(plan: TurnPlan, vocabulary: Vocabulary): PreparedTurn {
  const shown = [...vocabulary.controlTokens].filter(([text]) =>
    plan.markers.some((marker) => marker.includes(text)),
  );
  return {
    plan,
    shownTokens: new Set(shown.map(([, token]) => token)),
    closingTokens: vocabulary.tokenizeGenerated(plan.closingText),
  };
}
