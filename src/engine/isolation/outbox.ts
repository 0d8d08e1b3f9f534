import type { FromProcess, ProcessStatus, Report } from './messages.ts';

/** Sends events to the parent: all that happens in one turn of the event loop goes in one message. */
export class Outbox {
  readonly #status: () => ProcessStatus | undefined;
  #reports: Report[] = [];
  #isDue = false;

  constructor(status: () => ProcessStatus | undefined) {
    this.#status = status;
  }

  add(report: Report): void {
    this.#reports.push(report);
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.send());
  }

  /** Sends all events at once, be it none: the parent then knows that this process lives. */
  send(): void {
    const message: FromProcess = { reports: this.#reports, status: this.#status() };
    this.#reports = [];
    this.#isDue = false;
    process.send?.(message);
  }
}
