import type { GeneratedTokenLogprob, GenerationEvent, ToolCall } from '../../engine/types.ts';
import type { Answer } from './convert-answer.ts';
import { createWireId } from '../wire-id.ts';

/** Puts the events of one generation together into an answer. */
export class AnswerCollector {
  readonly #logprobs: GeneratedTokenLogprob[] | null;
  readonly #calls: { id: string; name: string; arguments: string }[] = [];
  #text = '';
  #reasoning = '';

  constructor(options: { withLogprobs: boolean }) {
    this.#logprobs = options.withLogprobs ? [] : null;
  }

  add(event: Exclude<GenerationEvent, { type: 'started' }>): void {
    switch (event.type) {
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

  /** `isCutOff`: the tokens ran out, so that the last call may be a part of one. */
  finish({ isCutOff }: { isCutOff: boolean }): Answer {
    const last = this.#calls.length - 1;
    const calls = this.#calls.map((call, index): ToolCall =>
      call.arguments === '' && !(isCutOff && index === last) ? { ...call, arguments: '{}' } : call,
    );
    return { text: this.#text, reasoning: this.#reasoning, calls, logprobs: this.#logprobs };
  }
}
