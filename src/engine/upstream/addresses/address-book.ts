import { LRUCache } from 'lru-cache';
import type { Log } from '../../../telemetry/log.ts';
import type { AddressStatus } from '../../pool/model-status.ts';
import { AddressFailure, brokenOff, toClientError } from '../failures.ts';
import { Address } from './address.ts';

export interface AddressBookOptions {
  readonly modelId: string;
  readonly urls: readonly string[];
  /** Asks an address whether it is there. Throws AddressFailure. */
  readonly probe: (address: Address) => Promise<void>;
  readonly log: Log;
}

/** One request at one address. To call `begun` at the first byte of the answer. */
export type Attempt<Result> = (address: Address, begun: () => void) => Promise<Result>;

const tickMs = 500;
/** Conversations of which it is known where they went. */
const mostPlaces = 8192;
/** A conversation leaves its address when that has four more running requests than the least busy one. */
const mostBusier = 4;

/** The servers that run one model: which of them gets a request, and which of them rests because it failed. */
export class AddressBook {
  readonly #options: AddressBookOptions;
  readonly #addresses: readonly Address[];
  readonly #places = new LRUCache<string, Address>({ max: mostPlaces });
  readonly #timer: NodeJS.Timeout;
  readonly #probing = new Set<Address>();

  constructor(options: AddressBookOptions) {
    this.#options = options;
    this.#addresses = options.urls.map((url) => new Address(url));
    this.#timer = setInterval(() => this.#look(), tickMs).unref();
  }

  get statuses(): readonly AddressStatus[] {
    return this.#addresses.map(({ status }) => status);
  }

  /** Why no address can serve; undefined when one can. */
  get trouble(): string | undefined {
    if (this.#addresses.some(({ isDown }) => !isDown)) return undefined;
    return this.statuses.map(({ url, reason }) => `${url}: ${reason}`).join('; ');
  }

  /** The fewest tokens that any address says it has room for; undefined: none says. */
  get contextTokens(): number | undefined {
    const sizes = this.#addresses.map(({ contextTokens }) => contextTokens ?? Number.POSITIVE_INFINITY);
    const least = Math.min(...sizes);
    return Number.isFinite(least) ? least : undefined;
  }

  /** Resolves when every address has been looked at once. */
  async open(): Promise<void> {
    await Promise.all(this.#addresses.map((address) => this.#probe(address)));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /**
   * The result of `attempt`. Where it fails before the first byte, the next address is tried. `conversation` is the
   * same text for requests with the same beginning, which go to the same address if that is possible. Throws AppError,
   * or another error of `attempt`.
   */
  async use<Result>(
    conversation: string | undefined,
    signal: AbortSignal,
    attempt: Attempt<Result>,
  ): Promise<Result> {
    const tried = new Set<Address>();
    let failure: AddressFailure | undefined;
    for (let address = this.#choose(conversation, tried); address !== undefined;) {
      tried.add(address);
      const outcome = await this.#try(address, signal, attempt);
      if ('result' in outcome) return outcome.result;
      ({ failure } = outcome);
      address = this.#choose(conversation, tried);
    }
    throw toClientError(
      failure ?? new AddressFailure('unreachable', this.trouble ?? ''),
      this.#retrySeconds(),
    );
  }

  async #try<Result>(
    address: Address,
    signal: AbortSignal,
    attempt: Attempt<Result>,
  ): Promise<{ readonly result: Result } | { readonly failure: AddressFailure }> {
    const startedAtMs = performance.now();
    let hasBegun = false;
    const begun = (): void => {
      if (!hasBegun) address.served(performance.now() - startedAtMs);
      hasBegun = true;
    };
    address.inFlight++;
    try {
      return { result: await attempt(address, begun) };
    } catch (failure) {
      if (!(failure instanceof AddressFailure) || signal.aborted) throw failure;
      address.failed(
        failure,
        this.#addresses.some((other) => other !== address && !other.isDown),
      );
      const { modelId: model, log } = this.#options;
      log.warn({ model, address: address.url, reason: failure.message, hasBegun }, 'upstream failed');
      if (hasBegun) throw brokenOff(failure);
      return { failure };
    } finally {
      address.inFlight--;
    }
  }

  #choose(conversation: string | undefined, tried: ReadonlySet<Address>): Address | undefined {
    const usable = this.#addresses.filter((address) => !address.isDown && !tried.has(address));
    const least = usable.toSorted((a, b) => a.inFlight - b.inFlight)[0];
    const place = conversation === undefined ? undefined : this.#places.get(conversation);
    const stays =
      place !== undefined && usable.includes(place) && place.inFlight - (least?.inFlight ?? 0) < mostBusier;
    const chosen = stays ? place : least;
    if (conversation !== undefined && chosen !== undefined) this.#places.set(conversation, chosen);
    return chosen;
  }

  #retrySeconds(): number {
    const nextMs = Math.min(...this.#addresses.map(({ probeAtMs }) => probeAtMs));
    return Math.max(1, Math.ceil((nextMs - Date.now()) / 1000));
  }

  #look(): void {
    for (const address of this.#addresses)
      if (address.probeAtMs <= Date.now() && !this.#probing.has(address)) void this.#probe(address);
  }

  /** Never rejects. */
  async #probe(address: Address): Promise<void> {
    const { modelId: model, probe, log } = this.#options;
    const wasDown = address.isDown;
    this.#probing.add(address);
    try {
      await probe(address);
      address.answered();
      if (wasDown) log.info({ model, address: address.url }, 'upstream is back');
    } catch (error) {
      const failure = error instanceof AddressFailure ? error : new AddressFailure('faulty', String(error));
      address.missed(failure);
      if (!wasDown) log.warn({ model, address: address.url, reason: failure.message }, 'upstream is down');
    } finally {
      this.#probing.delete(address);
    }
  }
}
