import { clientClosedRequest } from '../errors/errors.ts';

/** One request that ended, without anything that its client wrote. */
export interface FeedRequest {
  /** Unix ms. */
  readonly endedAtMs: number;
  /** The path as documented; undefined: no route has the path of the request. */
  readonly route?: string | undefined;
  readonly status: number;
  /** As in the log. */
  readonly requestId: string;
  readonly durationMs: number;
  /** Canonical id of the model that it came to. */
  readonly model?: string | undefined;
  /** That of the model that it named, also where it was refused before it came to that. */
  readonly namedModel?: string | undefined;
  /** Whether its client left before it had the whole answer. */
  readonly clientLeft?: boolean;
  /** Whether its work was stopped before its answer was complete. */
  readonly stopped?: boolean;
  readonly keyId?: string | undefined;
  readonly errorCode?: string | undefined;
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
  /** Seconds of audio that the model heard or spoke; undefined: the request has no audio. */
  readonly audioSeconds?: number | undefined;
  readonly timeToFirstTokenMs?: number | undefined;
  /** The batch of which it was a line. */
  readonly batchId?: string | undefined;
  /** Whether it was a line of a batch that was tried in vain: it comes again by itself, and counts when it has its result. */
  readonly isPutOff?: boolean;
}

/** Pages ask whether an answer is there still, and leave an answer that they read where somebody goes elsewhere. */
const isOfPage = ({ route, status }: FeedRequest): boolean =>
  status === clientClosedRequest || (status === 404 && route === '/v1/stream/{id}');

/** A request that its client or an operator stopped has not failed. */
const hasFailed = ({ status, errorCode, stopped }: FeedRequest): boolean =>
  stopped !== true && (status >= 400 || errorCode !== undefined);

/** How many requests are kept for those who begin to listen, and how many of those that failed. */
const kept = 100;

/** The last requests, for operators who watch. */
export class RequestFeed {
  readonly #last: FeedRequest[] = [];
  readonly #failed: FeedRequest[] = [];
  readonly #listeners = new Set<(request: FeedRequest) => void>();

  /** Left out are requests that ask nothing of a model, unless they failed, and lines that come again: there are many of both. */
  add(request: FeedRequest): void {
    if (request.isPutOff === true) return;
    const failed = request.status >= 400 && request.route?.startsWith('/v1/') === true;
    if (request.model === undefined && (!failed || isOfPage(request))) return;
    push(this.#last, request);
    if (hasFailed(request)) push(this.#failed, request);
    for (const listener of this.#listeners) listener(request);
  }

  /** The last hundred, and the last hundred that failed, oldest first. */
  get last(): readonly FeedRequest[] {
    const last = new Set(this.#last);
    return [...this.#failed.filter((request) => !last.has(request)), ...last];
  }

  /** Calls `listener` for every request that ends from now on, until the function that comes back is called. */
  listen(listener: (request: FeedRequest) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

function push(requests: FeedRequest[], request: FeedRequest): void {
  requests.push(request);
  if (requests.length > kept) requests.shift();
}
