import type { GenerationChannel } from '../../../generation/generation-channel.ts';
import { invalidAnswer } from '../../failures.ts';
import { fieldsOf, textOf, type Fields } from '../json.ts';

const mostNameCharacters = 256;
/** Far more than any model makes in one answer. Each call is an item of its own in the client's answer. */
const mostCalls = 1024;

/** A call as far as it came. */
interface Call {
  readonly index: number;
  readonly number: unknown;
  readonly id: string;
  readonly name: string;
  readonly arguments: ObjectEnd;
  /** Its name was sent on. */
  isBegun: boolean;
  /** Arguments that were not sent on yet. */
  unsent: string;
}

/**
 * Reads the pieces of calls, which servers number in many ways: by an index, which some have at 0 for all calls and
 * others leave out, and by an id, which some repeat with each piece. Calls whose pieces come in turns are sent on one
 * after the other.
 */
export class CallReader {
  readonly #channel: GenerationChannel;
  readonly #calls: Call[] = [];
  /** The place of the call that is being sent on. */
  #sending = 0;

  constructor(channel: GenerationChannel) {
    this.#channel = channel;
  }

  get hasCalls(): boolean {
    return this.#calls.length > 0;
  }

  /** Whether more arguments may come for the call that was sent on last, before which nothing else may be sent on. */
  get isOpen(): boolean {
    const call = this.#calls[this.#sending];
    return call?.isBegun === true && !call.arguments.isComplete;
  }

  /** Reads an entry of `tool_calls`; returns the piece of arguments that it has. */
  read({ index: number, id: givenId, function: called }: Fields): string {
    const { name: givenName, arguments: args } = fieldsOf(called) ?? {};
    const [id, name] = [textOf(givenId, 'the id of a call'), textOf(givenName, 'the name of a call')];
    const piece =
      fieldsOf(args) === undefined ? textOf(args, 'the arguments of a call') : JSON.stringify(args);
    const call = this.#find(number, id, name, piece) ?? this.#begin(number, id, name);
    call.arguments.add(piece);
    call.unsent += piece;
    this.#send();
    return piece;
  }

  /** Sends on the rest: nothing more comes. */
  end(): void {
    for (; this.#sending < this.#calls.length; this.#sending++) this.#sendOn(this.#calls[this.#sending]);
  }

  /** The call that an entry goes on with; undefined: it begins one. */
  #find(number: unknown, id: string, name: string, piece: string): Call | undefined {
    const isNumbered = number !== undefined && number !== null;
    const calls = isNumbered ? this.#calls.filter((one) => one.number === number) : this.#calls;
    const call = (id === '' ? undefined : calls.findLast((one) => one.id === id)) ?? calls.at(-1);
    if (call === undefined || (id !== '' && id === call.id)) return call;
    const hasOtherName = name !== '' && name !== call.name;
    const isWhole = name !== '' && piece !== '';
    const isOther = hasOtherName || (id !== '' && call.id !== '') || (isWhole && call.arguments.isComplete);
    return isOther ? undefined : call;
  }

  #begin(number: unknown, id: string, name: string): Call {
    if (name === '' || name.length > mostNameCharacters) throw invalidAnswer('a call has no name');
    if (this.#calls.length === mostCalls) throw invalidAnswer(`it has more than ${mostCalls} calls`);
    const index = this.#calls.length;
    const call = { index, number, id, name, arguments: new ObjectEnd(), isBegun: false, unsent: '' };
    this.#calls.push(call);
    return call;
  }

  /** Sends on the call whose turn it is, and those after it while the ones before are complete. */
  #send(): void {
    for (;;) {
      const call = this.#calls[this.#sending];
      this.#sendOn(call);
      if (call?.arguments.isComplete !== true || this.#sending === this.#calls.length - 1) return;
      this.#sending++;
    }
  }

  #sendOn(call: Call | undefined): void {
    if (call === undefined) return;
    const { index, name, unsent } = call;
    if (!call.isBegun) this.#channel.emit({ type: 'tool-call', index, name });
    call.isBegun = true;
    if (unsent !== '') this.#channel.emit({ type: 'tool-arguments', index, text: unsent });
    call.unsent = '';
  }
}

/** Whether the text of a JSON object has come to its end, by its pieces. */
class ObjectEnd {
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  isComplete = false;

  add(piece: string): void {
    for (const character of piece) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#inText) {
        if (character === '\\') this.#isEscaped = true;
        else if (character === '"') this.#inText = false;
      } else if (character === '"') this.#inText = true;
      else if (character === '{' || character === '[') this.#depth++;
      else if (character === '}' || character === ']') this.isComplete = --this.#depth <= 0;
    }
  }
}
