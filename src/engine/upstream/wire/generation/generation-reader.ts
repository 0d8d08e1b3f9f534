import type { EventSourceMessage } from 'eventsource-parser';
import type { GenerationChannel } from '../../../generation/generation-channel.ts';
import type { FinishReason, GenerationEvent } from '../../../generation/generation.ts';
import { AddressFailure, invalidAnswer } from '../../failures.ts';
import { fieldsOf, listOf, parseFields, textOf, type Fields } from '../json.ts';
import { CallReader } from './call-reader.ts';
import { readChatLogprobs, readTextLogprobs } from './logprobs.ts';
import { errorInside } from '../refusal.ts';

/** All of one answer's text together; far more than any model writes. */
const mostTextCharacters = 2 ** 24;
/** No token of any vocabulary has more. */
const mostTokenCharacters = 1024;
/** The names that servers have for an answer that is as long as it may be. */
const lengthReasons: ReadonlySet<string> = new Set(['length', 'max_tokens', 'model_length', 'max_length']);

interface ReaderOptions {
  readonly channel: GenerationChannel;
  /** As in the request. */
  readonly topLogprobs: number | undefined;
  readonly stop: readonly string[];
  /** As in the request: text that the upstream writes beyond it is cut off. */
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
  readonly #calls: CallReader;
  /** Text and thoughts that came between the pieces of a call, in their order. */
  readonly #held: GenerationEvent[] = [];
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
    this.#calls = new CallReader(options.channel);
    this.#topLogprobs = options.topLogprobs;
  }

  /** Undefined until the upstream has said that the answer is complete. */
  get finishReason(): FinishReason | undefined {
    if (this.#finish === undefined) return undefined;
    if (lengthReasons.has(this.#finish.toLowerCase())) return 'length';
    // vLLM says `stop` after a call of the one function that was asked for.
    return this.#calls.hasCalls ? 'tool_calls' : 'stop';
  }

  /**
   * True when this was the last event. Events of other kinds, such as pings, are skipped. Throws RefusedError or
   * AddressFailure for an event that is no chunk of a completion.
   */
  read({ event: type, data }: EventSourceMessage): boolean {
    if (data === '[DONE]') {
      // Some servers never say why an answer ended.
      if (this.text !== '') this.#end(this.#finish ?? 'stop');
      return true;
    }
    const isOther = type !== undefined && type !== 'message' && type !== 'error';
    if (isOther && !data.trimStart().startsWith('{')) return false;
    const chunk = parseFields(data);
    const hasError = chunk['error'] !== undefined && chunk['error'] !== null;
    if (hasError || type === 'error') throw errorInside(chunk, this.#options.secret);
    this.usage = fieldsOf(chunk['usage']) ?? this.usage;
    if (chunk['choices'] === undefined || chunk['choices'] === null) return false;
    const [choice] = listOf(chunk['choices'], 'choices');
    this.#options.onChunk();
    if (choice !== undefined) this.#readChoice(fieldsOf(choice) ?? {});
    return false;
  }

  #readChoice(choice: Fields): void {
    const { delta, message, text, logprobs, finish_reason: finish } = choice;
    if (this.#finish === undefined) {
      const tokens = this.#topLogprobs;
      const said = fieldsOf(delta) ?? fieldsOf(message);
      if (said === undefined) {
        this.#write(textOf(text, 'text'), tokens === undefined ? [] : readTextLogprobs(logprobs, tokens));
      } else this.#readDelta(said, logprobs);
    }
    const reason = textOf(finish, 'finish_reason');
    if (reason === '') return;
    if (reason === 'abort' || reason === 'error')
      throw new AddressFailure('faulty', `it ended with ${reason}`);
    this.#end(reason);
    // The names that vLLM and SGLang have for it; both may be token ids.
    const stopped = choice['stop_reason'] ?? choice['matched_stop'];
    this.stopSequence = this.#options.stop.find((sequence) => sequence === stopped);
  }

  #end(reason: string): void {
    this.#finish = reason;
    this.#calls.end();
    this.#sendHeld();
  }

  /** Sends `event` on, unless a call has to be complete before. */
  #send(event: GenerationEvent): void {
    if (this.#calls.isOpen) this.#held.push(event);
    else this.#channel.emit(event);
  }

  #sendHeld(): void {
    for (const event of this.#held.splice(0)) this.#channel.emit(event);
  }

  #readDelta(delta: Fields, logprobs: unknown): void {
    const thought = textOf(delta['reasoning_content'] ?? delta['reasoning'], 'reasoning');
    if (thought !== '') {
      this.#count('thought', thought);
      this.reasoningPieces++;
      this.#send({ type: 'reasoning', text: thought });
    }
    const text = contentOf(delta['content']) + textOf(delta['refusal'], 'refusal');
    const wanted = text === '' ? undefined : this.#topLogprobs;
    this.#write(text, wanted === undefined ? [] : readChatLogprobs(logprobs, wanted));
    const calls = delta['tool_calls'];
    if (calls !== undefined && calls !== null)
      for (const call of listOf(calls, 'tool_calls'))
        this.#count('call', this.#calls.read(fieldsOf(call) ?? {}));
    if (!this.#calls.isOpen) this.#sendHeld();
  }

  #write(text: string, logprobs: ReturnType<typeof readChatLogprobs>): void {
    if (text !== '') this.#count('text', text);
    if (text !== '' || logprobs.length > 0) this.#send({ type: 'text', text, logprobs });
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

/** A text, or the texts of a list of parts. Throws AddressFailure. */
function contentOf(content: unknown): string {
  if (!Array.isArray(content)) return textOf(content, 'content');
  return content.map((part) => textOf(fieldsOf(part)?.['text'], 'the text of a part')).join('');
}
