import { basename } from 'node:path';
import { withHf } from '../../catalog/pulls/model-source.ts';
import { idOfFile } from '../../catalog/model-shelf.ts';
import type { ModelEntry } from '../../catalog/model-entry.ts';
import type { LoraAdapter } from '../../engine/model-backend.ts';
import { plansWith, toPlan, type Plans } from '../../accounts/plans.ts';
import type { Environment } from '../paths.ts';
import { toUpstreamSpec } from './upstream-entry.ts';
import { toRequestDefaults } from './request-defaults.ts';
import type { ConfigFile } from './file-schema.ts';

type FileModel = NonNullable<ConfigFile['models']>[number];

/** An entry under `models:`. Names of files become absolute by `resolve`; missing settings are left to the catalog. */
export function toModelEntry(
  entry: FileModel,
  resolve: (file: string) => string,
  env: Environment,
): ModelEntry {
  const { source, keepAlive, preload, voiceActivity, isolation, cacheType, cacheFile, drafts, lora } = entry;
  const flashAttention = unlessAuto(entry.flashAttention);
  const { reserve, dimensions } = entry;
  const { upstream, parallel = upstream?.concurrency } = entry;
  return {
    id: entry.id,
    source: toSource(source, resolve),
    projector: toSource(entry.projector, resolve),
    upstream: upstream && toUpstreamSpec(entry.id, upstream, resolve, env),
    kind: entry.kind,
    images: entry.images,
    sha256: entry.sha256?.toLowerCase(),
    ownedBy: entry.ownedBy,
    aliases: entry.aliases,
    reasoning: unlessAuto(entry.reasoning),
    settings: {
      contextTokens: entry.context,
      threads: unlessAuto(entry.threads),
      gpuLayers: unlessAuto(entry.gpuLayers),
      ...(parallel !== undefined && { parallel }),
      ...(reserve !== undefined && { reserve }),
      ...(dimensions !== undefined && { cutsVectors: dimensions }),
      ...(cacheType !== undefined && { cacheType }),
      ...(flashAttention !== undefined && { flashAttention }),
      ...(lora !== undefined && { lora: lora.map((adapter) => toAdapter(adapter, resolve)) }),
      ...(cacheFile !== undefined && { cacheFile }),
      ...(drafts !== undefined && { drafts }),
      ...(keepAlive !== undefined && { keepAliveMs: unlessNever(keepAlive) }),
      ...(preload !== undefined && { preload }),
      ...(isolation !== undefined && { isolation }),
      ...(voiceActivity !== undefined && { voiceActivityModel: resolve(voiceActivity) }),
    },
    defaults: toRequestDefaults(entry),
    info: entry.info,
  };
}

/** The entry of the one model file that is served, which is loaded at the start unless that entry says otherwise. */
export function entryOfFile(modelFile: string, entries: readonly ModelEntry[]): ModelEntry {
  const id = idOfFile(basename(modelFile));
  const own =
    entries.find(({ source }) => source === modelFile) ??
    entries.find((entry) => entry.id === id && entry.source === undefined && entry.upstream === undefined);
  return { id, ...own, settings: { preload: true, ...own?.settings }, source: modelFile };
}

/** A source as it stands, or the absolute path of a file. */
function toSource(source: string | undefined, resolve: (file: string) => string): string | undefined {
  if (source === undefined) return undefined;
  const named = withHf(source);
  return /^(hf:|https:\/\/)/i.test(named) ? named : resolve(named);
}

function toAdapter(
  adapter: NonNullable<FileModel['lora']>[number],
  resolve: (file: string) => string,
): LoraAdapter {
  const { path, scale } = typeof adapter === 'string' ? { path: adapter, scale: 1 } : adapter;
  return { path: resolve(path), scale };
}

/** The plans with those under `plans:` among them. */
export function toPlans(entries: ConfigFile['plans'] = {}): Plans {
  return plansWith(Object.entries(entries).map(([name, entry]) => [name, toPlan(entry)]));
}

/** `auto` leaves the choice to hearth, as a missing value does. */
export function unlessAuto<Value>(value: Value | 'auto' | undefined): Value | undefined {
  return value === 'auto' ? undefined : value;
}

/** Infinity stands for never while a file is read; in the settings never is undefined. */
export function unlessNever(durationMs: number): number | undefined {
  return Number.isFinite(durationMs) ? durationMs : undefined;
}
