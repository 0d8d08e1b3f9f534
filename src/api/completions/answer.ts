import { logprobsOf, textOf } from '../../engine/answer.ts';
import type { FinishReason, Usage, AnswerDocument } from '../../engine/generation.ts';
import type { StreamedAnswer } from '../generation/serve-generation.ts';
import {
  ChunkWriter,
  toWireUsage,
  type CompletionHead,
  type CompletionOptions,
} from '../generation/wire/completion-wire.ts';
import type { FinishedGroup, GroupEvent } from './generation-group.ts';
import { joinLogprobs, LegacyLogprobsWriter, type LegacyLogprobs } from './legacy-logprobs.ts';

/** The completion in one piece, with a choice for each prompt. */
export const toCompletion =
  (head: CompletionHead, { withLogprobs }: Pick<CompletionOptions, 'withLogprobs'>) =>
  ({ finishReasons, usage }: FinishedGroup, answers: readonly AnswerDocument[]): object => {
    const choices = answers.map(({ blocks, prompt }, index) => {
      const text = (prompt?.text ?? '') + textOf(blocks, 'text');
      const writer = new LegacyLogprobsWriter();
      const logprobs = withLogprobs
        ? joinLogprobs(writer.prompt(prompt ?? { text: '' }), writer.text(logprobsOf(blocks)))
        : null;
      return toChoice(index, text, logprobs, finishReasons[index] ?? null);
    });
    return { ...head, choices, usage: toWireUsage(usage) };
  };

/**
 * The chunks of a completion: texts of all prompts in the order in which they are generated, the finish of each
 * choice, usage if asked for, [DONE].
 */
export class CompletionStream implements StreamedAnswer<GroupEvent, FinishedGroup> {
  readonly #withLogprobs: boolean;
  readonly #chunks: ChunkWriter;
  /** By the number of the choice. */
  readonly #logprobs = new Map<number, LegacyLogprobsWriter>();

  constructor(head: CompletionHead, options: CompletionOptions) {
    this.#withLogprobs = options.withLogprobs;
    this.#chunks = new ChunkWriter(head, options);
  }

  add(event: GroupEvent, usage: Usage): string {
    this.#chunks.usage = usage;
    const { index } = event;
    if (event.type === 'finished') return this.#chunks.write(toChoice(index, '', null, event.finishReason));
    if (event.type === 'delta' && event.block.type === 'text')
      return this.#write(index, event.text, (writer) => writer.text(event.logprobs));
    if (event.type !== 'started' || event.prompt === undefined) return '';
    const { prompt } = event;
    return this.#write(index, prompt.text, (writer) => writer.prompt(prompt));
  }

  end({ usage }: FinishedGroup): Iterable<string> {
    return this.#chunks.end(usage);
  }

  #write(index: number, text: string, toLogprobs: (writer: LegacyLogprobsWriter) => LegacyLogprobs): string {
    const writer = this.#logprobs.get(index) ?? new LegacyLogprobsWriter();
    this.#logprobs.set(index, writer);
    return this.#chunks.write(toChoice(index, text, this.#withLogprobs ? toLogprobs(writer) : null, null));
  }
}

const toChoice = (
  index: number,
  text: string,
  logprobs: LegacyLogprobs | null,
  reason: FinishReason | null,
) => ({ text, index, logprobs, finish_reason: reason });
