import type { BatchCharges, DeferredCharge } from '../limits/types.ts';
import type { BatchRow } from '../store/tables/batches/batch-table.ts';

export {
  batchStatuses,
  type BatchDialect,
  type BatchRow,
  type BatchStatus,
} from '../store/tables/batches/batch-table.ts';

export interface LineRequest {
  readonly batchId: string;
  /** Who asks, and pays. */
  readonly keyId: string;
  readonly endpoint: string;
  /** The JSON text of the body. */
  readonly body: string;
  /** If it fails by a fault of the server, that is its result. */
  readonly isLastTry: boolean;
}

/** The batch of which a request is a line, and its owner: only the server itself can say so. */
export interface BatchOrigin extends BatchCharges {
  /** It needs no secret. */
  readonly keyId: string;
  /** As of the line. */
  readonly isLastTry: boolean;
}

export interface LineAnswer {
  readonly status: number;
  readonly requestId: string;
  readonly json: string;
  /** Whole seconds; undefined: the route names none. */
  readonly retryAfterSeconds: number | undefined;
  /** Parameters that its route does not know, by their paths. */
  readonly ignored: readonly string[];
  /** It is not the result of the line, which comes again. */
  readonly isPutOff: boolean;
  /** Its charges. Either all of them are taken or all are given back. */
  readonly charges: readonly DeferredCharge[];
}

/** Has a line answered by its route as if it came by itself, behind all requests that somebody waits for. */
export type SendLine = (request: LineRequest, signal: AbortSignal) => Promise<LineAnswer>;

export interface BatchWait {
  readonly untilMs: number;
  /** A sentence for the client. */
  readonly reason: string;
  /** The code of the error that has it wait; undefined: it is none that has one. */
  readonly code?: string | undefined;
  /** Name of the server that it waits for; undefined: it has none, or none is waited for. */
  readonly server?: string | undefined;
  /** It is over as soon as the server is back, which is looked at every second. */
  readonly mayEndBefore?: boolean;
}

export interface Batch extends BatchRow {
  /** undefined: it does not wait, or has ended. */
  readonly wait: BatchWait | undefined;
}
