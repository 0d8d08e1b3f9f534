/** Lines of a log, progress and lines that are no messages: so many at once, and so many per second after that. */
const mostAtOnce = 10_000;
const perSecond = 200;
/** Each request is answered, which takes memory where the server does not read the answers. */
const requestCost = 20;

/** Counts the messages of a server that answer nothing. */
export class UnaskedMessages {
  readonly #onTooMany: () => void;
  #left = mostAtOnce;
  #atMs = performance.now();
  areTooMany = false;

  constructor(onTooMany: () => void) {
    this.#onTooMany = onTooMany;
  }

  note(message: { readonly id?: unknown; readonly method?: unknown }): void {
    const isAnswer = message.id !== undefined && message.method === undefined;
    if (isAnswer || this.areTooMany) return;
    const nowMs = performance.now();
    this.#left = Math.min(mostAtOnce, this.#left + ((nowMs - this.#atMs) / 1000) * perSecond);
    this.#atMs = nowMs;
    this.#left -= message.id === undefined ? 1 : requestCost;
    if (this.#left >= 0) return;
    this.areTooMany = true;
    this.#onTooMany();
  }
}
