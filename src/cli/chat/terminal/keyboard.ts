import { Transform, type TransformCallback } from 'node:stream';
import type { ReadStream } from 'node:tty';

const interrupt = '\u0003';
const pasteModes = { on: '\u001B[?2004h', off: '\u001B[?2004l' } as const;

/**
 * The terminal's input for a line editor. A paste comes as one piece. Text that is typed after a line waits for
 * `release`, so that it does not appear between the words of an answer. Ctrl-C does not wait: it emits the event `interrupt`.
 */
export class Keyboard extends Transform {
  /** As the line editor expects it of a terminal. */
  readonly isTTY = true;
  readonly pastes = new Pastes();
  readonly #terminal: ReadStream;
  /** The text typed since the last line ended; undefined while a line is being typed. */
  #held: string | undefined;

  constructor(terminal: ReadStream) {
    super({ decodeStrings: false, encoding: 'utf8' });
    this.#terminal = terminal;
    terminal.setEncoding('utf8').pipe(this);
    setPasteMode('on');
    process.once('exit', restorePasteMode);
  }

  setRawMode(mode: boolean): this {
    this.#terminal.setRawMode(mode);
    return this;
  }

  /** Lets the next line through, as far as it is typed. */
  release(): void {
    const typed = this.#held ?? '';
    this.#held = undefined;
    this.#pass(typed);
  }

  /** Leaves the terminal as it was. */
  close(): void {
    this.#terminal.unpipe(this);
    this.#terminal.pause();
    process.off('exit', restorePasteMode);
    setPasteMode('off');
  }

  override _transform(chunk: string, _encoding: BufferEncoding, done: TransformCallback): void {
    const typed = this.pastes.read(chunk);
    if (this.#held === undefined) this.#pass(typed);
    else this.#hold(typed);
    done();
  }

  /** Keeps input for later; Ctrl-C discards the keys before it. */
  #hold(typed: string): void {
    const [first = '', ...afterInterrupts] = typed.split(interrupt);
    this.#held = afterInterrupts.at(-1) ?? this.#held + first;
    for (const _ of afterInterrupts) this.emit('interrupt');
  }

  /** Passes input up to the end of a line; the rest waits until that line has been handled. */
  #pass(typed: string): void {
    const lineEnd = /\r\n?|\n/.exec(typed);
    const end = lineEnd === null ? typed.length : lineEnd.index + lineEnd[0].length;
    if (lineEnd !== null) this.#held = typed.slice(end);
    if (end > 0) this.push(typed.slice(0, end));
  }
}

function setPasteMode(mode: keyof typeof pasteModes): void {
  // A dumb terminal would show the sequence.
  if (process.env['TERM'] !== 'dumb') process.stderr.write(pasteModes[mode]);
}

const restorePasteMode = () => setPasteMode('off');

const pasteBegin = '\u001B[200~';
const pasteEnd = '\u001B[201~';
/** A paste that is longer, or has several lines, is shown as a few words, because the editor has one line. */
const longestShown = 400;

/**
 * Reads a terminal's input in its bracketed paste mode, where pasted text comes between two marks. A paste becomes
 * one piece of the line that is being typed, however many lines it has.
 */
export class Pastes {
  readonly #texts = new Map<string, string>();
  /** The text so far of a paste that has not ended yet. */
  #open: string | undefined;
  /** The beginning of a mark whose rest is still to come. */
  #cut = '';

  /** The part of the terminal's text that the line editor gets. */
  read(input: string): string {
    let rest = this.#cut + input;
    this.#cut = '';
    let typed = '';
    while (rest !== '') {
      const mark = this.#open === undefined ? pasteBegin : pasteEnd;
      const at = rest.indexOf(mark);
      const found = at === -1 ? this.#withoutCutMark(rest, mark) : rest.slice(0, at);
      rest = at === -1 ? '' : rest.slice(at + mark.length);
      if (this.#open === undefined) typed += found;
      else if (found.includes(interrupt)) {
        // Ctrl-C must work even when the terminal lost the end of a paste.
        this.#open = undefined;
        typed += interrupt;
        continue;
      } else this.#open += found;
      if (at === -1) break;
      if (this.#open === undefined) this.#open = '';
      else {
        typed += this.#close(this.#open);
        this.#open = undefined;
      }
    }
    return typed;
  }

  /** A line with its pastes in place of the words that stood for them. */
  expand(line: string): string {
    return line.replaceAll(/\[paste \d+: [^\]]*\]/g, (words) => this.#texts.get(words) ?? words);
  }

  #withoutCutMark(text: string, mark: string): string {
    // A lone escape is a key of its own.
    for (let length = Math.min(mark.length - 1, text.length); length > 1; length--) {
      if (!text.endsWith(mark.slice(0, length))) continue;
      this.#cut = text.slice(-length);
      return text.slice(0, -length);
    }
    return text;
  }

  #close(pasted: string): string {
    const text = pasted.replaceAll(/\r\n?/g, '\n').replace(/\n+$/, '');
    if (text.length <= longestShown && !text.includes('\n'))
      // oxlint-disable-next-line no-control-regex -- the line editor would take them for keys
      return text.replaceAll(/[\u0000-\u001f\u007f]/g, ' ');
    const lines = text.split('\n').length;
    const size = `${lines === 1 ? '1 line' : `${lines} lines`}, ${text.length} characters`;
    const words = `[paste ${this.#texts.size + 1}: ${size}]`;
    this.#texts.set(words, text);
    return words;
  }
}
