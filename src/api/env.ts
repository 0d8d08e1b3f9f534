import type { Config } from '../config/types.ts';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Accounts } from '../accounts/accounts.ts';
import type { AuditEntry, listActs } from '../accounts/audit.ts';
import type { Invitations } from '../accounts/sign-in/invitations.ts';
import type { Identity, IdentityProvider } from '../accounts/sign-in/identity-provider.ts';
import type { SignInCodes } from '../accounts/sign-in/sign-in-codes.ts';
import type { Keys } from '../accounts/keys.ts';
import type { MadePlans } from '../accounts/made-plans.ts';
import type { PlanBook } from '../accounts/plans.ts';
import type { Authenticator, Principal } from '../accounts/types.ts';
import type { Suggestion } from '../catalog/pulls/suggestions.ts';
import type { Hub } from '../catalog/pulls/hub.ts';
import type { EntrySettings } from '../config/file/model-settings.ts';
import type { ModelPuller } from '../catalog/pulls/model-puller.ts';
import type { Batches } from '../batches/batches.ts';
import type { FileLibrary } from '../files/file-library.ts';
import type { Catalog } from '../catalog/types.ts';
import type { ReadDocument } from '../documents/read-document.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import type { Engine } from '../engine/generation/generation.ts';
import type { ModelMemory } from '../engine/pool/model-status.ts';
import type { TextEngine } from '../engine/text-engine.ts';
import type { SoundEncoder } from '../engine/audio/sound-encoder.ts';
import type { VoiceEngine } from '../engine/voice/speaking-types.ts';
import type { RemotePictures } from './attachments/remote-pictures.ts';
import type { Transcriber } from '../engine/speech/file-transcriber.ts';
import type { AppError } from '../errors/errors.ts';
import type { Limiter } from '../limits/types.ts';
import type { Usage, UsageQuery } from '../limits/reports/usage.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import type { Voices } from '../voices/voices.ts';
import type { Notices } from '../notices/notices.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { BatchOrigin } from '../batches/batch-types.ts';
import type { Dialect } from './dialect.ts';
import type { ResponseStore } from '../store/tables/response-table.ts';
import type { KeptStreams } from './streams/kept-streams.ts';

export interface Clock {
  /** Wall-clock time, Unix milliseconds. */
  nowMs(): number;
}

export interface UnavailableModel {
  readonly model: string;
  readonly reason: string;
}

export interface Health {
  /** undefined if requests can be served, else an error with the reason. */
  unready(): AppError | undefined;
  /** Models that cannot serve now, and why; others can. */
  unavailable(): readonly UnavailableModel[];
  /** True once shutdown has begun. New requests are then refused and running ones continue. */
  draining(): boolean;
  /** Resolves when no other program locks the database. Throws storage_unavailable when that takes too long. */
  writable(): Promise<void>;
}

type SharedSettings =
  | `${'json' | 'image' | 'audio'}BodyLimitBytes`
  | 'storedResponsesLimitBytes'
  | 'filesLimitBytes'
  | 'uploadsDir'
  | 'corsOrigins'
  | 'reasoningTokens';

export interface ApiSettings extends Pick<Config, SharedSettings>, Partial<Pick<Config, 'ollamaKey'>> {
  /** Id of the key of programs on this machine that send none; undefined: they need one. */
  readonly keylessKeyId?: (() => string) | undefined;
  /** Silence after which a stream gets a comment line, so that proxies do not close it; default 15 s. */
  readonly streamPingMs?: number;
  /** Time after which a streaming client that reads nothing is disconnected; default 60 s. */
  readonly streamStallMs?: number;
}

export interface Administration {
  readonly accounts: Pick<
    Accounts,
    'create' | 'list' | 'get' | 'change' | 'remove' | 'idInHistory' | 'webhookSecret'
  >;
  readonly keys: Pick<Keys, 'create' | 'change' | 'list' | 'get' | 'revoke' | 'rotate'>;
  readonly audit: {
    note(act: string, subject: string, before?: object, after?: object): void;
    list(wanted: Parameters<typeof listActs>[1]): readonly AuditEntry[];
  };
  readonly notices: Pick<Notices, 'list'>;
  readonly invitations: Pick<Invitations, 'create' | 'list' | 'get' | 'renewCode' | 'close' | 'claim'>;
  readonly plans: Pick<PlanBook, 'plans' | 'sourceOf' | 'priceOf'>;
  readonly madePlans: Pick<MadePlans, 'set' | 'remove'>;
  readonly models: ModelMemory;
  readonly pulls: Pick<
    ModelPuller,
    'find' | 'unknown' | 'pull' | 'hasPulled' | 'servedAs' | 'sourceOf' | 'remove'
  >;
  readonly modelSettings: Pick<EntrySettings, 'path' | 'of' | 'change'>;
  readonly hub: Hub;
  readonly signInCodes: Pick<SignInCodes, 'redeem' | 'end'>;
  /** undefined: nobody signs in elsewhere. */
  readonly provider?:
    | {
        readonly identities: Pick<IdentityProvider, 'settings' | 'callbackUrl' | 'start' | 'finish'>;
        /** A one-time code for a session of the person's account; undefined: their groups are not let in. */
        readonly admit: (identity: Identity) => string | undefined;
      }
    | undefined;
  usage(query: UsageQuery): Promise<Usage[]>;
  /** The principal of a key at its next request; throws not_found. */
  principalOf(keyId: string): Principal;
  suggestions(): Promise<readonly Suggestion[]>;
}

/** Everything that the HTTP side uses. It creates none of these itself. */
export interface AppDeps {
  readonly engine: Engine & TextEngine & VoiceEngine;
  readonly models: Pick<ModelMemory, 'state' | 'status' | 'findNeeds'>;
  readonly catalog: Catalog;
  readonly authenticator: Authenticator;
  readonly limiter: Limiter;
  readonly transcriber: Transcriber;
  readonly documents: Pick<DocumentReader, 'read'>;
  readonly sounds: Pick<SoundEncoder, 'choose' | 'encode'>;
  readonly voices: Pick<Voices, 'list' | 'add' | 'remove'>;
  readonly mcp: McpServers;
  /** undefined: pictures at addresses that clients name are not fetched. */
  readonly remotePictures?: RemotePictures | undefined;
  readonly responses: ResponseStore;
  readonly files: Pick<FileLibrary, 'roomOf' | 'reserve' | 'add' | 'get' | 'list' | 'remove' | 'pathOf'>;
  readonly batches: Pick<
    Batches,
    'create' | 'get' | 'find' | 'list' | 'listAll' | 'inputNameOf' | 'cancel' | 'remove'
  >;
  readonly streams: KeptStreams;
  /** The key of the signatures on texts that clients hold for the server. */
  readonly signingKey: Uint8Array;
  readonly administration: Administration;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly settings: ApiSettings;
  readonly health: Health;
}

/** The facts that the access log writes about a request at its end. Each is set where it becomes known. */
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
  /** Its work ended before its answer was complete, because its client or an operator wanted no more of it. */
  stopped?: true;
  /** The end of the metered work. The log line waits for it, so that it has the tokens of aborted requests too. */
  settled?: Promise<unknown>;
}

/** Facts that come with a request beside those that its client sends. */
type Bindings = Partial<HttpBindings> & {
  /** undefined: it came through a socket. */
  readonly batchOrigin?: BatchOrigin;
  /** The key's owner where another request of the server made this one, as a call of a tool does. */
  readonly principal?: Principal;
};

/** A document of a request, whose text stands in the place of its file. */
export interface OpenedDocument extends ReadDocument {
  readonly name: string | undefined;
  readonly fileId: string | undefined;
  /** The answer is to cite it. Blocks of Anthropic's say so in the request itself. */
  readonly isCited: boolean;
}

export interface KeptRoom {
  /** Most that the file may have. */
  readonly bytes: number;
  /** Gives it free. */
  readonly release: () => void;
  /** Throws the error of a file that needs more. */
  readonly refuse: () => void;
}

export interface AppEnv {
  Bindings: Bindings;
  Variables: {
    requestId: string;
    /** On the monotonic clock of `performance.now()`. */
    arrivedAtMs: number;
    access: AccessRecord;
    dialect: Dialect;
    principal: Principal;
    body: JsonObject;
    /** The documents in the body, by the paths of their parts; undefined: the route takes none. */
    documents: ReadonlyMap<string, OpenedDocument> | undefined;
    /** The room that is kept for the file of the request; undefined: it is not kept. */
    room: KeptRoom | undefined;
    /** The names in the header `x-ignored-parameters`. */
    ignored: readonly string[];
    /** The error of a request whose work an operator has stopped. */
    cancelled: AppError | undefined;
    /**
     * The act of an administrative request, its subject and its change, for the audit log; undefined: its route and
     * path are noted.
     */
    act: Act | undefined;
    /** Writes an act of an administrative request down, also after its answer has begun. */
    note: (...act: Act) => void;
  };
}

type Act = readonly [act: string, subject: string, before?: object, after?: object];

export type AppContext = Context<AppEnv>;

export type JsonObject = Readonly<Record<string, unknown>>;

/** Node's own request and response objects; undefined in lines of batches, and in tests that use no socket. */
export function nodeBindings(c: AppContext): Bindings {
  // Without a server there is no environment at all, which Hono's type does not say.
  const bindings: Bindings | undefined = c.env;
  return bindings ?? {};
}
