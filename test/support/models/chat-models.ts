import { rm } from 'node:fs/promises';
import { sharedModel } from './shared-models.ts';
import { createModelsDir, tinyModel } from './tiny-model.ts';

const stories = sharedModel('stories260K-chat-f16.gguf');

/** Ids of the models that every chat test runs against: random weights, and trained ones where they exist. */
export const chatModelIds: readonly string[] =
  stories === undefined ? ['tiny'] : ['tiny', 'stories260K-chat-f16'];

/** Whether a folder for tests holds the trained model of short English stories. */
export const hasStories = stories !== undefined;

export interface ModelsDir extends AsyncDisposable {
  readonly path: string;
  readonly ids: readonly string[];
}

/** A fresh folder with the chat models and, under their ids, the `further` files; removed when disposed of. */
export async function openChatModelsDir(further: Readonly<Record<string, string>> = {}): Promise<ModelsDir> {
  const files = {
    tiny: await tinyModel(),
    ...(stories === undefined ? {} : { 'stories260K-chat-f16': stories }),
    ...further,
  };
  const path = await createModelsDir(files);
  return {
    path,
    ids: Object.keys(files),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
