import type { AddressStatus } from '../../pool/model-status.ts';
import type { AddressFailure } from '../failures.ts';
import { unknownServer, type ServerKind } from '../wire/server-kind.ts';

const firstPauseMs = 1000;
const longestPauseMs = 30_000;
/** Time between two looks at an address that is up. */
const probeEveryMs = 30_000;
/** Most requests in a row that may end in nonsense: then an address gets no more of them. */
const mostFaults = 3;

/** One server that runs a model: its health as far as it is known, and its work for hearth now. */
export class Address {
  readonly url: string;
  serverKind: ServerKind = unknownServer;
  contextTokens: number | undefined;
  /** It has no `/tokenize`. */
  cannotCount = false;
  inFlight = 0;
  #requests = 0;
  #errors = 0;
  #latencyMs: number | undefined;
  #state: AddressStatus['state'] = 'unknown';
  #reason: string | undefined;
  #downSinceMs: number | undefined;
  /** Requests in a row that ended in nonsense. */
  #faults = 0;
  /** Failed looks at it in a row. */
  #misses = 0;
  /** How often it went down since it served a request. */
  #rests = 0;
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
      isFailing: this.#faults > 0,
      latencyMs: this.#latencyMs,
      reason: this.#reason,
      ...(this.#downSinceMs !== undefined && { downSinceMs: this.#downSinceMs, probeAtMs: this.probeAtMs }),
    };
  }

  /** A request has got the first byte of its answer after `latencyMs`. */
  served(latencyMs: number): void {
    this.#requests++;
    this.#faults = 0;
    this.#rests = 0;
    this.#latencyMs =
      this.#latencyMs === undefined ? latencyMs : this.#latencyMs + (latencyMs - this.#latencyMs) / 8;
    this.answered();
  }

  /** It answers, so requests may be sent to it. */
  answered(): void {
    this.#state = 'up';
    this.#reason = undefined;
    this.#downSinceMs = undefined;
    this.#misses = 0;
    this.probeAtMs = Date.now() + probeEveryMs;
  }

  /**
   * A request has failed here. That alone gives it no rest, because a client can bring it about: hearth looks whether
   * the address is there. Only where there is no connection, or where nonsense comes again and again and there are
   * `others`, requests go elsewhere at once.
   */
  failed({ kind, message }: AddressFailure, others: boolean): void {
    this.#errors++;
    if (kind === 'busy') return;
    if (kind === 'faulty') this.#faults++;
    if (kind === 'unreachable' || (this.#faults >= mostFaults && others)) this.#rest(message);
    else if (kind !== 'faulty') this.probeAtMs = Date.now();
  }

  /** A look at it has failed. One that is slow gets a second one. */
  missed({ kind, message }: AddressFailure): void {
    this.#misses++;
    if (kind === 'silent' && this.#misses < 2) this.probeAtMs = Date.now() + firstPauseMs;
    else this.#rest(message);
  }

  #rest(reason: string): void {
    this.#state = 'down';
    this.#reason = reason;
    this.#downSinceMs ??= Date.now();
    this.probeAtMs = Date.now() + Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(this.#rests++, 10));
  }
}
