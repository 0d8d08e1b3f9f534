import { Transform, type TransformCallback } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { Pastes } from './pastes.ts';

const interrupt = '\u0003';
const pasteModeOn = '\u001B[?2004h';
const pasteModeOff = '\u001B[?2004l';

/**
 * The terminal's input for a line editor: pastes come as one piece, and what is typed while an answer comes waits for
 * the next prompt, but for Ctrl-C, which is told at once by the event `interrupt`.
 */
export class Keyboard extends Transform {
  /** As the line editor expects it of a terminal. */
  readonly isTTY = true;
  readonly pastes = new Pastes();
  readonly #terminal: ReadStream;
  #held: string | undefined;

  constructor(terminal: ReadStream) {
    super({ decodeStrings: false, encoding: 'utf8' });
    this.#terminal = terminal;
    terminal.setEncoding('utf8').pipe(this);
    process.stderr.write(pasteModeOn);
  }

  setRawMode(mode: boolean): this {
    this.#terminal.setRawMode(mode);
    return this;
  }

  /** Keeps back what is typed until `release`. */
  hold(): void {
    this.#held ??= '';
  }

  release(): void {
    const held = this.#held ?? '';
    this.#held = undefined;
    if (held !== '') this.push(this.pastes.read(held));
  }

  /** Leaves the terminal as it was. */
  close(): void {
    this.#terminal.unpipe(this);
    this.#terminal.pause();
    process.stderr.write(pasteModeOff);
  }

  override _transform(chunk: string, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.#held === undefined) {
      const typed = this.pastes.read(chunk);
      if (typed !== '') this.push(typed);
    } else if (chunk.includes(interrupt)) {
      this.#held = '';
      this.emit('interrupt');
    } else this.#held += chunk;
    done();
  }
}
