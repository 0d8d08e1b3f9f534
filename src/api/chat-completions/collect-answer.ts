import type { GeneratedTokenLogprob, GenerationEvent, ToolCall } from '../../engine/types.ts';
import type { CompletionIdentity } from '../generation/completion-identity.ts';
import type { WholeAnswer } from '../generation/serve-generation.ts';
import { createWireId } from '../generation/wire-id.ts';
import { toChatCompletion } from './convert-answer.ts';
import type { FinishedGeneration } from './convert-answer.ts';

/** Puts the events of one generation together into a completion in one piece. */
export class AnswerCollector implements WholeAnswer<GenerationEvent, FinishedGeneration> {
  readonly #identity: CompletionIdentity;
  readonly #logprobs: GeneratedTokenLogprob[] | null;
  readonly #calls: { id: string; name: string; arguments: string }[] = [];
  #text = '';
  #reasoning = '';

  constructor(identity: CompletionIdentity, options: { withLogprobs: boolean }) {
    this.#identity = identity;
    this.#logprobs = options.withLogprobs ? [] : null;
  }

  add(event: GenerationEvent): void {
    switch (event.type) {
      case 'started':
        return;
      case 'text':
        this.#text += event.text;
        // Not spread: one event may carry more than a call has room for.
        if (this.#logprobs !== null) for (const logprob of event.logprobs) this.#logprobs.push(logprob);
        return;
      case 'reasoning':
        this.#reasoning += event.text;
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

  body(end: FinishedGeneration): object {
    // A call that the maximum cut off may be only a part of one: it is left as it came.
    const lastWhole = this.#calls.length - (end.finishReason === 'length' ? 1 : 0);
    const calls = this.#calls.map((call, index): ToolCall =>
      call.arguments === '' && index < lastWhole ? { ...call, arguments: '{}' } : call,
    );
    const answer = { text: this.#text, reasoning: this.#reasoning, calls, logprobs: this.#logprobs };
    return toChatCompletion(this.#identity, answer, end);
  }
}
