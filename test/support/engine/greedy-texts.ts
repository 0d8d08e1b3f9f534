import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { architectures } from '../../../scripts/make/tiny-model/architectures.ts';
import { sharedModel } from '../models/shared-models.ts';
import { tinyModel } from '../models/tiny-model.ts';

/** Texts of llama.cpp's own server, as scripts/compare/greedy-texts.ts wrote them down. */
export const recordFile = new URL('greedy-texts.json', import.meta.url);

export interface GreedyText {
  readonly prompt: string;
  readonly text: string;
  /** Of the tokens of the text. */
  readonly logprobs: readonly number[];
}

export interface GreedyRecord {
  readonly model: string;
  /** Of the model's file: the texts of another file are other ones. */
  readonly sha256: string;
  readonly texts: readonly GreedyText[];
}

const trained = ['stories260K-chat-f16.gguf', 'stories260K.gguf', 'babyllama105-q8_0.gguf'];

/** Paths of the models by name: one with random weights for each architecture, and the trained ones that are there. */
export async function greedyModels(): Promise<ReadonlyMap<string, string>> {
  const models = new Map<string, string>();
  for (const architecture of architectures)
    models.set(architecture, await tinyModel({ architecture, seed: 12, endOfTurnGain: 0, asciiOnly: true }));
  for (const file of trained) {
    const path = sharedModel(file);
    if (path !== undefined) models.set(file.replace('.gguf', ''), path);
  }
  return models;
}

export async function sha256Of(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

export async function readRecords(): Promise<readonly GreedyRecord[]> {
  return JSON.parse(await readFile(recordFile, 'utf8')) as readonly GreedyRecord[];
}
