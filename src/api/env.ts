import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Accounts } from '../accounts/accounts.ts';
import type { Keys } from '../accounts/keys.ts';
import type { PlanBook } from '../accounts/plan-book.ts';
import type { Authenticator, Principal } from '../accounts/types.ts';
import type { ModelPuller } from '../catalog/pulls/model-puller.ts';
import type { Catalog } from '../catalog/types.ts';
import type { Engine, ModelMemory, ReasoningEffort } from '../engine/types.ts';
import type { Transcriber } from '../engine/speech/file-transcriber.ts';
import type { AppError } from '../errors.ts';
import type { Limiter } from '../limits/types.ts';
import type { Usage, UsageQuery } from '../limits/usage.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { ResponseStore } from './responses/stored/response-store.ts';

export interface Clock {
  /** Wall-clock time, Unix milliseconds. */
  nowMs(): number;
}

export interface Health {
  /** undefined while requests can be served, else the error that says why not. */
  unready(): AppError | undefined;
  /** True from the moment that shutdown began: new requests are refused, running ones go on. */
  draining(): boolean;
}

export interface ApiSettings {
  readonly jsonBodyLimitBytes: number;
  /** Of the file in a form. */
  readonly audioBodyLimitBytes: number;
  /** What an account may store of responses. */
  readonly storedResponsesLimitBytes: number;
  /** For files that come with requests; a folder that exists. */
  readonly uploadsDir: string;
  /** Origins that browsers may call from: exact, `http://localhost:*` for any port, or `*` for all. */
  readonly corsOrigins: readonly string[];
  /** Most tokens of thought per effort. */
  readonly reasoningTokens: Readonly<Record<ReasoningEffort, number>>;
  /** Silence on a stream before a comment line keeps proxies from closing it; default 15 s. */
  readonly streamPingMs?: number;
  /** How long a streaming client may take nothing at all before it counts as gone; default 60 s. */
  readonly streamStallMs?: number;
}

/** What the admin API does its work with. */
export interface Administration {
  readonly accounts: Pick<Accounts, 'create' | 'list' | 'get' | 'setPlan' | 'remove' | 'idInHistory'>;
  readonly keys: Pick<Keys, 'create' | 'list' | 'get' | 'revoke' | 'rotate'>;
  readonly plans: Pick<PlanBook, 'plans'>;
  readonly models: ModelMemory;
  readonly pulls: Pick<ModelPuller, 'find' | 'unknown' | 'pull'>;
  usage(query: UsageQuery): Promise<Usage[]>;
}

/** Everything that the HTTP side is given; it constructs none of it. */
export interface AppDeps {
  readonly engine: Engine;
  readonly models: Pick<ModelMemory, 'state'>;
  readonly catalog: Catalog;
  readonly authenticator: Authenticator;
  readonly limiter: Limiter;
  readonly transcriber: Transcriber;
  readonly responses: ResponseStore;
  readonly administration: Administration;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly settings: ApiSettings;
  readonly health: Health;
}

/** What the access log says about a request: filled in by whoever knows, written once at the end. */
export interface AccessRecord {
  keyId?: string;
  accountId?: string;
  model?: string;
  errorCode?: string;
  promptTokens?: number;
  cachedTokens?: number;
  completionTokens?: number;
  audioSeconds?: number;
  timeToFirstTokenMs?: number;
  /** The end of the metered work; the line waits for it, so that an aborted request shows its tokens too. */
  settled?: Promise<unknown>;
}

export interface AppEnv {
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** On the monotonic clock of `performance.now()`. */
    arrivedAtMs: number;
    access: AccessRecord;
    principal: Principal;
    /** The parsed JSON object of the request. */
    body: JsonObject;
  };
}

export type AppContext = Context<AppEnv>;

export type JsonObject = Readonly<Record<string, unknown>>;

/** Node's side of the request; undefined fields where the app is called without a socket. */
export function nodeBindings(c: AppContext): Partial<HttpBindings> {
  // Hono's type hides that there is no environment at all outside of a server.
  const bindings: Partial<HttpBindings> | undefined = c.env;
  return bindings ?? {};
}
