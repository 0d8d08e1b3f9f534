import { Transform, type TransformCallback } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { Pastes } from './pastes.ts';

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

  /** Keeps input for later; Ctrl-C discards what was typed before it. */
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
