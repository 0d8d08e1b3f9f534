import { LiveCatalog, type CatalogOptions } from '../catalog/catalog.ts';
import type { VerdictOf } from '../catalog/merge-models.ts';
import type { CatalogLog } from '../catalog/types.ts';
import type { Config } from '../config/types.ts';
import { findAddon } from '../engine/addons/addon.ts';
import { isolationFor } from '../engine/llama/gpu/gpu-packages.ts';
import { mtmdAddon, stepperAddon } from '../engine/llama/native/builds/stepper-addon.ts';
import { whisperAddon } from '../engine/whisper/addon/addon-file.ts';

/** The catalog of the folders and models that the configuration names. Throws CatalogConflictError. */
export const openCatalog = (...options: Parameters<typeof optionsOf>): LiveCatalog =>
  new LiveCatalog(optionsOf(...options));

/** The same for a server: see `LiveCatalog.follow`. */
export const followCatalog = (...options: Parameters<typeof optionsOf>): Promise<LiveCatalog> =>
  LiveCatalog.follow(optionsOf(...options));

const optionsOf = (
  { modelsDirs, pulledModelsDir, models, isolation }: Config,
  log: CatalogLog,
  verdictOf?: VerdictOf,
): CatalogOptions => ({
  folders: modelsDirs,
  // Where one file is served, pulled models are not.
  pulledFolder: modelsDirs.includes(pulledModelsDir) ? pulledModelsDir : undefined,
  entries: models,
  defaults: { isolation: isolationFor(isolation) },
  verdictOf,
  senses: {
    projectors: [stepperAddon, mtmdAddon].every((addon) => findAddon(addon) !== undefined),
    speech: findAddon(whisperAddon) !== undefined,
  },
  log,
});
