import { styleText } from 'node:util';
import { printText, withoutControls } from '../../output.ts';
import type { AnswerListener } from '../conversation.ts';

/** Least width of the line about waiting: it can be wiped only if the terminal did not break it. */
const leastColumns = 20;

/** Dimmed text on standard error, without control characters. */
export const dim = (text: string) => styleText('dim', withoutControls(text), { stream: process.stderr });

/** Writes one answer to standard output as it comes, and notes about it to standard error. */
export class AnswerWriter implements AnswerListener {
  #line: 'empty' | 'waiting' | 'thought' | 'text' = 'empty';
  #wroteText = false;

  waiting(what: string): void {
    if (!process.stderr.isTTY) return;
    this.#endLine();
    const columns = Math.max(process.stderr.columns || 80, leastColumns);
    process.stderr.write(dim(`${what} …`.slice(0, columns - 1)));
    this.#line = 'waiting';
  }

  thought(text: string): void {
    if (this.#line !== 'thought') this.#endLine();
    process.stderr.write(dim(text));
    this.#line = 'thought';
  }

  text(text: string): void {
    if (this.#line !== 'text') this.#endLine();
    printText(text);
    this.#line = 'text';
    this.#wroteText ||= text !== '';
  }

  note(text: string): void {
    this.#endLine();
    process.stderr.write(`${dim(`(${text})`)}\n`);
  }

  /** Must be called when the answer has ended, in whatever way. */
  end(outcome: 'answered' | 'stopped' | 'failed'): void {
    this.#endLine();
    if (outcome === 'stopped') this.note('stopped');
    else if (outcome === 'answered' && !this.#wroteText) this.note('the model said nothing');
  }

  #endLine(): void {
    if (this.#line === 'waiting') process.stderr.write('\r\u001B[K');
    else if (this.#line === 'thought') process.stderr.write('\n');
    else if (this.#line === 'text') process.stdout.write('\n');
    this.#line = 'empty';
  }
}
