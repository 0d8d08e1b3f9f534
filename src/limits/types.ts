import type { UsageSource } from '../engine/generation/generation.ts';
import type { Measure, Window } from '../accounts/plans.ts';
import type { Budget } from '../accounts/budgets/budget.ts';
import type { Principal } from '../accounts/types.ts';

export interface AdmissionRequest {
  readonly principal: Principal;
  /** Canonical model id: aliases and `-r` ids share its buckets. */
  readonly modelId: string;
  /** The measures that the route is metered on. */
  readonly measures: readonly Measure[];
  /** For the ledger, such as `/v1/chat/completions`. */
  readonly route: string;
  /** The most that it can use, in whole tokens and seconds: until it ends, its budgets are as if it had. */
  readonly most?: (() => { readonly tokens: number; readonly audioSeconds: number }) | undefined;
  /** The batch that the request is a line of; undefined: somebody waits for its answer. */
  readonly batch?: BatchCharges | undefined;
}

/** Takes the charges of a batch's lines, which are settled together with their results. */
export interface BatchCharges {
  readonly batchId: string;
  /** Is told of each request that has ended, instead of its being charged. */
  defer(charge: DeferredCharge): void;
}

/** The charge of a request that has ended. One of the two is to be called, once. */
export interface DeferredCharge {
  readonly used: Used;
  /** Charges the use. To be called in a transaction of the store. */
  charge(): void;
  /** Charges nothing, gives the request itself back and leaves nothing of it in the ledger. */
  giveBack(): void;
}

export interface Used {
  readonly promptTokens: number;
  /** Of the prompt tokens, the ones that came from the cache. */
  readonly cachedTokens: number;
  readonly completionTokens: number;
  /** Of the completion tokens, those of the thought; limits do not tell them apart. */
  readonly reasoningTokens?: number | undefined;
  readonly audioSeconds: number;
  /** Who counted the tokens, where it was another server; undefined: hearth itself. */
  readonly source?: UsageSource | undefined;
}

/** How an admitted request ended: charged to its buckets and written to the ledger in one transaction. */
export interface Settlement extends Used {
  /** HTTP status that the client got; 499 when it went away before one was sent. */
  readonly status: number;
  /** That of the error which ended a stream; undefined: none did. The ledger has it as the status. */
  readonly errorStatus?: number | undefined;
  /** From arrival to the end of the answer. */
  readonly durationMs: number;
  /** From arrival to the first output; null when there was none. */
  readonly timeToFirstTokenMs: number | null;
  /** Gives the request itself back: it was refused (4xx) or failed (5xx) before any output. */
  readonly refundRequest: boolean;
}

export interface Admission {
  /** The `x-ratelimit-*` headers once the request was paid for. */
  readonly headers: Readonly<Record<string, string>>;
  /** The `x-ratelimit-*` headers of this moment. */
  currentHeaders(): Readonly<Record<string, string>>;
  /** To be called at every output of a stream, so that its use is charged if the process dies before `settle`. */
  note(usedSoFar: () => Used): void;
  /** Must be called once, however the request ended; a second call does nothing. */
  settle(settlement: Settlement): void;
}

export interface Allowance {
  readonly measure: Measure;
  readonly window: Window;
  /** In requests, tokens or seconds. */
  readonly limit: number;
  /** In the same unit; below 0: more was used than there was, and has to refill first. */
  readonly left: number;
  /** Until all of it is there again if nothing is used; 0: it is full. */
  readonly fullInMs: number;
}

export interface Limiter {
  /** Pays one request out of every bucket that applies, all or none. Throws rate_limit_exceeded, insufficient_quota. */
  admit(request: AdmissionRequest): Admission;
  /** The limits of a key for a model, whatever the measure. Takes nothing and writes nothing. */
  allowances(principal: Principal, modelId: string): readonly Allowance[];
  budgets(principal: Principal): readonly Budget[];
}
