import { Transform, type TransformCallback } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { Pastes } from './pastes.ts';

const interrupt = '\u0003';
const pasteModes = { on: '\u001B[?2004h', off: '\u001B[?2004l' } as const;

/**
 * The terminal's input for a line editor: pastes come as one piece, and after each line the rest waits for `release`,
 * so that nothing shows among the words of an answer. Ctrl-C does not wait: it is told by the event `interrupt`.
 */
export class Keyboard extends Transform {
  /** As the line editor expects it of a terminal. */
  readonly isTTY = true;
  readonly pastes = new Pastes();
  readonly #terminal: ReadStream;
  /** What was typed since the last line ended; undefined while a line is being typed. */
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

  /** What was typed before Ctrl-C is forgotten. */
  #hold(typed: string): void {
    const [first = '', ...afterInterrupts] = typed.split(interrupt);
    this.#held = afterInterrupts.at(-1) ?? this.#held + first;
    for (const _ of afterInterrupts) this.emit('interrupt');
  }

  /** What comes after the end of a line waits until that line has been dealt with. */
  #pass(typed: string): void {
    const lineEnd = /\r\n?|\n/.exec(typed);
    const end = lineEnd === null ? typed.length : lineEnd.index + lineEnd[0].length;
    if (lineEnd !== null) this.#held = typed.slice(end);
    if (end > 0) this.push(typed.slice(0, end));
  }
}

function setPasteMode(mode: keyof typeof pasteModes): void {
  // A dumb terminal would show it.
  if (process.env['TERM'] !== 'dumb') process.stderr.write(pasteModes[mode]);
}

const restorePasteMode = () => setPasteMode('off');
