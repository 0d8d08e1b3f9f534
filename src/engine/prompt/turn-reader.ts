import type { GenerationEvent } from '../types.ts';
import { ReasoningParser, type ReasoningParserOptions } from './thoughts/reasoning-parser.ts';
import { ToolCallParser, type ToolCallParserOptions } from './tools/read/tool-call-parser.ts';

/** What a turn is made of, in the order in which the model wrote it. */
export type TurnEvent =
  | Extract<GenerationEvent, { type: 'reasoning' | 'tool-call' | 'tool-arguments' }>
  | { readonly type: 'text'; readonly text: string };

export interface TurnReaderOptions {
  readonly thought: ReasoningParserOptions;
  /** Undefined: no tools were offered, call markers are text. */
  readonly calls: ToolCallParserOptions | undefined;
  /** The answer must be calls: what stands around them, or is left of one that was cut short, is not text. */
  readonly onlyCalls?: boolean;
}

/** Splits what a model writes in one turn into thoughts, text and tool calls; a call in a thought is a thought. */
export class TurnReader {
  readonly #thoughts: ReasoningParser;
  readonly #calls: ToolCallParser | undefined;
  readonly #onlyCalls: boolean;
  #answer = '';
  #callCount = 0;

  constructor({ thought, calls, onlyCalls = false }: TurnReaderOptions) {
    this.#thoughts = new ReasoningParser(thought);
    this.#onlyCalls = onlyCalls;
    this.#calls = calls && new ToolCallParser(calls);
  }

  /** What comes next belongs to a thought, as far as is known. */
  get inThought(): boolean {
    return this.#thoughts.inThought;
  }

  /** All that was written outside of thoughts so far, call markers included. */
  get answer(): string {
    return this.#answer;
  }

  /** Calls that began. */
  get callCount(): number {
    return this.#callCount;
  }

  push(text: string): readonly TurnEvent[] {
    return this.#sort(this.#thoughts.push(text));
  }

  /** What was held back: the turn ended. */
  finish(): readonly TurnEvent[] {
    const last = this.#sort(this.#thoughts.finish());
    return this.#calls === undefined ? last : [...last, ...this.#toTurnEvents(this.#calls.finish())];
  }

  #sort(events: ReturnType<ReasoningParser['push']>): readonly TurnEvent[] {
    return events.flatMap((event): readonly TurnEvent[] => {
      if (event.type === 'reasoning') return [event];
      this.#answer += event.text;
      return this.#calls === undefined ? [event] : this.#toTurnEvents(this.#calls.push(event.text));
    });
  }

  #toTurnEvents(events: ReturnType<ToolCallParser['push']>): readonly TurnEvent[] {
    return events.flatMap((event): readonly TurnEvent[] => {
      switch (event.type) {
        case 'text':
          return this.#onlyCalls ? [] : [event];
        case 'tool-call':
          this.#callCount++;
          return [event];
        case 'tool-arguments':
          return [event];
        // Neither shows: the channel tells how the turn ended, and a malformed call is nothing to anyone.
        case 'call-ended':
        case 'malformed-call':
          return [];
      }
    });
  }
}
