import { callsOf, logprobsOf, textOf } from '../../engine/generation/answer.ts';
import type {
  FinishedGeneration,
  GeneratedTokenLogprob,
  Usage,
  AnswerBlock,
  AnswerDocument,
  AnswerEvent,
  CallBlock,
} from '../../engine/generation/generation.ts';
import type { StreamedAnswer } from '../generation/serve-generation.ts';
import { ChunkWriter, toWireTokens, toWireUsage } from '../generation/wire/completion-wire.ts';
import type { CompletionHead, CompletionOptions } from '../generation/wire/completion-wire.ts';
import { toPromptProgress } from '../generation/wire/prompt-progress.ts';
import { createWireId } from '../generation/wire/wire-id.ts';
import { TextInputReader } from '../parameters/tools/custom-tools.ts';

export interface ChatOptions extends CompletionOptions {
  readonly customTools: ReadonlySet<string>;
  /** The thought is told, too. */
  readonly withReasoning: boolean;
}

export const toCompletion =
  (head: CompletionHead, options: Omit<ChatOptions, 'usage'>) =>
  (finished: FinishedGeneration, { blocks }: AnswerDocument): object => {
    const logprobs = options.withLogprobs ? toLogprobs(logprobsOf(blocks)) : null;
    const choice = { index: 0, message: toMessage(blocks, options), logprobs, ...toEnd(finished) };
    return { ...head, choices: [choice], usage: toWireUsage(finished.usage) };
  };

/** How an answer ended; a stop sequence has the name that vLLM has for it. */
const toEnd = ({ finishReason, stopSequence }: FinishedGeneration) => ({
  finish_reason: finishReason,
  ...(stopSequence !== undefined && { stop_reason: stopSequence }),
});

function toMessage(
  blocks: readonly AnswerBlock[],
  { withReasoning, customTools }: Omit<ChatOptions, 'usage'>,
): object {
  const text = textOf(blocks, 'text');
  const thought = withReasoning ? textOf(blocks, 'thought') : '';
  const calls = callsOf(blocks).map((call) => {
    const isCustom = customTools.has(call.name);
    return toCall(call, isCustom, isCustom ? new TextInputReader().read(call.text) : call.text);
  });
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(thought !== '' && toReasoning(thought)),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** The chunks of one chat completion: role, the pieces of the answer, finish, usage if asked for, [DONE]. */
export class ChatStream implements StreamedAnswer<AnswerEvent, FinishedGeneration> {
  readonly #options: ChatOptions;
  readonly #chunks: ChunkWriter;
  #calls = 0;
  /** Reads the text of the last call, where its tool takes free text. */
  #textInput: TextInputReader | undefined;

  constructor(head: CompletionHead, options: ChatOptions) {
    this.#options = options;
    this.#chunks = new ChunkWriter(head, options);
  }

  begin(usage: Usage): string {
    this.#chunks.usage = usage;
    return this.#write({ role: 'assistant', content: '' });
  }

  add(event: AnswerEvent, usage: Usage): string {
    this.#chunks.usage = usage;
    if (event.type === 'progress') return this.#write({}, null, { prompt_progress: toPromptProgress(event) });
    if (event.type === 'open' && event.block.type === 'call') return this.#begin(event.block);
    return event.type === 'delta' ? this.#grow(event.block.type, event.text, event.logprobs) : '';
  }

  *end(finished: FinishedGeneration): Iterable<string> {
    this.#chunks.usage = finished.usage;
    yield this.#chunks.write({ index: 0, delta: {}, logprobs: null, ...toEnd(finished) });
    yield* this.#chunks.end(finished.usage);
  }

  #begin(call: CallBlock): string {
    const isCustom = this.#options.customTools.has(call.name);
    this.#textInput = isCustom ? new TextInputReader() : undefined;
    return this.#write({ tool_calls: [{ index: this.#calls++, ...toCall(call, isCustom, '') }] });
  }

  #grow(type: AnswerBlock['type'], text: string, logprobs: readonly GeneratedTokenLogprob[]): string {
    const { withLogprobs, withReasoning } = this.#options;
    if (type === 'text') return this.#write({ content: text }, withLogprobs ? toLogprobs(logprobs) : null);
    if (type === 'thought') return withReasoning ? this.#write(toReasoning(text)) : '';
    const input = this.#textInput?.read(text);
    if (input === '') return '';
    const piece = input === undefined ? { function: { arguments: text } } : { custom: { input } };
    return this.#write({ tool_calls: [{ index: this.#calls - 1, ...piece }] });
  }

  #write(delta: object, logprobs: object | null = null, more?: object): string {
    return this.#chunks.write({ index: 0, delta, logprobs, finish_reason: null }, more);
  }
}

/** Under both names that clients look for: that of vLLM and DeepSeek, and that of OpenRouter. */
const toReasoning = (text: string) => ({ reasoning_content: text, reasoning: text });

const toCall = ({ name }: CallBlock, isCustom: boolean, text: string) => ({
  id: createWireId('call'),
  ...(isCustom
    ? { type: 'custom', custom: { name, input: text } }
    : { type: 'function', function: { name, arguments: text } }),
});

/** `choices[].logprobs` as OpenAI has it. */
const toLogprobs = (tokens: readonly GeneratedTokenLogprob[]) => ({
  content: toWireTokens(tokens),
  refusal: null,
});
