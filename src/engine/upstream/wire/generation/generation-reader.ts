import type { EventSourceMessage } from 'eventsource-parser';
import type { GenerationChannel } from '../../../generation-channel.ts';
import type { FinishReason } from '../../../generation.ts';
import { AddressFailure, invalidAnswer } from '../../failures.ts';
import { fieldsOf, listOf, parseFields, textOf, type Fields } from '../json.ts';
import { readChatLogprobs, readTextLogprobs } from './logprobs.ts';
import { errorInside } from '../refusal.ts';

/** All of one answer's text together; far more than any model writes. */
const mostTextCharacters = 2 ** 24;
/** No token of any vocabulary has more. */
const mostTokenCharacters = 1024;
const mostNameCharacters = 256;
/** Far more than any model makes in one answer. Each call is an item of its own in the client's answer. */
const mostCalls = 1024;

interface ReaderOptions {
  readonly channel: GenerationChannel;
  /** As in the request. */
  readonly topLogprobs: number | undefined;
  readonly stop: readonly string[];
  /** As in the request: what the upstream writes beyond it is cut off. */
  readonly maxTokens: number | undefined;
  /** The upstream's key, which must not get out. */
  readonly secret: string | undefined;
  /** Called before each chunk of the answer is read, and not for errors. */
  readonly onChunk: () => void;
}

/** Reads the chunks of a streamed completion, of chat or of plain text, into the events of a generation. */
export class GenerationReader {
  readonly #options: ReaderOptions;
  readonly #channel: GenerationChannel;
  readonly #topLogprobs: number | undefined;
  /** The upstream's numbers of the calls so far, in the order of ours. */
  readonly #calls: unknown[] = [];
  #finish: string | undefined;
  /** Everything that the model has written, thoughts and calls included. */
  text = '';
  /** Chunks with something that the model has written: about one per token. */
  pieces = 0;
  reasoningPieces = 0;
  #lastKind: 'thought' | 'text' | 'call' | undefined;
  /** The tokens that the pieces have at least: one may have the end of a thought and the beginning of the text. */
  #leastTokens = 0;
  /** The one of the request's stop sequences that ended the answer, where the upstream tells. */
  stopSequence: string | undefined;
  /** The last `usage` that came; not checked yet. */
  usage: Fields | undefined;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#channel = options.channel;
    this.#topLogprobs = options.topLogprobs;
  }

  /** Undefined until the upstream has said that the answer is complete. */
  get finishReason(): FinishReason | undefined {
    if (this.#finish === undefined) return undefined;
    if (this.#finish === 'length') return 'length';
    // vLLM says `stop` after a call of the one function that was asked for.
    return this.#calls.length > 0 ? 'tool_calls' : 'stop';
  }

  /** True when this was the last event. Throws RefusedError or AddressFailure for what is no chunk of a completion. */
  read({ event: type, data }: EventSourceMessage): boolean {
    if (data === '[DONE]') return true;
    const chunk = parseFields(data);
    const hasError = chunk['error'] !== undefined && chunk['error'] !== null;
    if (hasError || type === 'error') throw errorInside(chunk, this.#options.secret);
    const [choice] = listOf(chunk['choices'], 'choices');
    this.#options.onChunk();
    this.usage = fieldsOf(chunk['usage']) ?? this.usage;
    if (choice !== undefined) this.#readChoice(fieldsOf(choice) ?? {});
    return false;
  }

  #readChoice(choice: Fields): void {
    const { delta, text, logprobs, finish_reason: finish } = choice;
    if (this.#finish === undefined) {
      const tokens = this.#topLogprobs;
      if (delta === undefined) {
        this.#write(textOf(text, 'text'), tokens === undefined ? [] : readTextLogprobs(logprobs, tokens));
      } else this.#readDelta(fieldsOf(delta) ?? {}, logprobs);
    }
    if (finish === undefined || finish === null) return;
    const reason = textOf(finish, 'finish_reason');
    if (reason === 'abort' || reason === 'error')
      throw new AddressFailure('faulty', `it ended with ${reason}`);
    this.#finish = reason;
    // The names that vLLM and SGLang have for it; both may be token ids.
    const stopped = choice['stop_reason'] ?? choice['matched_stop'];
    this.stopSequence = this.#options.stop.find((sequence) => sequence === stopped);
  }

  #readDelta(delta: Fields, logprobs: unknown): void {
    const thought = textOf(delta['reasoning_content'] ?? delta['reasoning'], 'reasoning');
    if (thought !== '') {
      this.#count('thought', thought);
      this.reasoningPieces++;
      this.#channel.emit({ type: 'reasoning', text: thought });
    }
    const text = textOf(delta['content'], 'content') + textOf(delta['refusal'], 'refusal');
    const wanted = text === '' ? undefined : this.#topLogprobs;
    this.#write(text, wanted === undefined ? [] : readChatLogprobs(logprobs, wanted));
    const calls = delta['tool_calls'];
    if (calls !== undefined && calls !== null)
      for (const call of listOf(calls, 'tool_calls')) this.#readCall(fieldsOf(call) ?? {});
  }

  #write(text: string, logprobs: ReturnType<typeof readChatLogprobs>): void {
    if (text !== '') this.#count('text', text);
    this.#channel.push(text, logprobs);
  }

  #readCall({ index: number = this.#calls.length, function: called }: Fields): void {
    const { name, arguments: text } = fieldsOf(called) ?? {};
    let index = this.#calls.indexOf(number);
    if (index < 0) {
      const known = textOf(name, 'the name of a call');
      if (known === '' || known.length > mostNameCharacters) throw invalidAnswer('a call has no name');
      if (this.#calls.length === mostCalls) throw invalidAnswer(`it has more than ${mostCalls} calls`);
      index = this.#calls.push(number) - 1;
      this.#channel.emit({ type: 'tool-call', index, name: known });
    } else if (index < this.#calls.length - 1) throw invalidAnswer('its calls are mixed');
    const piece = textOf(text, 'the arguments of a call');
    this.#count('call', piece);
    if (piece !== '') this.#channel.emit({ type: 'tool-arguments', index, text: piece });
  }

  /** Throws AddressFailure where the answer is too long; one that has all the tokens that it may have is finished then. */
  #count(kind: 'thought' | 'text' | 'call', piece: string): void {
    const { maxTokens = Infinity } = this.#options;
    if (piece !== '' && (this.#lastKind === undefined || this.#lastKind === kind)) this.#leastTokens++;
    this.#lastKind = kind;
    const characters = this.text.length + piece.length;
    if (this.#leastTokens > maxTokens || characters > mostTokenCharacters * maxTokens) {
      this.#finish = 'length';
      throw invalidAnswer(`it goes on after ${maxTokens} tokens`);
    }
    this.pieces++;
    this.text += piece;
    if (this.text.length > mostTextCharacters)
      throw invalidAnswer(`it has more than ${mostTextCharacters} characters`);
  }
}
