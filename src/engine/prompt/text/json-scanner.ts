import { isSpace } from './char-stream.ts';

/** The next character is inside the value, or its last one, or the first one after it, or cannot stand there. */
export type ScanStep = 'inside' | 'last' | 'after' | 'wrong';

type Expect =
  | 'value'
  | 'first-item'
  | 'first-key'
  | 'key'
  | 'colon'
  | 'next'
  | 'string'
  | 'escape'
  | 'unicode'
  | 'word';

const word = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

/** Reads one JSON value character by character. The text accepted so far is always the beginning of valid JSON. */
export class JsonScanner {
  #expect: Expect = 'value';
  /** Open brackets, outermost first. */
  readonly #open: ('{' | '[')[] = [];
  #inKey = false;
  #unicodeDigits = 0;
  #word = '';

  step(char: string): ScanStep {
    switch (this.#expect) {
      case 'string':
        return this.#inString(char);
      case 'escape':
        if (!'"\\/bfnrtu'.includes(char)) return 'wrong';
        this.#expect = char === 'u' ? 'unicode' : 'string';
        this.#unicodeDigits = 0;
        return 'inside';
      case 'unicode':
        if (!/[0-9a-fA-F]/.test(char)) return 'wrong';
        if (++this.#unicodeDigits === 4) this.#expect = 'string';
        return 'inside';
      case 'word':
        return this.#inWord(char);
      case 'value':
      case 'first-item':
      case 'first-key':
      case 'key':
      case 'colon':
      case 'next':
        return isSpace(char) ? 'inside' : this.#between(char);
    }
  }

  #inString(char: string): ScanStep {
    if (char < ' ') return 'wrong';
    if (char === '\\') this.#expect = 'escape';
    else if (char === '"') {
      if (!this.#inKey) return this.#valueEnded();
      this.#inKey = false;
      this.#expect = 'colon';
    }
    return 'inside';
  }

  #inWord(char: string): ScanStep {
    if (/[\w.+-]/.test(char)) {
      this.#word += char;
      return startsWord(this.#word) ? 'inside' : 'wrong';
    }
    if (!word.test(this.#word)) return 'wrong';
    if (this.#valueEnded() === 'last') return 'after';
    return isSpace(char) ? 'inside' : this.#between(char);
  }

  #between(char: string): ScanStep {
    const expect = this.#expect;
    if (expect === 'next' && char === ',') {
      this.#expect = this.#open.at(-1) === '{' ? 'key' : 'value';
      return 'inside';
    }
    if (
      (char === '}' && (expect === 'next' || expect === 'first-key') && this.#open.at(-1) === '{') ||
      (char === ']' && (expect === 'next' || expect === 'first-item') && this.#open.at(-1) === '[')
    ) {
      this.#open.pop();
      return this.#valueEnded();
    }
    if (expect === 'colon') {
      if (char !== ':') return 'wrong';
      this.#expect = 'value';
      return 'inside';
    }
    if (expect === 'key' || expect === 'first-key') {
      if (char !== '"') return 'wrong';
      this.#inKey = true;
      this.#expect = 'string';
      return 'inside';
    }
    return expect === 'next' ? 'wrong' : this.#valueBegins(char);
  }

  #valueBegins(char: string): ScanStep {
    if (char === '{' || char === '[') {
      this.#open.push(char);
      this.#expect = char === '{' ? 'first-key' : 'first-item';
    } else if (char === '"') this.#expect = 'string';
    else if (startsWord(char)) {
      this.#word = char;
      this.#expect = 'word';
    } else return 'wrong';
    return 'inside';
  }

  #valueEnded(): ScanStep {
    this.#expect = 'next';
    return this.#open.length === 0 ? 'last' : 'inside';
  }
}

const startsWord = (text: string) =>
  'true'.startsWith(text) ||
  'false'.startsWith(text) ||
  'null'.startsWith(text) ||
  /^-?(?:(?:0|[1-9]\d*)(?:\.\d*(?:(?<=\d)[eE][+-]?\d*)?|[eE][+-]?\d*)?)?$/.test(text);

/** Where the JSON value that begins at `start` of `text` ends (exclusive); undefined when there is none. */
export function endOfJson(text: string, start: number): number | undefined {
  const scanner = new JsonScanner();
  for (let at = start; at < text.length; at++) {
    const step = scanner.step(text.charAt(at));
    if (step === 'wrong') return undefined;
    if (step === 'last') return at + 1;
    if (step === 'after') return at;
  }
  return undefined;
}
