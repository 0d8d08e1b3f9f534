import { readdirSync } from 'node:fs';
import { dirname, parse } from 'node:path';
import { loadCuratedModels, suggestModel, type CuratedModel } from '../catalog/curated-models.ts';
import { formatBytes } from '../catalog/download/format-bytes.ts';
import type { CatalogModel } from '../catalog/types.ts';
import { curatedModelsFile, packageModelsDir } from '../config/paths.ts';
import { machineMemoryBytes } from './machine-memory.ts';

/** How many models are proposed to who has only the demo. */
const maxProposed = 3;

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
  const chatModels = models.filter(({ kind }) => kind === 'chat');
  return chatModels.find((model) => !isDemo(model)) ?? chatModels[0];
}

/** Good real chat models for this machine's memory, the best first. */
export function proposedModels(): CuratedModel[] {
  const chatModels = loadCuratedModels(curatedModelsFile).filter(({ kind }) => kind === 'chat');
  const best = suggestModel(chatModels, machineMemoryBytes());
  const upToBest = chatModels.slice(0, best === undefined ? 0 : chatModels.indexOf(best) + 1);
  return upToBest.slice(-maxProposed).toReversed();
}

/** A line for each of these models with the command that gets it. */
export function toPullLines(models: readonly CuratedModel[]): string[] {
  return models.map(
    ({ id, sizeBytes, memoryBytes, goodFor }) =>
      `  hearth models pull ${id}  (${formatBytes(sizeBytes)}, takes ${formatBytes(memoryBytes)} of memory: ${goodFor})`,
  );
}
