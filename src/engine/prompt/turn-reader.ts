import type { TurnEvent } from '../generation/generation.ts';
import type { AnswerConstraint } from './constrain-answer.ts';
import { ReasoningParser, type ReasoningParserOptions } from './thoughts/reasoning-parser.ts';
import { ToolCallParser, type ToolCallEvent, type ToolCallParserOptions } from './tools/tool-call-parser.ts';

export interface TurnReaderOptions {
  readonly thought: ReasoningParserOptions;
  /** Undefined: the request offers no tools, so markers of calls are text. */
  readonly calls: ToolCallParserOptions | undefined;
  /** The answer must consist of calls: text around them, or the rest of a call that was cut off, is dropped. */
  readonly onlyCalls?: boolean;
}

/** Splits a model's turn into thoughts, text and tool calls. */
export class TurnReader {
  readonly #thoughts: ReasoningParser;
  readonly #calls: ToolCallParser | undefined;
  readonly #onlyCalls: boolean;
  /**
   * Everything that was written outside of thoughts so far, with the markers of calls, in pieces: to look at all of it
   * after each token would take longer with each.
   */
  readonly #answer: string[] = [];
  #answerLength = 0;
  #callCount = 0;

  constructor({ thought, calls, onlyCalls = false }: TurnReaderOptions) {
    this.#thoughts = new ReasoningParser({ ...thought, calls });
    this.#onlyCalls = onlyCalls;
    this.#calls = calls && new ToolCallParser(calls);
  }

  /** Whether the next text belongs to a thought, as far as the text so far tells. */
  get inThought(): boolean {
    return this.#thoughts.inThought;
  }

  /**
   * The part of the answer that a grammar has to be fed first, as it applies from there; undefined while it does not
   * apply yet. A call inside a thought counts where it ends the thought.
   */
  constrainedText(begins: AnswerConstraint['begins']): string | undefined {
    if (this.inThought) return undefined;
    if (begins === 'answer') return this.#answer.join('');
    const from = this.#calls?.firstMarkerAt;
    // A plain answer may begin with a bracket too, so a call without a marker counts only once the name of a tool has
    // followed. White space before that name is layout; the grammar also accepts the text without it.
    if (from === undefined)
      return this.#callCount > 0 ? this.#answer.join('').replaceAll(/\s/g, '') : undefined;
    let end = '';
    for (let at = this.#answer.length - 1; end.length < this.#answerLength - from; at--)
      end = this.#answer[at] + end;
    return end.slice(end.length - (this.#answerLength - from));
  }

  get callCount(): number {
    return this.#callCount;
  }

  push(text: string): readonly TurnEvent[] {
    return this.#sort(this.#thoughts.push(text));
  }

  /** The events that were held back, to be called when the turn has ended. */
  finish(): readonly TurnEvent[] {
    const events = this.#sort(this.#thoughts.finish());
    this.#addCalls(this.#calls?.finish() ?? [], events);
    return events;
  }

  #sort(events: ReturnType<ReasoningParser['push']>): TurnEvent[] {
    const sorted: TurnEvent[] = [];
    for (const event of events) {
      if (event.type === 'text') {
        this.#answer.push(event.text);
        this.#answerLength += event.text.length;
        if (this.#calls !== undefined) {
          this.#addCalls(this.#calls.push(event.text), sorted);
          continue;
        }
      }
      sorted.push(event);
    }
    return sorted;
  }

  #addCalls(events: readonly ToolCallEvent[], sorted: TurnEvent[]): void {
    for (const event of events) {
      if (event.type === 'tool-call') this.#callCount++;
      if (event.type !== 'text' || !this.#onlyCalls) sorted.push(event);
    }
  }
}
