import { createInterface, type Interface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { describeError } from '../../words/describe-error.ts';
import { tell } from '../output.ts';
import { AnswerWriter, dim } from './terminal/answer-writer.ts';
import { isCommand, runCommand } from './commands.ts';
import { Keyboard } from './terminal/keyboard.ts';
import type { Session } from './session.ts';

const interruptedExitCode = 130;

/** Talks on the terminal until the user leaves. An error is told in one line, and the chat goes on. */
export async function talk(session: Session): Promise<void> {
  process.stderr.write(`${dim(`${session.description} · /help shows the commands`)}\n`);
  await new Talk(session).run();
}

class Talk {
  readonly #session: Session;
  readonly #keyboard = new Keyboard(process.stdin);
  readonly #editor: Interface;
  readonly #lines = new MessageLines();
  #answering: AbortController | undefined;
  /** Ctrl-C was pressed and nothing was entered since; the next Ctrl-C leaves. */
  #wasInterrupted = false;
  #isBusy = false;
  #isLeaving = false;

  constructor(session: Session) {
    this.#session = session;
    // The history is kept in memory only: on the disk it would outlive the chat.
    this.#editor = createInterface({
      input: this.#keyboard,
      output: process.stderr,
      terminal: true,
      historySize: 1000,
      removeHistoryDuplicates: true,
    });
  }

  async run(): Promise<void> {
    const interrupt = () => this.#interrupt();
    this.#editor.on('SIGINT', interrupt).on('close', () => (this.#isLeaving = true));
    this.#keyboard.on('interrupt', interrupt);
    process.on('SIGINT', interrupt);
    try {
      this.#prompt();
      for await (const line of this.#editor) {
        await this.#enter(line);
        if (this.#isLeaving) break;
        this.#prompt();
      }
      process.stderr.write('\n');
    } finally {
      this.#editor.close();
      this.#keyboard.close();
    }
  }

  #prompt(): void {
    this.#editor.setPrompt(styleText('bold', this.#lines.isOpen ? '. ' : '> ', { stream: process.stderr }));
    this.#editor.prompt();
    this.#keyboard.release();
  }

  async #enter(line: string): Promise<void> {
    this.#wasInterrupted = false;
    const message = this.#lines.add(this.#keyboard.pastes.expand(line));
    if (message === undefined || message.trim() === '') return;
    this.#isBusy = true;
    try {
      if (isCommand(message)) await this.#run(message);
      else await this.#ask(message);
    } catch (error) {
      tell(describeError(error));
    } finally {
      this.#isBusy = false;
    }
  }

  async #run(message: string): Promise<void> {
    const outcome = await runCommand(message, this.#session);
    if (outcome === 'leave') this.#isLeaving = true;
    else process.stderr.write(`${dim(outcome.text)}\n`);
  }

  async #ask(message: string): Promise<void> {
    const answering = new AbortController();
    const { signal } = answering;
    this.#answering = answering;
    const writer = new AnswerWriter();
    try {
      await this.#session.ask(message, signal, writer);
      writer.end(signal.aborted ? 'stopped' : 'answered');
    } catch (error) {
      writer.end(signal.aborted ? 'stopped' : 'failed');
      if (!signal.aborted) throw error;
    } finally {
      this.#answering = undefined;
    }
  }

  #interrupt(): void {
    // Closing may take a while, such as when a model is being loaded.
    if (this.#isLeaving) process.exit(interruptedExitCode);
    if (this.#wasInterrupted) {
      this.#answering?.abort();
      this.#editor.close();
      return;
    }
    this.#wasInterrupted = true;
    this.#answering?.abort();
    if (!this.#isBusy) this.#discardLine();
  }

  #discardLine(): void {
    this.#lines.clear();
    this.#editor.write(null, { ctrl: true, name: 'e' });
    this.#editor.write(null, { ctrl: true, name: 'u' });
    process.stderr.write(`\n${dim('(Ctrl-C again leaves)')}\n`);
    this.#prompt();
  }
}

const fence = '"""';

/** Joins lines into messages: a line that ends in a backslash goes on, and so does all between two `"""`. */
export class MessageLines {
  #lines: string[] = [];
  #isFenced = false;

  /** Whether a message has begun that is not whole yet. */
  get isOpen(): boolean {
    return this.#isFenced || this.#lines.length > 0;
  }

  /** The message that is whole with this line; undefined while it goes on. */
  add(line: string): string | undefined {
    if (this.#isFenced) {
      if (!line.trimEnd().endsWith(fence)) return this.#goOn(line);
      this.#lines.push(line.trimEnd().slice(0, -fence.length));
      return this.#take();
    }
    if (!this.isOpen && line.trimStart().startsWith(fence)) {
      const rest = line.trimStart().slice(fence.length);
      if (rest.trimEnd().endsWith(fence)) return rest.trimEnd().slice(0, -fence.length);
      this.#isFenced = true;
      return rest === '' ? undefined : this.#goOn(rest);
    }
    if (line.endsWith('\\')) return this.#goOn(line.slice(0, -1));
    this.#lines.push(line);
    return this.#take();
  }

  /** Forgets the message that has begun. */
  clear(): void {
    this.#lines = [];
    this.#isFenced = false;
  }

  #goOn(line: string): undefined {
    this.#lines.push(line);
  }

  #take(): string {
    const message = this.#lines.join('\n');
    this.clear();
    return message;
  }
}
