import {
  LlamaGrammarEvaluationState,
  TokenBias,
  type LlamaContextSequence,
  type LlamaModel,
  type SequenceEvaluateOptions,
  type Token,
} from 'node-llama-cpp';
import type { GenerationChannel } from '../../generation/generation-channel.ts';
import type { FinishReason, GenerationEnd, Usage } from '../../generation/generation.ts';
import type { PreparedRequest } from '../prepared-request.ts';
import { brokenModel, tooManyAlternatives } from '../sampling/draw-errors.ts';
import { isPenalised, seedOf } from '../sampling/token-sampler.ts';
import { AnswerWriter } from '../steps/answer-writer.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';

/** Prompt tokens between which a client that leaves is noticed. */
const chunkTokens = 512;
/** Nobody can stop llama.cpp while it asks a grammar, so those that may take long are refused. */
const longestGrammarChars = 65_536;

/** Writes answers with one sequence of node-llama-cpp, which keeps the tokens of its last answer. */
export class PlainWriter {
  readonly #model: LlamaModel;
  readonly #sequence: LlamaContextSequence;
  readonly #vocabulary: Vocabulary;
  #accountId: string | undefined;

  constructor(model: LlamaModel, sequence: LlamaContextSequence, vocabulary: Vocabulary) {
    this.#model = model;
    this.#sequence = sequence;
    this.#vocabulary = vocabulary;
  }

  /** Answers one request, and tells how that ended. Throws schema_too_complex, and errors of node-llama-cpp. */
  async write(prepared: PreparedRequest, channel: GenerationChannel): Promise<GenerationEnd> {
    const { maxTokens, request, ignored = [], echoText: text } = prepared;
    const promptTokens = Array.from(prepared.promptTokens) as Token[];
    const answer = new AnswerWriter(prepared, channel, this.#vocabulary);
    const cachedTokens = await this.#reuse(request.accountId, promptTokens);
    let hasBegun = false;
    const usage = (): Usage => ({
      promptTokens: hasBegun
        ? promptTokens.length
        : Math.min(promptTokens.length, this.#sequence.nextTokenIndex),
      cachedTokens,
      completionTokens: answer.completionTokens,
      reasoningTokens: answer.reasoningTokens,
    });
    channel.usageSoFar = usage;
    const begin = () => {
      hasBegun = true;
      channel.start(promptTokens.length, cachedTokens, {
        ...(text !== undefined && { prompt: { text } }),
        ...(ignored.length > 0 && { ignored }),
      });
    };
    const finished = (finishReason: FinishReason): GenerationEnd => {
      const { stopSequence } = answer;
      return { outcome: 'finished', finishReason, stopSequence, usage: usage() };
    };
    const draws = await this.#drawsOf(prepared, answer);
    const last = promptTokens.length - (maxTokens === 0 ? 0 : 1);
    await this.#read(promptTokens.slice(cachedTokens, last), channel.signal);
    if (channel.signal.aborted) return { outcome: 'aborted', usage: usage() };
    if (maxTokens === 0) {
      begin();
      return finished('length');
    }
    const wanted = { confidence: true } as const;
    const drawn = this.#sequence.evaluateWithMetadata(promptTokens.slice(last), wanted, draws);
    try {
      let next = await drawn.next();
      while (next.done !== true) {
        if (channel.signal.aborted) return { outcome: 'aborted', usage: usage() };
        const { token, confidence } = next.value;
        if (Number.isNaN(confidence)) throw brokenModel();
        if (!hasBegun) begin();
        const ended = this.#vocabulary.endOfGeneration.has(token);
        if (answer.write(token, ended)) return finished('stop');
        const closing = Array.from(answer.closeThought(ended)) as Token[];
        const goesOn = !ended || closing.length > 0;
        if (!goesOn || answer.completionTokens >= maxTokens) {
          answer.finish();
          if (goesOn) return finished('length');
          return finished((answer.reader?.callCount ?? 0) > 0 ? 'tool_calls' : 'stop');
        }
        next = await drawn.next(closing.length === 0 ? token : ended ? closing : [token, ...closing]);
      }
      throw new Error('node-llama-cpp drew no token');
    } finally {
      await drawn.return();
    }
  }

  /** How many tokens of the prompt the sequence holds; others leave it, and so does the conversation of another account. */
  async #reuse(accountId: string, promptTokens: readonly Token[]): Promise<number> {
    if (this.#accountId !== accountId) await this.#sequence.clearHistory();
    this.#accountId = accountId;
    await this.#sequence.adaptStateToTokens(promptTokens.slice(0, -1), false);
    return this.#sequence.nextTokenIndex;
  }

  /** Computes the next tokens, until `signal` is aborted. */
  async #read(tokens: readonly Token[], signal: AbortSignal): Promise<void> {
    for (let at = 0; at < tokens.length && !signal.aborted; at += chunkTokens)
      await this.#sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + chunkTokens));
  }

  async #drawsOf(
    { request, turn }: PreparedRequest,
    { reader }: AnswerWriter,
  ): Promise<SequenceEvaluateOptions> {
    const { temperature, topK, topP, minP, xtcProbability, xtcThreshold, ...others } = request.sampling;
    const { repeatPenalty, frequencyPenalty, presencePenalty, logitBias, seed: _seed, ...unread } = others;
    const { constraint, shownTokens = new Set<number>() } = turn ?? {};
    const biasBanning = (tokens: Iterable<number>) => {
      const bias = TokenBias.for(this.#model);
      for (const [token, logit] of logitBias) bias.set(token as Token, { logit });
      for (const token of [...tokens, ...this.#vocabulary.neverDrawn]) bias.set(token as Token, 'never');
      return bias;
    };
    const open = biasBanning([]);
    const bound = biasBanning(
      [...this.#vocabulary.controlTokenIds].filter((token) => !shownTokens.has(token)),
    );
    if ((constraint?.gbnf.length ?? 0) > longestGrammarChars) throw tooManyAlternatives();
    const grammar = constraint && (await this.#model.llama.createGrammar({ grammar: constraint.gbnf }));
    let state: LlamaGrammarEvaluationState | undefined;
    let isOpen = grammar !== undefined;
    const begun = () => {
      const text = isOpen && constraint ? reader?.constrainedText(constraint.begins) : undefined;
      if (text !== undefined) isOpen = false;
      // There is no way to have it read a text that was written without it.
      if (text === '' && grammar !== undefined)
        state = new LlamaGrammarEvaluationState({ model: this.#model, grammar });
      return state;
    };
    return {
      // An option that is not read here does not compile.
      ...(unread satisfies Record<string, never>),
      temperature,
      topK: Math.min(topK, this.#vocabulary.size),
      topP,
      minP,
      seed: seedOf(request.sampling),
      ...(xtcProbability > 0 && { xtc: { probability: xtcProbability, threshold: xtcThreshold } }),
      ...(isPenalised(request.sampling) && {
        repeatPenalty: {
          punishTokens: () => this.#sequence.contextTokens,
          penalty: repeatPenalty,
          frequencyPenalty,
          presencePenalty,
        },
      }),
      tokenBias: () => (begun() === undefined ? open : bound),
      grammarEvaluationState: begun,
      yieldEogToken: true,
    };
  }
}
