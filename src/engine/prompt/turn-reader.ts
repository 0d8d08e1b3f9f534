import type { TurnEvent } from '../generation.ts';
import { ReasoningParser, type ReasoningParserOptions } from './thoughts/reasoning-parser.ts';
import { ToolCallParser, type ToolCallEvent, type ToolCallParserOptions } from './tools/tool-call-parser.ts';

export interface TurnReaderOptions {
  readonly thought: ReasoningParserOptions;
  /** Undefined: the request offers no tools, so markers of calls are text. */
  readonly calls: ToolCallParserOptions | undefined;
  /** The answer must consist of calls: text around them, or the rest of a call that was cut off, is dropped. */
  readonly onlyCalls?: boolean;
}

/** How many of the last characters of an answer can be looked at without copying all of it. */
const keptOfAnswer = 1024;

/** Splits what a model writes in one turn into thoughts, text and tool calls. */
export class TurnReader {
  readonly #thoughts: ReasoningParser;
  readonly #calls: ToolCallParser | undefined;
  readonly #onlyCalls: boolean;
  #answer = '';
  /** The last characters of the answer: to look at all of it after each token would take longer with each. */
  #answerEnd = '';
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

  /** Everything that was written outside of thoughts so far, with the markers of calls. */
  get answer(): string {
    return this.#answer;
  }

  get answerLength(): number {
    return this.#answer.length;
  }

  /** The last `length` characters of `answer`. */
  endOfAnswer(length: number): string {
    const end = length <= this.#answerEnd.length ? this.#answerEnd : this.#answer;
    return length === 0 ? '' : end.slice(-length);
  }

  /** How many calls have begun. */
  get callCount(): number {
    return this.#callCount;
  }

  push(text: string): readonly TurnEvent[] {
    return this.#sort(this.#thoughts.push(text));
  }

  /** The events that were held back, to be called when the turn has ended. */
  finish(): readonly TurnEvent[] {
    const last = this.#sort(this.#thoughts.finish());
    return this.#calls === undefined ? last : [...last, ...this.#toTurnEvents(this.#calls.finish())];
  }

  #sort(events: ReturnType<ReasoningParser['push']>): readonly TurnEvent[] {
    return events.flatMap((event): readonly TurnEvent[] => {
      if (event.type === 'reasoning') return [event];
      this.#answer += event.text;
      this.#answerEnd = (this.#answerEnd + event.text).slice(-keptOfAnswer);
      return this.#calls === undefined ? [event] : this.#toTurnEvents(this.#calls.push(event.text));
    });
  }

  #toTurnEvents(events: readonly ToolCallEvent[]): readonly TurnEvent[] {
    this.#callCount += events.filter(({ type }) => type === 'tool-call').length;
    return this.#onlyCalls ? events.filter(({ type }) => type !== 'text') : events;
  }
}
