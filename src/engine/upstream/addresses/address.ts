import type { AddressStatus } from '../../types.ts';
import type { AddressFailure } from '../failures.ts';
import { unknownDialect, type Dialect } from '../wire/dialect.ts';

const firstPauseMs = 1000;
const longestPauseMs = 30_000;
/** An address that is up is looked at so often. */
const probeEveryMs = 30_000;
/** So many requests in a row must end in nonsense before an address gets no more of them. */
const mostFaults = 3;

/** One server that runs a model: what is known of its health, and what it does for hearth now. */
export class Address {
  readonly url: string;
  dialect: Dialect = unknownDialect;
  contextTokens: number | undefined;
  /** It has no `/tokenize`. */
  cannotCount = false;
  inFlight = 0;
  #requests = 0;
  #errors = 0;
  #latencyMs: number | undefined;
  #state: AddressStatus['state'] = 'unknown';
  #reason: string | undefined;
  /** Failures in a row. */
  #strikes = 0;
  /** When it should be looked at next, by `Date.now()`. */
  probeAtMs = 0;

  constructor(url: string) {
    this.url = url;
  }

  get isDown(): boolean {
    return this.#state === 'down';
  }

  get status(): AddressStatus {
    return {
      url: this.url,
      state: this.#state,
      inFlight: this.inFlight,
      requests: this.#requests,
      errors: this.#errors,
      latencyMs: this.#latencyMs,
      reason: this.#reason,
    };
  }

  /** A request has got the first byte of its answer after `latencyMs`. */
  served(latencyMs: number): void {
    this.#requests++;
    this.#strikes = 0;
    this.#latencyMs =
      this.#latencyMs === undefined ? latencyMs : this.#latencyMs + (latencyMs - this.#latencyMs) / 8;
    this.answered();
  }

  /** It answers, so requests may be sent to it. */
  answered(): void {
    this.#state = 'up';
    this.#reason = undefined;
    this.probeAtMs = Date.now() + probeEveryMs;
  }

  /** A request has failed here. Its address gets no more of them for a while, except where it was only busy. */
  failed(failure: AddressFailure): void {
    this.#errors++;
    if (failure.kind === 'busy') return;
    this.#strikes++;
    if (failure.kind !== 'faulty' || this.#strikes >= mostFaults) this.#rest(failure);
  }

  /** A look at it has failed. */
  missed(failure: AddressFailure): void {
    this.#strikes++;
    this.#rest(failure);
  }

  #rest({ message }: AddressFailure): void {
    this.#state = 'down';
    this.#reason = message;
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(this.#strikes - 1, 10));
    this.probeAtMs = Date.now() + pauseMs;
  }
}
