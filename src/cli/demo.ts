import { readdirSync } from 'node:fs';
import { dirname, parse } from 'node:path';
import { loadCuratedModels } from '../catalog/curated-models.ts';
import { suitableModels } from '../catalog/expected-speed.ts';
import type { CatalogModel } from '../catalog/types.ts';
import { curatedModelsFile, packageModelsDir } from '../config/paths.ts';
import type { Config } from '../config/types.ts';
import { formatBytes } from '../format-bytes.ts';
import { measureMachine } from './machine-power.ts';
import { describeSpeed, pullCommand } from './suggest-model.ts';

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

/**
 * Where there is only the demo to talk with, prints which real models suit this machine and how to get them. That takes
 * a second or two, in another process.
 */
export async function proposeRealModels(models: readonly CatalogModel[], config: Config): Promise<void> {
  const chatModel = preferredChatModel(models);
  if (chatModel === undefined || !isDemo(chatModel)) return;
  const lines = [
    `${chatModel.id} is a tiny demo that knows little. For a real model:`,
    ...(await proposals(config)),
  ];
  process.stdout.write(`\n${lines.join('\n')}\n`);
}

/** Lines with the best chat models for this machine, the best first, and the commands that get them. */
async function proposals(config: Config): Promise<string[]> {
  const machine = await measureMachine();
  const suitable = suitableModels(loadCuratedModels(curatedModelsFile), machine);
  return suitable
    .slice(-maxProposed)
    .toReversed()
    .map((model) => {
      const facts = [
        formatBytes(model.sizeBytes),
        `takes ${formatBytes(model.memoryBytes)} of memory`,
        describeSpeed(machine, model),
      ];
      return `  ${pullCommand(model, config)}  (${facts.filter(Boolean).join(', ')}: ${model.goodFor})`;
    });
}
