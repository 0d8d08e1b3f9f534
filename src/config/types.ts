import type { ModelEntry } from '../catalog/model-entry.ts';
import type { Isolation } from '../engine/model-backend.ts';
import type { McpServerSpec, SettingValue } from '../mcp/server-spec.ts';
import type { LogLevel } from '../telemetry/log.ts';
import type { Prices } from '../accounts/budgets/price.ts';
import type { Plans } from '../accounts/plans.ts';
import type { ProviderSettings } from '../accounts/sign-in/identity-provider.ts';
import type { NamedVoice } from '../voices/voices.ts';
import type { Secret } from '../accounts/secrets.ts';

/** A certificate for HTTPS: absolute paths of PEM files, or one that hearth makes itself. */
export type TlsSetting = 'self-signed' | { readonly cert: string; readonly key: string };

/** Every setting, resolved. Paths are absolute, times in milliseconds, sizes in bytes. */
export interface Config {
  /** undefined: none was found. */
  readonly configFile: string | undefined;
  /** Where it is, or would be. */
  readonly configPlace: string;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** undefined: plain HTTP. */
  readonly tls: TlsSetting | undefined;
  readonly logLevel: LogLevel;
  readonly dataDir: string;
  readonly databaseFile: string;
  /** Folder of uploaded files while they are processed; emptied at start. */
  readonly uploadsDir: string;
  readonly filesDir: string;
  readonly voicesDir: string;
  /** Where downloads go. */
  readonly pulledModelsDir: string;
  /** Folders to serve models from, first one wins: the given ones, the downloads, the demo's. */
  readonly modelsDirs: readonly string[];
  readonly demo: boolean;
  readonly models: readonly ModelEntry[];
  /** Servers of tools, which models may call. */
  readonly mcp: readonly McpServerSpec[];
  readonly voices: readonly NamedVoice[];
  readonly plans: Plans;
  /** The prices of models, in the operator's units. */
  readonly prices: Prices;
  /** Where people sign in to the page; undefined: here only, by keys and links. */
  readonly oidc: ProviderSettings | undefined;
  /** Where the operator is told of notices; undefined: nowhere. Its secret is read at the start. */
  readonly webhook:
    | { readonly url: string; readonly secret: SettingValue; readonly local: boolean }
    | undefined;
  /** In which days, weeks and months of budgets begin; undefined: the machine's. */
  readonly timeZone: string | undefined;
  /** Becomes the first key of an empty database. */
  readonly bootstrapApiKey: Secret | undefined;
  /** How long running answers may go on after SIGTERM. */
  readonly shutdownGraceMs: number;
  /** How long a request waits for its model to load. */
  readonly loadTimeoutMs: number;
  /** Browser origins that may call: exact, `http://localhost:*` for any port, or `*` for all. */
  readonly corsOrigins: readonly string[];
  /** Id of the key under which programs on this machine may use Ollama's API without one; undefined: they may not. */
  readonly ollamaKey: string | undefined;
  /** Programs on this machine need no key. */
  readonly noKey: boolean;
  readonly jsonBodyLimitBytes: number;
  /** Largest JSON body of a request that may have pictures. */
  readonly imageBodyLimitBytes: number;
  /** Pictures at http(s) addresses that clients name are fetched. */
  readonly imageUrls: boolean;
  readonly audioBodyLimitBytes: number;
  readonly storedResponsesLimitBytes: number;
  readonly filesLimitBytes: number;
  readonly audioLengthLimitMs: number;
  /** The program that decodes audio: its name or absolute path; undefined: hearth's own decoder does. */
  readonly ffmpeg: string | undefined;
  /** Where models in files run that have no `isolation` of their own; undefined: as the machine's GPU asks for. */
  readonly isolation: Isolation | undefined;
  readonly queueLimit: number;
  /** Longest pause between two tokens of a running answer that a new prompt may cause. */
  readonly targetGapMs: number;
  /** Most memory that models and kept caches may take; undefined: as much as the machine can spare. */
  readonly memoryBytes: number | undefined;
  /** Most of this memory for the caches of idle conversations; 0: none are kept; undefined: a share of it. */
  readonly cacheMemoryBytes: number | undefined;
  /** Most of the memory of GPUs that models may take; 0: they compute on the processor; undefined: nine tenths. */
  readonly gpuMemoryBytes: number | undefined;
  /** undefined: for ever. */
  readonly ledgerRetentionMs: number | undefined;
  /** undefined: for ever. */
  readonly auditRetentionMs: number | undefined;
  /** Most tokens of thought per `reasoning_effort`. */
  readonly reasoningTokens: { readonly low: number; readonly medium: number; readonly high: number };
}
