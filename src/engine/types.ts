/**
 * Requests to the engine: plain data that could cross a process boundary unchanged, except for RequestBatch. Nothing
 * here knows HTTP, SQL or any wire format. The results stand in `generation.ts`.
 */

import type { TextFormat } from '../grammar/compile-text.ts';
import type { RequestBatch } from './queue/request-batch.ts';
import type { Caller } from './queue/waiting-room.ts';
import type { SamplingOptions } from './generation/sampling-options.ts';

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

/** A form for a whole text: a match of a regular expression, or a text of a grammar in Lark's language. */
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
  /** Keywords of that schema that seem to be misspelt are errors; otherwise they are ignored. */
  readonly strict?: boolean;
  /** The form of its only argument, the text `input`. */
  readonly inputGrammar?: TextGrammar;
}

/** A picture or a recording that stands in the text of a message. */
export interface Attachment {
  readonly kind: 'picture' | 'sound';
  /** Where it stands: before the character at this index of the text, 0..length. */
  readonly offset: number;
  /** The whole file as it came: its form is not checked yet, and it may be made to do harm. */
  readonly file: Uint8Array;
}

export interface ChatMessage {
  readonly role: ChatRole;
  readonly content: string;
  /** In the order in which they stand in `content`. */
  readonly attachments?: readonly Attachment[];
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
  /** Names that may be called, none of them where it is empty; undefined: all. */
  readonly allowed?: readonly string[];
  /** At least one call comes, else the model decides. */
  readonly required: boolean;
  /** More than one call may come in one turn. */
  readonly parallel: boolean;
}

/** The form of the answer's text: any JSON object, a JSON document that fits a schema, or a text of a grammar. */
export type OutputFormat =
  | { readonly kind: 'json-object' }
  | {
      readonly kind: 'json-schema';
      readonly schema: JsonObject;
      /** Keywords that seem to be misspelt are errors; otherwise they are ignored. */
      readonly strict?: boolean;
    }
  | TextFormat;

/** Those of `low`, `medium` and `high` every model takes; the others count where its template knows them. */
export type ReasoningEffort = 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

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
 * The input of the model: a conversation through its chat template, plain text, or token ids. In plain text the texts
 * of control tokens become those tokens. With a `suffix` the model fills the gap between prompt and suffix, and both
 * are taken literally, as are `begun`, the beginning of the filling, and `snippets` of other files. With
 * `continuesLast` the last message is the beginning of the answer, whose rest is written.
 */
export type Prompt =
  | { readonly kind: 'messages'; readonly messages: readonly ChatMessage[]; readonly continuesLast?: boolean }
  | (TextPrompt & { readonly kind: 'text' })
  | { readonly kind: 'tokens'; readonly tokens: readonly number[]; readonly suffix?: string };

export interface TextPrompt {
  readonly text: string;
  readonly suffix?: string;
  readonly begun?: string;
  readonly snippets?: readonly { readonly name: string; readonly text: string }[];
}

/** The fields of every request about its caller and the model that it needs. */
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
  readonly tools?: ToolUse | undefined;
  /** Before it is `started` it tells how much of its prompt is computed, where hearth itself computes. */
  readonly tellsProgress?: boolean | undefined;
  /** A text that the answer is expected to be for the most part, as where a file is edited: it is then written faster. */
  readonly prediction?: string | undefined;
  /** undefined: any text. */
  readonly outputFormat?: OutputFormat | undefined;
  /** Only with a prompt of messages; undefined: as the chat template does by itself. */
  readonly reasoning?: ReasoningRequest | undefined;
  /** Only with a prompt of messages: variables for the chat template, which win over those of `reasoning`. */
  readonly templateVariables?: TemplateVariables | undefined;
}

/** Texts to be turned into vectors. */
export interface EmbeddingRequest extends ModelUse {
  /** Texts, taken literally, or token ids; each gets a vector of its own. */
  readonly inputs: readonly (string | readonly number[])[];
  /** Numbers per vector; undefined: as many as the model has. */
  readonly dimensions: number | undefined;
  /** The vectors of this model say enough where they are cut off, as it was trained for that. */
  readonly cutsVectors?: boolean | undefined;
}
