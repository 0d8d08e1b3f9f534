import { resolve } from 'node:path';
import type { UpstreamSpec } from '../engine/upstream/upstream-spec.ts';
import type { Verdict } from '../engine/model-check/load-check.ts';
import { can } from '../model-kinds.ts';
import { CatalogConflictError, type ModelEntry } from './model-entry.ts';
import { findProjector } from './find-projector.ts';
import type { Shelf, ShelfContents, ShelvedModel, ShelvedProjector } from './model-shelf.ts';
import { parseModelSource, sourceKey, type ModelSource } from './pulls/model-source.ts';
import { folderOfSource, type Pulled } from './pulls/pulled-files.ts';
import type { CatalogModel, ModelSettings, Unserved } from './types.ts';

/** A configured model that cannot be served, because its file is not there. */
export interface PendingModel {
  readonly id: string;
  readonly source: string | undefined;
  readonly sha256: string | undefined;
  /** True when a pull of `source` would help. */
  readonly pullable: boolean;
  readonly reason: string;
}

export interface MergedModels {
  /** Sorted by id. */
  readonly models: readonly CatalogModel[];
  /** By id and by alias. */
  readonly byName: ReadonlyMap<string, CatalogModel>;
  readonly pending: readonly PendingModel[];
  readonly unserved: readonly Unserved[];
}

/** The verdict of the last check of a model's file; undefined: it was not checked yet. */
export type VerdictOf = (file: { readonly path: string; readonly mtimeMs: number }) => Verdict | undefined;

/** The abilities for which a model needs addons, where these are here. */
export interface MachineSenses {
  /** Chat models with a projector see and hear. */
  readonly projectors: boolean;
  /** Speech models transcribe. */
  readonly speech: boolean;
}

export interface MergeInput {
  readonly contents: ShelfContents;
  readonly shelf: Shelf;
  readonly entries: readonly ModelEntry[];
  readonly pulledFolder: string | undefined;
  readonly defaults: ModelSettings;
  readonly verdictOf?: VerdictOf | undefined;
  readonly senses: MachineSenses;
  /** Whether a file whose id is an alias is an error, as at start, or a line in the log, as later. */
  readonly onClash: 'throw' | 'warn';
}

const defaultOwner = 'local';

/** Scanned files and configured entries as one list; a file that an entry names is listed under the entry's id only. */
export function mergeModels(input: MergeInput): MergedModels {
  const { shelf, entries } = input;
  const byName = new Map<string, CatalogModel>();
  const pending: PendingModel[] = [];
  const clashes: Unserved[] = [];
  const taken = new Set<string>();
  const add = (model: CatalogModel): void => {
    byName.set(model.id, model);
    for (const alias of model.aliases) byName.set(alias, model);
  };
  for (const entry of entries) {
    if (entry.upstream !== undefined) {
      add(toUpstreamModel(entry, entry.upstream, input.defaults));
      continue;
    }
    const found = findFile(entry, input);
    if ('reason' in found) {
      pending.push(found);
      shelf.warnOnce(found.source ?? entry.id, `model "${entry.id}" cannot be served: ${found.reason}`);
      continue;
    }
    taken.add(found.realPath);
    const projector =
      entry.defaults === undefined || can(found.facts, 'generate')
        ? projectorOf(found, entry, input)
        : 'parameters of requests such as temperature, system or stop have no meaning for it: it writes no text';
    if (typeof projector !== 'string') {
      add(toCatalogModel(found, entry, projector, input));
      continue;
    }
    pending.push(missingFile(entry, projector));
    shelf.warnOnce(found.path, `model "${entry.id}" cannot be served: ${projector}`);
  }
  // An entry whose file is missing keeps its names: no other model may be served under them.
  const reserved = new Set(entries.flatMap(({ id, aliases = [] }) => [id, ...aliases]));
  for (const shelved of input.contents.models) {
    if (taken.has(shelved.realPath)) continue;
    const clash = clashOf(shelved, byName, reserved, entries);
    const projector = () => findProjector(shelved, input.contents, shelf);
    if (clash === undefined) byName.set(shelved.id, toCatalogModel(shelved, undefined, projector(), input));
    else if (clash.isAlias && input.onClash === 'throw') {
      throw new CatalogConflictError(`models: ${clash.reason}, but ${shelved.path} has this id`);
    } else {
      clashes.push({ name: shelved.path, reason: clash.reason });
      shelf.warnOnce(shelved.path, `skipped: ${clash.reason}`);
    }
  }
  const models = [...new Set(byName.values())].sort((a, b) => (a.id < b.id ? -1 : 1));
  const waiting = pending.map(({ id, reason }) => ({ name: id, reason }));
  return { models, byName, pending, unserved: [...waiting, ...input.contents.unserved, ...clashes] };
}

function clashOf(
  shelved: ShelvedModel,
  byName: ReadonlyMap<string, CatalogModel>,
  reserved: ReadonlySet<string>,
  entries: readonly ModelEntry[],
): { readonly reason: string; readonly isAlias: boolean } | undefined {
  const { id } = shelved;
  if (reserved.has(id)) {
    const owner = entries.find(({ aliases }) => aliases?.includes(id) === true);
    if (owner !== undefined) return { reason: `"${id}" is an alias of model "${owner.id}"`, isAlias: true };
    return { reason: `the configuration gives the id "${id}" to another file`, isAlias: false };
  }
  const first = byName.get(id);
  if (first === undefined) return undefined;
  return { reason: `the id "${id}" is taken by ${first.path}`, isAlias: false };
}

/** The file that `entry` means, or why there is none. */
function findFile(entry: ModelEntry, input: MergeInput): ShelvedModel | PendingModel {
  const { shelf, contents } = input;
  const missing = (reason: string, pullable = false) => missingFile(entry, reason, pullable);
  if (entry.source === undefined) {
    return (
      contents.models.find(({ id }) => id === entry.id) ??
      missing('no file in the models folders has this id')
    );
  }
  const source = parseModelSource(entry.source);
  if (source.kind === 'path') {
    return shelf.open(resolve(source.path)) ?? missing('there is no model that can be served at this path');
  }
  const pulled = pulledFrom(source, input);
  if (pulled === undefined) return missing('it was not pulled yet', true);
  if (entry.sha256 !== undefined && pulled.record.files[0]?.sha256 !== entry.sha256.toLowerCase()) {
    return missing('the pulled file has another sha256 than the configuration wants', true);
  }
  return shelf.open(pulled.path) ?? missing('the pulled file is gone or damaged', true);
}

function missingFile({ id, source, sha256 }: ModelEntry, reason: string, pullable = false): PendingModel {
  return { id, source, sha256, pullable, reason };
}

/** The projector that the entry names or that lies beside its file; undefined: none; a text: why there is none. */
function projectorOf(
  shelved: ShelvedModel,
  { projector }: ModelEntry,
  input: MergeInput,
): ShelvedProjector | undefined | string {
  const { shelf, contents } = input;
  if (projector === undefined) return findProjector(shelved, contents, shelf);
  const source = parseModelSource(projector);
  if (source.kind === 'path')
    return shelf.openProjector(resolve(source.path)) ?? `there is no projector at ${source.path}`;
  const pulled = pulledFrom(source, input);
  const found = pulled && shelf.openProjector(pulled.path);
  return found ?? `its projector is not here: get it with hearth models pull ${projector}`;
}

const pulledFrom = (
  source: Exclude<ModelSource, { kind: 'path' }>,
  { shelf, pulledFolder }: MergeInput,
): Pulled | undefined =>
  pulledFolder === undefined
    ? undefined
    : shelf.findPulled(folderOfSource(pulledFolder, source), sourceKey(source));

/** A model that runs elsewhere: only the configuration tells of it. */
function toUpstreamModel(entry: ModelEntry, upstream: UpstreamSpec, defaults: ModelSettings): CatalogModel {
  const { id, aliases = [], ownedBy = defaultOwner, kind = 'chat' } = entry;
  const { reasoning = false, images = false } = entry;
  return {
    id,
    aliases,
    ownedBy,
    path: undefined,
    sizeBytes: 0,
    createdAtSeconds: Math.floor(performance.timeOrigin / 1000),
    engine: undefined,
    upstream,
    kind,
    architecture: 'unknown',
    parameterCount: 0,
    quantization: null,
    trainContextTokens: 0,
    capabilities: {
      audio: can({ kind }, 'transcribe'),
      image: images && can({ kind }, 'generate'),
      functionCalling: can({ kind }, 'generate'),
      reasoning,
    },
    // It takes no memory, and its addresses are to be watched from the start.
    settings: { ...defaults, ...entry.settings, preload: true, keepAliveMs: undefined },
    defaults: entry.defaults,
    info: entry.info,
  };
}

function toCatalogModel(
  shelved: ShelvedModel,
  entry: ModelEntry | undefined,
  projector: ShelvedProjector | undefined,
  { shelf, defaults, verdictOf, senses }: MergeInput,
): CatalogModel {
  const { facts } = shelved;
  const { lora: adapters = [] } = entry?.settings ?? {};
  const usable = senses.projectors ? projector?.facts : undefined;
  return {
    id: entry?.id ?? shelved.id,
    aliases: entry?.aliases ?? [],
    ownedBy: entry?.ownedBy ?? facts.madeBy ?? defaultOwner,
    path: shelved.path,
    sizeBytes: shelved.sizeBytes,
    version: [
      shelved.version,
      projector?.version,
      ...adapters.map(({ path }) => shelf.versionOf(path)),
    ].join(),
    projector: projector && { path: projector.path, sizeBytes: projector.sizeBytes },
    createdAtSeconds: Math.floor(shelved.mtimeMs / 1000),
    engine: facts.engine,
    kind: facts.kind,
    architecture: facts.architecture,
    parameterCount: facts.parameterCount,
    quantization: facts.quantization,
    trainContextTokens: facts.trainContextTokens,
    get refusal() {
      const verdict = verdictOf?.(shelved);
      return verdict?.loadable === false ? verdict.reason : undefined;
    },
    // Findings of its first load count from then on.
    get capabilities() {
      const verdict = verdictOf?.(shelved);
      const found = verdict?.loadable === true ? verdict.findings : undefined;
      return {
        audio: (senses.speech && can(facts, 'transcribe')) || usable?.hears === true,
        image: usable?.sees === true,
        functionCalling: found?.functionCalling ?? facts.functionCalling,
        infill: found?.infill ?? facts.infill,
        reasoning: entry?.reasoning ?? found?.reasoning ?? facts.reasoning,
        toolFormat: found?.toolFormat,
        reasoningEfforts: found?.reasoningEfforts,
      };
    },
    chatTemplate: () => facts.chatTemplate,
    licence: facts.licence,
    settings: { ...defaults, ...entry?.settings },
    defaults: entry?.defaults,
    info: entry?.info,
  };
}
