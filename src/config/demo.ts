import { readdirSync } from 'node:fs';
import { dirname, parse } from 'node:path';
import type { CatalogModel } from '../catalog/types.ts';
import { packageModelsDir } from './paths.ts';
import { can } from '../model-kinds.ts';

/** Whether the model is the demo that comes with hearth. */
export function isDemo(model: CatalogModel): boolean {
  return model.path !== undefined && dirname(model.path) === packageModelsDir;
}

/** Whether a model of that id, or of its `-r` id, comes with hearth. */
export function isDemoId(id: string): boolean {
  const demos = readdirSync(packageModelsDir).map((file) => parse(file));
  return demos.some(
    ({ name, ext }) =>
      (ext === '.gguf' && id === `${name}-r`) || (['.gguf', '.bin'].includes(ext) && id === name),
  );
}

/** The model to use when none is named: any other before the demo; undefined when there is none. */
export function preferredModel<Model extends { readonly id: string }>(
  models: readonly Model[],
): Model | undefined {
  return models.find(({ id }) => !isDemoId(id)) ?? models[0];
}

/** The chat model to use when none is named: any other before the demo; undefined when there is none. */
export function preferredChatModel(models: readonly CatalogModel[]): CatalogModel | undefined {
  return preferredModel(models.filter((model) => can(model, 'generate')));
}
