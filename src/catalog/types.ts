import type { FileEngineName } from '../engine/file-formats.ts';
import type { Isolation, LoadSettings } from '../engine/model-backend.ts';
import type { SamplingOptions } from '../engine/generation/sampling-options.ts';
import { versionOf, type UpstreamSpec } from '../engine/upstream/upstream-spec.ts';
import type { ModelKind } from '../model-kinds.ts';

/** Per-model settings from the configuration file, resolved over the defaults. */
export interface ModelSettings extends LoadSettings {
  /** Where its file runs; undefined: in hearth's own process. */
  readonly isolation?: Isolation | undefined;
}

/** Parameters of a request that says nothing of them itself. */
export interface RequestDefaults {
  readonly sampling: Partial<SamplingOptions>;
  readonly stop?: readonly string[] | undefined;
  /** Stands before a conversation that has no system message. */
  readonly system?: string | undefined;
}

export interface CatalogModel {
  /** Canonical id: the file's name without extension, or the configured one. May contain slashes. */
  readonly id: string;
  readonly aliases: readonly string[];
  readonly ownedBy: string;
  /** Absolute path of the file (the first part of a split one); undefined for a model that has none here. */
  readonly path: string | undefined;
  readonly sizeBytes: number;
  /** A text that changes with the content of its files; undefined: it has none here. */
  readonly version?: string | undefined;
  /** The file by which it sees or hears; undefined: it has none. */
  readonly projector?: { readonly path: string; readonly sizeBytes: number } | undefined;
  /** The file's modification time, Unix seconds; without a file when this process began. */
  readonly createdAtSeconds: number;
  /** The engine for its file; undefined for a model that has none here. */
  readonly engine: FileEngineName | undefined;
  /** Where it runs, if it has no file here. */
  readonly upstream?: UpstreamSpec | undefined;
  /** Why its file cannot be loaded, as far as that was tried with the file as it is; undefined: nothing is known against it. */
  readonly refusal?: string | undefined;
  readonly kind: ModelKind;
  /** Such as `llama`, as the file calls it. */
  readonly architecture: string;
  /** Number of weights; 0 where the file does not tell. */
  readonly parameterCount: number;
  /** Such as `Q8_0`; null where the file does not tell. */
  readonly quantization: string | null;
  /** Context length that the model was trained for, in tokens; 0 where the file does not tell. */
  readonly trainContextTokens: number;
  readonly capabilities: {
    readonly audio: boolean;
    readonly image: boolean;
    readonly functionCalling: boolean;
    readonly reasoning: boolean;
    /** It writes the text between two others. */
    readonly infill?: boolean | undefined;
    /** See `ModelFindings`; undefined: not known before its first load, or not a chat model. */
    readonly toolFormat?: 'native' | 'json' | undefined;
    readonly reasoningEfforts?: readonly string[] | undefined;
  };
  /** The chat template in its file; null: it has none. */
  readonly chatTemplate?: () => string | null;
  /** As its file calls it; null or undefined: it does not tell. */
  readonly licence?: string | null;
  readonly settings: ModelSettings;
  /** Parameters of requests that say nothing of them; undefined: hearth's own. */
  readonly defaults?: RequestDefaults | undefined;
  /** The operator's own fields, shown in the listing as they are; undefined: none. */
  readonly info?: Readonly<Record<string, unknown>> | undefined;
}

/** A text that changes when the model must be loaded anew: with its files, and with settings that its load goes by. */
export function versionToLoad({ path, version, projector, settings, upstream }: CatalogModel): string {
  const { keepAliveMs: _keepAliveMs, preload: _preload, ...loading } = settings;
  return JSON.stringify([path, version, projector, loading, upstream && versionOf(upstream)]);
}

export interface Catalog {
  /** Sorted by id. */
  list(): readonly CatalogModel[];
  /** By id or alias; undefined when there is none. */
  find(idOrAlias: string): CatalogModel | undefined;
  /** True for a configured model whose file was not pulled yet. */
  isPending(idOrAlias: string): boolean;
  /** At most three known ids that look like `id`, nearest first. */
  nearest(id: string): readonly string[];
  /** The models of the folders and of the configuration that nobody is served, such as damaged files, with the reasons. */
  unserved(): readonly Unserved[];
}

/** Something that is meant to be a model and is not served. */
export interface Unserved {
  /** The path of its file, or the id that the configuration gives it. */
  readonly name: string;
  readonly reason: string;
}

type Write = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** The part of a structured logger that the catalog and the downloads use. */
export interface CatalogLog {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
}
