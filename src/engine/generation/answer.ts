import type {
  AnswerBlock,
  AnswerDocument,
  AnswerEvent,
  BlockEvent,
  CallBlock,
  EchoedPrompt,
  FinishReason,
  GeneratedTokenLogprob,
  GenerationEvent,
  TextBlock,
  ThoughtBlock,
} from './generation.ts';
import type { JsonObject } from '../types.ts';

const empty = { text: '', isCutOff: false };
const noLogprobs: readonly GeneratedTokenLogprob[] = [];

/** One answer as it is written: its blocks so far, and the events by which they come about. */
export class Answer implements AnswerDocument {
  readonly #blocks: AnswerBlock[] = [];
  #open: AnswerBlock | undefined;
  #prompt: EchoedPrompt | undefined;

  get blocks(): readonly AnswerBlock[] {
    return this.#blocks;
  }

  get prompt(): EchoedPrompt | undefined {
    return this.#prompt;
  }

  add(piece: GenerationEvent): AnswerEvent[] {
    switch (piece.type) {
      case 'started':
        this.#prompt = piece.prompt;
        return [piece];
      case 'progress':
        return [piece];
      case 'text':
        return this.#write({ type: 'text', ...empty, logprobs: [] }, piece.text, piece.logprobs);
      case 'reasoning':
        return this.#write({ type: 'thought', ...empty }, piece.text);
      case 'tool-call':
        return this.#start({ type: 'call', ...empty, name: piece.name });
      case 'tool-arguments':
        if (this.#open?.type !== 'call') throw new TypeError('arguments of a call that did not begin');
        return piece.text === '' ? [] : [grow(this.#open, piece.text)];
      default:
        return piece satisfies never;
    }
  }

  /** The events that close the last block of an answer that is finished. */
  finish(finishReason: FinishReason): BlockEvent[] {
    return this.#close(finishReason === 'length');
  }

  /** `text` in the open block, if that is of the kind of `fresh`, otherwise in `fresh`. */
  #write(fresh: TextBlock | ThoughtBlock, text: string, logprobs = noLogprobs): BlockEvent[] {
    if (text === '' && logprobs.length === 0) return [];
    if (this.#open?.type === fresh.type) return [grow(this.#open, text, logprobs)];
    return [...this.#start(fresh), grow(fresh, text, logprobs)];
  }

  #start(block: AnswerBlock): BlockEvent[] {
    const closed = this.#close(false);
    this.#open = block;
    this.#blocks.push(block);
    return [...closed, { type: 'open', block }];
  }

  /** A call without arguments gets an empty object, unless it was cut off. */
  #close(isCutOff: boolean): BlockEvent[] {
    const block = this.#open;
    if (block === undefined) return [];
    this.#open = undefined;
    block.isCutOff = isCutOff;
    const filled = block.type === 'call' && block.text === '' && !isCutOff ? [grow(block, '{}')] : [];
    return [...filled, { type: 'close', block }];
  }
}

function grow(block: AnswerBlock, text: string, logprobs = noLogprobs): BlockEvent {
  block.text += text;
  // Not with `...`: one piece may carry more than a function takes as arguments.
  if (block.type === 'text') for (const logprob of logprobs) block.logprobs.push(logprob);
  return { type: 'delta', block, text, logprobs };
}

/** The text of all blocks of a kind. */
export const textOf = (blocks: readonly AnswerBlock[], type: 'text' | 'thought'): string =>
  blocks.map((block) => (block.type === type ? block.text : '')).join('');

/** The log-probabilities of all texts. */
export const logprobsOf = (blocks: readonly AnswerBlock[]): readonly GeneratedTokenLogprob[] =>
  blocks.flatMap((block) => (block.type === 'text' ? block.logprobs : []));

export const callsOf = (blocks: readonly AnswerBlock[]): readonly CallBlock[] =>
  blocks.filter((block) => block.type === 'call');

/** The arguments of a call; undefined where it was cut off within them. */
export function readArguments({ text }: CallBlock): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}
