import { can } from '../model-kinds.ts';
import { readdirSync } from 'node:fs';
import { dirname, parse } from 'node:path';
import type { CatalogModel } from '../catalog/types.ts';
import { packageModelsDir } from '../config/paths.ts';

/** Whether hearth brought the model itself, for trying things out. */
export function isDemo(model: CatalogModel): boolean {
  return dirname(model.path) === packageModelsDir;
}

/** Whether a model of that id, or of its `-r` id, comes with hearth. */
export function isDemoId(id: string): boolean {
  const demos = readdirSync(packageModelsDir).map((file) => parse(file));
  return demos.some(({ name, ext }) => ext === '.gguf' && (id === name || id === `${name}-r`));
}

/** The chat model to use where none was named: any before the demo; undefined where there is none. */
export function preferredChatModel(models: readonly CatalogModel[]): CatalogModel | undefined {
  const chatModels = models.filter((model) => can(model, 'generate'));
  return chatModels.find((model) => !isDemo(model)) ?? chatModels[0];
}
