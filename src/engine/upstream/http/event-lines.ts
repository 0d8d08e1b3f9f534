import { invalidAnswer } from '../failures.ts';

/** An event of a stream of server-sent events. */
export interface ServerEvent {
  readonly type: string;
  readonly data: string;
}

/** No event of an answer is longer, log-probabilities included. */
const mostEventCharacters = 2 ** 20;

/** Puts server-sent events together from pieces of text. Throws AddressFailure where a line or an event is too long. */
export class EventLines {
  readonly #onEvent: (event: ServerEvent) => void;
  #rest = '';
  #type = '';
  #data: string | undefined;

  constructor(onEvent: (event: ServerEvent) => void) {
    this.#onEvent = onEvent;
  }

  push(piece: string): void {
    const text = this.#rest + piece;
    let start = 0;
    // What was left over has no line break.
    for (let end = text.indexOf('\n', this.#rest.length); end >= 0; end = text.indexOf('\n', start)) {
      this.#line(text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end));
      start = end + 1;
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > mostEventCharacters) throw tooLong();
  }

  #line(line: string): void {
    if (line === '') this.#dispatch();
    else if (line.startsWith('data:')) this.#append(line.slice(line[5] === ' ' ? 6 : 5));
    else if (line.startsWith('event:')) this.#type = line.slice(6).trim();
  }

  #append(data: string): void {
    this.#data = this.#data === undefined ? data : `${this.#data}\n${data}`;
    if (this.#data.length > mostEventCharacters) throw tooLong();
  }

  #dispatch(): void {
    const [type, data] = [this.#type, this.#data];
    this.#type = '';
    this.#data = undefined;
    if (data !== undefined) this.#onEvent({ type, data });
  }
}

const tooLong = () => invalidAnswer(`one event has more than ${mostEventCharacters} characters`);
