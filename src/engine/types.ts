/**
 * Requests to the engine and their results: plain data and events that could cross a process boundary unchanged, except
 * for RequestBatch. Nothing here knows HTTP, SQL or any wire format.
 */

import type { MemoryUse } from './pool/memory-use.ts';
import type { RequestBatch } from './queue/request-batch.ts';
import type { Caller } from './queue/waiting-room.ts';

export type ChatRole = 'system' | 'user' | 'assistant' | 'tool';

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** A call that the assistant made. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Text of a JSON object. */
  readonly arguments: string;
}

/** What a text must be as a whole: a match of a regular expression, or a text of a grammar in Lark's language. */
export interface TextGrammar {
  readonly syntax: 'regex' | 'lark';
  readonly definition: string;
}

/** A function that the model may call. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** JSON schema of the arguments; undefined: the function takes none. */
  readonly parameters?: JsonObject;
  /** What its argument `input` must be, which is a text and its only argument. */
  readonly inputGrammar?: TextGrammar;
}

export interface ChatMessage {
  readonly role: ChatRole;
  readonly content: string;
  /** For role `tool`: the call that this message answers. */
  readonly toolCallId?: string;
  /** For role `assistant`. */
  readonly toolCalls?: readonly ToolCall[];
  /** For role `assistant`: its thought before the answer. */
  readonly reasoning?: string;
}

/** The functions of a request, and how they may be used. */
export interface ToolUse {
  /** Shown to the model; at least one. */
  readonly definitions: readonly ToolDefinition[];
  /** Names that may be called; undefined: all of them. */
  readonly allowed?: readonly string[];
  /** At least one call comes, else the model decides. */
  readonly required: boolean;
  /** More than one call may come in one turn. */
  readonly parallel: boolean;
}

/**
 * What the answer's text must be: any JSON object, a JSON document that fits a schema, a text that matches a whole
 * regular expression, one of some texts, or a text of a grammar in GBNF.
 */
export type OutputFormat =
  | { readonly kind: 'json-object' }
  | { readonly kind: 'json-schema'; readonly schema: JsonObject }
  | { readonly kind: 'regex'; readonly pattern: string }
  | { readonly kind: 'choice'; readonly texts: readonly string[] }
  | { readonly kind: 'grammar'; readonly gbnf: string };

export type ReasoningEffort = 'low' | 'medium' | 'high';

export interface ReasoningRequest {
  readonly enabled: boolean;
  /** Passed to templates that support it. */
  readonly effort?: ReasoningEffort;
  /** Most tokens of the thought, which is then closed so that an answer follows; undefined: no limit. */
  readonly maxTokens?: number;
}

/** Variables of a chat template by name. */
export type TemplateVariables = Readonly<Record<string, string | number | boolean>>;

/**
 * What the model continues: a conversation through its chat template, plain text, or token ids. In plain text the
 * texts of control tokens become those tokens. With a `suffix` the model fills the gap between prompt and suffix, and
 * both are taken literally.
 */
export type Prompt =
  | { readonly kind: 'messages'; readonly messages: readonly ChatMessage[] }
  | { readonly kind: 'text'; readonly text: string; readonly suffix?: string }
  | { readonly kind: 'tokens'; readonly tokens: readonly number[]; readonly suffix?: string };

/** Which of the likely tokens may be drawn, and how much the likelier ones are preferred. */
export interface TokenFilters {
  /** 0 is greedy; up to 2. */
  readonly temperature: number;
  /** Nucleus mass in 0..1; 1 is off. */
  readonly topP: number;
  /** Candidates kept; 0 is off. */
  readonly topK: number;
  /** Least probability relative to the best candidate, 0..1; 0 is off. */
  readonly minP: number;
  /** How often the likeliest candidates are left out, all but the last above `xtcThreshold`; 0..1; 0 is off. */
  readonly xtcProbability: number;
  /** 0..1; above 0.5 no two candidates can be so likely, so that it is off. */
  readonly xtcThreshold: number;
}

/** What makes single tokens likelier or less likely before they are filtered. */
export interface TokenAdjustments {
  /** -2..2; 0 is off. Counts the tokens of the prompt and of what was generated. */
  readonly frequencyPenalty: number;
  /** -2..2; 0 is off. Counts the tokens of the prompt and of what was generated. */
  readonly presencePenalty: number;
  /** Divides the logits of tokens seen before; 1 is off. */
  readonly repeatPenalty: number;
  /** Added to the logit of each token id; -100 bans a token. */
  readonly logitBias: ReadonlyMap<number, number>;
}

export interface SamplingOptions extends TokenFilters, TokenAdjustments {
  /** Unsigned 32-bit; undefined draws a random one. */
  readonly seed: number | undefined;
}

/** What every request says about who asks, and about the model that it needs. */
export interface ModelUse extends Caller {
  /** Canonical model id, not an alias. */
  readonly modelId: string;
  /** How long the model stays in memory after this request; Infinity: for ever; undefined: as configured. */
  readonly keepAliveMs?: number | undefined;
}

/** Cached prefixes are shared only within an account, so that timing reveals nothing to other accounts. */
export interface GenerationRequest extends ModelUse {
  readonly prompt: Prompt;
  readonly sampling: SamplingOptions;
  /** The options that the request itself sets; the others are hearth's defaults. An engine elsewhere has its own. */
  readonly chosenSampling?: readonly (keyof SamplingOptions)[];
  /** Generation ends before any of these; none is empty. */
  readonly stop: readonly string[];
  /** Most tokens to generate; 0: only the prompt is computed; undefined: as many as the context has room for. */
  readonly maxTokens: number | undefined;
  /** End-of-turn tokens and stop sequences are suppressed until this many tokens are generated. */
  readonly minTokens: number;
  /** Go on past the model's end-of-turn tokens. */
  readonly ignoreEos: boolean;
  /** Most probable alternatives reported per token, 0..20; undefined: no log-probabilities. */
  readonly topLogprobs: number | undefined;
  /** The batch that it belongs to. While one request of a batch is served, the others do not time out. */
  readonly batch?: RequestBatch;
  /** Only with a prompt of text or tokens: `started` repeats it, with log-probabilities where those are wanted. */
  readonly echo?: boolean;
  /** Most prompt tokens whose log-probabilities are echoed. A longer prompt gets invalid_value. */
  readonly maxEchoedLogprobs?: number;
  /** Only with a prompt of messages; undefined: none are offered. */
  readonly tools?: ToolUse;
  /** undefined: any text. */
  readonly outputFormat?: OutputFormat;
  /** Only with a prompt of messages; undefined: what the chat template does by itself. */
  readonly reasoning?: ReasoningRequest;
  /** Only with a prompt of messages: variables for the chat template, which win over what `reasoning` would set. */
  readonly templateVariables?: TemplateVariables;
}

export interface TokenLogprob {
  /** The token's text; incomplete UTF-8 shows as U+FFFD, `bytes` is exact. */
  readonly token: string;
  /** Natural logarithm of the token's probability under the unmodified model. */
  readonly logprob: number;
  readonly bytes: readonly number[];
}

export interface GeneratedTokenLogprob extends TokenLogprob {
  /** Best first. */
  readonly topLogprobs: readonly TokenLogprob[];
}

export interface PromptTokenLogprob extends Omit<GeneratedTokenLogprob, 'logprob'> {
  /** null for the first token: nothing comes before it. */
  readonly logprob: number | null;
}

/** A prompt as the model saw it. */
export interface EchoedPrompt {
  /** A text prompt unchanged, a token prompt as text; without a beginning-of-sequence token. */
  readonly text: string;
  /** One entry per prompt token; undefined unless log-probabilities are wanted. */
  readonly logprobs?: readonly PromptTokenLogprob[];
}

/**
 * Order: one `started`, then any number of the others as they come. Calls are numbered from 0; a call's arguments
 * are one JSON object in pieces, all of them before anything else; only the last call of an answer that reached its
 * maximum of tokens may be cut off. `Generation.ended` tells the end.
 */
export type GenerationEvent =
  | {
      readonly type: 'started';
      /** An estimate where another server computes: the end has what is charged. */
      readonly promptTokens: number;
      readonly cachedTokens: number;
      /** Only where the request has `echo`. */
      readonly prompt?: EchoedPrompt;
      /**
       * Keywords of the request's schemas that are unknown, and those of its `templateVariables` that the chat template
       * does not read; their paths are named as in errors.
       */
      readonly ignored?: readonly string[];
    }
  | {
      readonly type: 'text';
      /** Whole UTF-8 characters, free of stop sequences; may be '' when it only carries logprobs. */
      readonly text: string;
      /** One entry per token whose text this event completes; empty unless asked for. */
      readonly logprobs: readonly GeneratedTokenLogprob[];
    }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'tool-call'; readonly index: number; readonly name: string }
  | { readonly type: 'tool-arguments'; readonly index: number; readonly text: string };

export type FinishReason = 'stop' | 'length' | 'tool_calls';

export interface Usage {
  /** Prompt tokens processed: all of them, unless the generation ended during prefill. */
  readonly promptTokens: number;
  /** Of these, the ones reused from the cache. */
  readonly cachedTokens: number;
  readonly completionTokens: number;
  /** Of the completion tokens, the ones that were thought. */
  readonly reasoningTokens: number;
  /** Who counted, where it was another server than this one; undefined: hearth itself. */
  readonly source?: UsageSource | undefined;
}

/** Told by the server that computed, counted by its tokenizer afterwards, or guessed by length. */
export type UsageSource = 'reported' | 'tokenized' | 'estimated';

/** The usage of a generation that ended before anything was computed. */
export const nothingComputed: Usage = {
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
};

/** How work of a model ended. `Spent` tells what was computed. */
export type WorkEnd<Finished, Spent> =
  | (Spent & Finished & { readonly outcome: 'finished' })
  | (Spent & { readonly outcome: 'aborted' })
  | (Spent & { readonly outcome: 'failed'; readonly error: Error });

export interface SpentTokens {
  readonly usage: Usage;
}

/** How a finished generation came to its end. */
interface FinishedText {
  readonly finishReason: FinishReason;
  /** The one of the request's stop sequences that ended the answer. */
  readonly stopSequence?: string | undefined;
}

export type GenerationEnd = WorkEnd<FinishedText, SpentTokens>;

export interface Generation {
  /**
   * Ends after the last text when the generation finished or was aborted; throws when it failed
   * (AppError: context_length_exceeded, server_overloaded, model_loading, model_load_failed, engine_error …).
   * To be read once. Leaving the loop early aborts the generation.
   */
  readonly events: AsyncIterable<GenerationEvent>;
  /** Resolves when the request has passed all checks, or has ended; never rejects. */
  readonly accepted: Promise<void>;
  /** Always resolves, once the slot is free again; never rejects. */
  readonly ended: Promise<GenerationEnd>;
}

/** Texts to be turned into vectors. */
export interface EmbeddingRequest extends ModelUse {
  /** Texts, taken literally, or token ids; each gets a vector of its own. */
  readonly inputs: readonly (string | readonly number[])[];
  /** Numbers per vector; undefined: as many as the model has. */
  readonly dimensions: number | undefined;
}

/**
 * How embeddings ended: with a vector of length 1 per input, in their order. Errors are AppErrors:
 * context_length_exceeded and invalid_value with a `param` such as `inputs[2]`, unsupported_value, and those of a
 * generation.
 */
export type EmbeddingEnd = WorkEnd<{ readonly vectors: readonly Float32Array[] }, SpentTokens>;

export type ModelState = 'available' | 'loading' | 'loaded' | 'failed';

/** One server that runs a model for hearth, as the operator sees it. */
export interface AddressStatus {
  readonly url: string;
  /** `unknown`: it was not asked yet. */
  readonly state: 'up' | 'down' | 'unknown';
  /** Requests that it is answering. */
  readonly inFlight: number;
  /** Requests that it has begun to answer. */
  readonly requests: number;
  /** Requests that failed there. */
  readonly errors: number;
  /** Moving average of the time to the first byte of an answer. */
  readonly latencyMs?: number | undefined;
  /** Why it is down. */
  readonly reason?: string | undefined;
}

/** A model as the operator sees it; what is undefined does not apply. Times are Unix milliseconds. */
export interface ModelStatus {
  readonly state: ModelState | 'unloading';
  /** What it holds in memory. */
  readonly memory?: MemoryUse | undefined;
  /** Tokens that a prompt and its answer may have together, as it is loaded now. */
  readonly contextTokens?: number | undefined;
  /** Requests that are computed together. */
  readonly slots?: number | undefined;
  /** Of these, the ones in use. */
  readonly busySlots?: number | undefined;
  /** Requests that wait for one of them. */
  readonly waiting?: number | undefined;
  /** Requests that use the model or wait for it. */
  readonly requests?: number | undefined;
  readonly lastUsedAtMs?: number | undefined;
  /** When it is unloaded if no request uses it before. */
  readonly unloadsAtMs?: number | undefined;
  /** Why it could not be loaded, or cannot serve now. */
  readonly error?: string | undefined;
  /** Where it runs, if it runs elsewhere. */
  readonly addresses?: readonly AddressStatus[] | undefined;
  /** The process that it runs in, where it has one of its own. */
  readonly pid?: number | undefined;
}

/** What generates texts and computes embeddings, with any model that can. */
export interface Engine {
  /** Starts at once; aborting `signal` ends it within one step of the loop. Never throws. */
  generate(request: GenerationRequest, signal: AbortSignal): Generation;
  /**
   * The number of tokens of the request's prompt, which may be more than the context holds. Nothing is computed.
   * Throws AppError as a generation would, or the reason of `signal`.
   */
  countTokens(request: GenerationRequest, signal: AbortSignal): Promise<number>;
  /** Resolves when the embeddings have ended; aborting `signal` ends them within one step. Never rejects. */
  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<EmbeddingEnd>;
}

/** What the operator sees of the models in memory and can do about them. */
export interface ModelMemory {
  /** The memory that all models may take, and the memory that they take now. */
  readonly memory: { readonly budget: MemoryUse; readonly used: MemoryUse };
  /** Ids of the models that are loaded or being loaded. */
  readonly inMemory: readonly string[];
  state(modelId: string): ModelState;
  status(modelId: string): ModelStatus;
  /** Resolves when the model is in memory; throws AppError as a request for it would. */
  load(modelId: string, signal: AbortSignal): Promise<void>;
  /** Frees the model as soon as no request uses it; one that could not be loaded may be tried again at once. */
  unload(modelId: string): void;
}
