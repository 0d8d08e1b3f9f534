import type { FinishReason } from '../../engine/generation.ts';
import { toWireUsage, type CompletionHead } from '../generation/wire/completion-wire.ts';
import type { WholeAnswer } from '../generation/serve-generation.ts';
import type { FinishedGroup, GroupEvent } from './generation-group.ts';
import { LegacyLogprobsWriter, type LegacyLogprobs } from './legacy-logprobs.ts';

/** One or more tokens of a choice's text. */
export interface ChoicePart {
  readonly text: string;
  /** null unless the request asked for them. */
  readonly logprobs: LegacyLogprobs | null;
}

/** Converts the events of one choice to its parts. */
export class ChoiceReader {
  readonly #logprobs: LegacyLogprobsWriter | undefined;

  constructor(options: { withLogprobs: boolean }) {
    if (options.withLogprobs) this.#logprobs = new LegacyLogprobsWriter();
  }

  /** The part that `event` adds to the choice; undefined: none. */
  read(event: GroupEvent): ChoicePart | undefined {
    if (event.type === 'started') {
      const { prompt } = event;
      return prompt && { text: prompt.text, logprobs: this.#logprobs?.prompt(prompt) ?? null };
    }
    if (event.type !== 'text' || (event.text === '' && event.logprobs.length === 0)) return undefined;
    return { text: event.text, logprobs: this.#logprobs?.text(event.logprobs) ?? null };
  }
}

/** Builds a completion in one piece from the events of all prompts, with one choice per prompt. */
export class CompletionCollector implements WholeAnswer<GroupEvent, FinishedGroup> {
  readonly #head: CompletionHead;
  readonly #withLogprobs: boolean;
  readonly #choices: readonly { readonly reader: ChoiceReader; readonly parts: ChoicePart[] }[];

  constructor(head: CompletionHead, prompts: number, options: { withLogprobs: boolean }) {
    this.#head = head;
    this.#withLogprobs = options.withLogprobs;
    this.#choices = Array.from({ length: prompts }, () => ({
      reader: new ChoiceReader(options),
      parts: [],
    }));
  }

  add(event: GroupEvent): void {
    const choice = this.#choices[event.index];
    const part = choice?.reader.read(event);
    if (part !== undefined) choice?.parts.push(part);
  }

  body({ finishReasons, usage }: FinishedGroup): object {
    return {
      ...this.#head,
      choices: this.#choices.map(({ parts }, index) => {
        const whole = joinParts(parts, { withLogprobs: this.#withLogprobs });
        return toWireChoice(index, whole, finishReasons[index] ?? null);
      }),
      usage: toWireUsage(usage),
    };
  }
}

function joinParts(parts: readonly ChoicePart[], options: { withLogprobs: boolean }): ChoicePart {
  const logprobs = parts.flatMap((part) => part.logprobs ?? []);
  return {
    text: parts.map(({ text }) => text).join(''),
    logprobs: options.withLogprobs
      ? {
          tokens: logprobs.flatMap(({ tokens }) => tokens),
          token_logprobs: logprobs.flatMap((part) => part.token_logprobs),
          top_logprobs: logprobs.flatMap((part) => part.top_logprobs),
          text_offset: logprobs.flatMap((part) => part.text_offset),
        }
      : null,
  };
}

export function toWireChoice(index: number, { text, logprobs }: ChoicePart, reason: FinishReason | null) {
  return { text, index, logprobs, finish_reason: reason };
}
