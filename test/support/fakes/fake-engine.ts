import { setTimeout as sleep } from 'node:timers/promises';
import type {
  EchoedPrompt,
  EmbeddingEnd,
  Engine,
  FinishReason,
  GeneratedTokenLogprob,
  Generation,
  GenerationEnd,
  GenerationEvent,
  Usage,
  UsageSource,
  AnswerEvent,
} from '../../../src/engine/generation/generation.ts';
import type { EmbeddingRequest, GenerationRequest } from '../../../src/engine/types.ts';
import type { ModelState, ModelStatus } from '../../../src/engine/pool/model-status.ts';
import type {
  TextEngine,
  RankEnd,
  RankRequest,
  TokenizedText,
  TokenizeRequest,
} from '../../../src/engine/text-engine.ts';
import { Answer } from '../../../src/engine/generation/answer.ts';
import type { VoiceEngine } from '../../../src/engine/voice/speaking-types.ts';
import { FakeVoiceEngine } from './fake-voice-engine.ts';
import { nothingComputed } from '../../../src/engine/generation/generation.ts';

/** One step of the fake: it tells how many tokens of its prompt it has read, says, thinks, calls a function, gives it arguments, waits, or fails. */
export type Step =
  | { readonly text: string; readonly logprobs?: readonly GeneratedTokenLogprob[] }
  | { readonly reasoning: string }
  | { readonly call: string }
  | { readonly arguments: string }
  | { readonly progress: number }
  | { readonly waitMs: number }
  | { readonly fail: Error };

export interface Script {
  /** Before `started`: where loading, queueing and context checks fail or wait. */
  readonly before?: readonly Step[];
  /** After all checks and before `started`: while it waits for a slot, and while its prompt is computed. */
  readonly queued?: readonly Step[];
  readonly steps: readonly Step[];
  readonly finishReason?: FinishReason;
  readonly stopSequence?: string;
  /** The prompt that a request with `echo` gets. */
  readonly prompt?: EchoedPrompt;
  /** Keywords of the request's schemas that it ignores. */
  readonly ignored?: readonly string[];
  readonly promptTokens?: number;
  readonly cachedTokens?: number;
  readonly source?: UsageSource;
}

/** One request that the fake was given, and its outcome. */
export interface FakeCall {
  readonly request: GenerationRequest;
  readonly signal: AbortSignal;
  readonly end: Promise<GenerationEnd>;
}

/** One request for embeddings that the fake was given. */
export interface FakeEmbedding {
  readonly request: EmbeddingRequest;
  readonly signal: AbortSignal;
}

/** A vector of length 1 for each input, and three tokens. */
function embedAll({ request }: FakeEmbedding): EmbeddingEnd {
  const vectors = request.inputs.map((_, index) => Float32Array.of(Math.cos(index), Math.sin(index), 0, 0));
  return { outcome: 'finished', vectors, usage: { ...nothingComputed, promptTokens: 3 * vectors.length } };
}

/** An engine without a model: it plays `script` for each request and remembers the requests. */
export class FakeEngine implements Engine, TextEngine, VoiceEngine {
  readonly voice = new FakeVoiceEngine();
  readonly calls: FakeCall[] = [];
  script: Script | ((request: GenerationRequest) => Script) = {
    steps: [{ text: 'Hello' }, { text: ' there' }],
  };
  readonly embeddings: FakeEmbedding[] = [];
  readonly tokenizations: TokenizeRequest[] = [];
  tokenizeFailure: Error | undefined;
  readonly rankings: RankRequest[] = [];
  rankFailure: Error | undefined;
  /** How it answers requests for embeddings. */
  embedding: (asked: FakeEmbedding) => EmbeddingEnd | Promise<EmbeddingEnd> = embedAll;
  unloadsAtMs: number | undefined;
  states = new Map<string, ModelState>();

  get lastCall(): FakeCall {
    const call = this.calls.at(-1);
    if (call === undefined) throw new Error('the engine was not asked for anything');
    return call;
  }

  generate(request: GenerationRequest, signal: AbortSignal): Generation {
    const script = typeof this.script === 'function' ? this.script(request) : this.script;
    const playback = new Playback(script, signal);
    this.calls.push({ request, signal, end: playback.ended });
    return playback;
  }

  async countTokens(request: GenerationRequest, signal: AbortSignal): Promise<number> {
    const generation = this.generate({ ...request, maxTokens: 0 }, signal);
    for await (const event of generation.events) if (event.type === 'started') return event.promptTokens;
    throw signal.reason;
  }

  /** The longer a document, the better. */
  async rank(request: RankRequest): Promise<RankEnd> {
    this.rankings.push(request);
    if (this.rankFailure !== undefined)
      return { outcome: 'failed', error: this.rankFailure, usage: nothingComputed };
    const scores = request.documents.map(({ length }) => length / (length + 1));
    return { outcome: 'finished', scores, usage: { ...nothingComputed, promptTokens: 5 } };
  }

  /** A token for each code point of a text, with its number; ten for a conversation. */
  async tokenize(request: TokenizeRequest): Promise<TokenizedText> {
    this.tokenizations.push(request);
    if (this.tokenizeFailure !== undefined) throw this.tokenizeFailure;
    const { prompt, withPieces } = request;
    const text = prompt.kind === 'text' ? prompt.text : 'x'.repeat(10);
    const tokens =
      prompt.kind === 'tokens' ? prompt.tokens : Array.from(text, (char) => char.codePointAt(0) ?? 0);
    const texts = tokens.map((token) => String.fromCodePoint(Math.min(token, 0x10ffff)));
    const pieces = texts.map((token) => ({ token: token.toWellFormed(), bytes: [...Buffer.from(token)] }));
    return {
      tokens,
      pieces: withPieces ? pieces : [],
      text: texts.join('').toWellFormed(),
      contextTokens: 2048,
    };
  }

  speak(...asked: Parameters<VoiceEngine['speak']>): ReturnType<VoiceEngine['speak']> {
    return this.voice.speak(...asked);
  }

  async embed(request: EmbeddingRequest, signal: AbortSignal): Promise<EmbeddingEnd> {
    const asked = { request, signal };
    this.embeddings.push(asked);
    return this.embedding(asked);
  }

  status(modelId: string): ModelStatus {
    const memory = { ramBytes: 700, vramBytes: 300 };
    return { state: this.state(modelId), memory, contextTokens: 2048, unloadsAtMs: this.unloadsAtMs };
  }

  async findNeeds(): Promise<void> {}

  state(modelId: string): ModelState {
    return this.states.get(modelId) ?? 'available';
  }

  async close(): Promise<void> {}
}

/** `call` is the number of the last call that began. */
function toEvent(
  step: Exclude<Step, { waitMs: number } | { progress: number } | { fail: Error }>,
  call: number,
): GenerationEvent {
  if ('reasoning' in step) return { type: 'reasoning', text: step.reasoning };
  if ('call' in step) return { type: 'tool-call', index: call, name: step.call };
  if ('arguments' in step) return { type: 'tool-arguments', index: call, text: step.arguments };
  return { type: 'text', text: step.text, logprobs: step.logprobs ?? [] };
}

/** Plays a script whether or not anybody reads, as a step loop would. */
class Playback implements Generation {
  readonly ended: Promise<GenerationEnd>;
  readonly accepted: Promise<void>;
  readonly answer = new Answer();
  readonly events: AsyncIterable<AnswerEvent>;
  readonly #queue: { readonly event: GenerationEvent; readonly usage: Usage }[] = [];
  /** Of the event that was read last, so that tests get the same each time. */
  #usageSoFar: Usage = nothingComputed;
  readonly #leave = new AbortController();
  readonly #accepted = Promise.withResolvers<void>();
  #wake: () => void = () => {};
  #end: GenerationEnd | undefined;

  constructor(script: Script, signal: AbortSignal) {
    this.events = this.#read();
    this.accepted = this.#accepted.promise;
    this.ended = this.#play(script, AbortSignal.any([signal, this.#leave.signal])).then((end) => {
      this.#end = end;
      this.#accepted.resolve();
      this.#wake();
      return end;
    });
  }

  usageSoFar(): Usage {
    return this.#usageSoFar;
  }

  async #play(script: Script, signal: AbortSignal): Promise<GenerationEnd> {
    let calls = 0;
    const usage = {
      promptTokens: script.promptTokens ?? 7,
      cachedTokens: script.cachedTokens ?? 0,
      completionTokens: 0,
      reasoningTokens: 0,
      source: script.source,
    };
    try {
      const { before = [], queued = [], steps } = script;
      for (const step of [...before, 'accept' as const, ...queued, 'start' as const, ...steps]) {
        if (signal.aborted) return { outcome: 'aborted', usage };
        if (step === 'accept') this.#accepted.resolve();
        else if (step === 'start') {
          const { prompt, ignored } = script;
          const started = { ...usage, ...(prompt && { prompt }), ...(ignored && { ignored }) };
          this.#push({ type: 'started', ...started }, usage);
        } else if ('fail' in step) throw step.fail;
        else if ('progress' in step)
          this.#push({ type: 'progress', ...usage, processedTokens: step.progress, elapsedMs: 1.5 }, usage);
        else if ('waitMs' in step) await sleep(step.waitMs, undefined, { signal }).catch(() => {});
        else {
          usage.completionTokens += 1;
          if ('reasoning' in step) usage.reasoningTokens += 1;
          if ('call' in step) calls += 1;
          this.#push(toEvent(step, calls - 1), usage);
        }
      }
      if (signal.aborted) return { outcome: 'aborted', usage };
      const { finishReason = 'stop', stopSequence } = script;
      return { outcome: 'finished', finishReason, stopSequence, usage };
    } catch (error) {
      return { outcome: 'failed', error: error as Error, usage };
    }
  }

  #push(event: GenerationEvent, usage: Usage): void {
    this.#queue.push({ event, usage: { ...usage } });
    this.#wake();
  }

  async *#read(): AsyncGenerator<AnswerEvent> {
    try {
      for (;;) {
        const next = this.#queue.shift();
        if (next !== undefined) {
          this.#usageSoFar = next.usage;
          yield* this.answer.add(next.event);
        } else if (this.#end?.outcome === 'failed') throw this.#end.error;
        else if (this.#end !== undefined) {
          if (this.#end.outcome === 'finished') yield* this.answer.finish(this.#end.finishReason);
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      this.#leave.abort();
    }
  }
}
