import type { GeneratedTokenLogprob, FinishedGeneration, GenerationEvent } from '../../engine/generation.ts';
import type { ToolCall } from '../../engine/types.ts';
import { toWireTokens, toWireUsage } from '../generation/wire/completion-wire.ts';
import type { CompletionHead, CompletionOptions } from '../generation/wire/completion-wire.ts';
import { TextInputReader } from '../parameters/tools/custom-tools.ts';
import type { WholeAnswer } from '../generation/serve-generation.ts';
import { createWireId } from '../generation/wire/wire-id.ts';

/** The fields of a request that decide the form of its answer. */
export interface ChatOptions extends CompletionOptions {
  /** The names of the tools that take free text. */
  readonly customTools: ReadonlySet<string>;
  /** The thought is told, too. */
  readonly withReasoning: boolean;
}

/** Puts the events of one generation together into a completion in one piece. */
export class AnswerCollector implements WholeAnswer<GenerationEvent, FinishedGeneration> {
  readonly #head: CompletionHead;
  readonly #logprobs: GeneratedTokenLogprob[] | null;
  readonly #withReasoning: boolean;
  readonly #customTools: ReadonlySet<string>;
  readonly #calls: { id: string; name: string; arguments: string }[] = [];
  #text = '';
  #reasoning = '';

  constructor(head: CompletionHead, options: Omit<ChatOptions, 'usage'>) {
    this.#head = head;
    this.#withReasoning = options.withReasoning;
    this.#customTools = options.customTools;
    this.#logprobs = options.withLogprobs ? [] : null;
  }

  add(event: GenerationEvent): void {
    switch (event.type) {
      case 'started':
        return;
      case 'text':
        this.#text += event.text;
        // Not with `...`: one event may carry more than a function takes as arguments.
        if (this.#logprobs !== null) for (const logprob of event.logprobs) this.#logprobs.push(logprob);
        return;
      case 'reasoning':
        if (this.#withReasoning) this.#reasoning += event.text;
        return;
      case 'tool-call':
        this.#calls.push({ id: createWireId('call'), name: event.name, arguments: '' });
        return;
      case 'tool-arguments': {
        const call = this.#calls[event.index];
        if (call === undefined) throw new TypeError('arguments of a call that did not begin');
        call.arguments += event.text;
        return;
      }
      default:
        event satisfies never;
    }
  }

  body({ finishReason, usage }: FinishedGeneration): object {
    const logprobs = this.#logprobs && toWireLogprobs(this.#logprobs);
    return {
      ...this.#head,
      choices: [{ index: 0, message: this.#toMessage(), logprobs, finish_reason: finishReason }],
      usage: toWireUsage(usage),
    };
  }

  #toMessage(): object {
    const calls = this.#calls.map((call) =>
      this.#customTools.has(call.name)
        ? toWireCustomCall(call.id, call.name, new TextInputReader().read(call.arguments))
        : toWireCall(call),
    );
    return {
      role: 'assistant',
      content: this.#text === '' && calls.length > 0 ? null : this.#text,
      refusal: null,
      ...(this.#reasoning !== '' && toWireReasoning(this.#reasoning)),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
  }
}

/** Under both names that clients look for: that of vLLM and DeepSeek, and that of OpenRouter. */
export function toWireReasoning(text: string) {
  return { reasoning_content: text, reasoning: text };
}

export function toWireCall({ id, name, arguments: text }: ToolCall) {
  return { id, type: 'function', function: { name, arguments: text } };
}

/** A call of a tool that takes free text. */
export function toWireCustomCall(id: string, name: string, input: string) {
  return { id, type: 'custom', custom: { name, input } };
}

/** `choices[].logprobs` as OpenAI has it. */
export function toWireLogprobs(tokens: readonly GeneratedTokenLogprob[]) {
  return { content: toWireTokens(tokens), refusal: null };
}
