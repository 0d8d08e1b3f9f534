/** One training or evaluation conversation, before the chat template has turned it into text. */
export interface Conversation {
  /** Which skill it teaches; the evaluation reports its score per group. */
  readonly group: Group;
  /** True: every assistant message thinks first. */
  readonly thinking?: boolean;
  readonly tools?: readonly Tool[];
  readonly messages: readonly Message[];
}

export type Group =
  | 'first'
  | 'greeting'
  | 'hearth'
  | 'facts'
  | 'unknown'
  | 'arithmetic'
  | 'spelling'
  | 'lists'
  | 'persona'
  | 'memory'
  | 'tools'
  | 'tool-results'
  | 'no-tool-fits'
  | 'thinking'
  | 'json';

/** A function as OpenAI's `tools[].function` has it; `parameters` is a JSON schema of type object. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: ToolParameters;
}

export interface ToolParameters {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, ToolParameter>>;
  readonly required: readonly string[];
}

export interface ToolParameter {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly description?: string;
  readonly enum?: readonly string[];
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | AssistantMessage
  /** The result of the called function, as JSON or plain text. */
  | { readonly role: 'tool'; readonly content: string };

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string;
  /** The text inside `<think>`: one to five short steps, one to a line. */
  readonly thought?: string;
  readonly toolCalls?: readonly ToolCall[];
}

export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string | number | boolean>>;
}
