import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const entrySchema = z.strictObject({
  id: z.string().min(1),
  source: z.string().min(1),
  sizeMB: z.number().positive(),
  memoryGiB: z.number().positive(),
  licence: z.string().min(1),
  goodFor: z.string().min(1),
});
const kinds = ['chat', 'code', 'whisper'] as const;
const fileSchema = z.strictObject({
  chat: z.array(entrySchema),
  code: z.array(entrySchema),
  whisper: z.array(entrySchema),
});

/** A model that can be pulled by its name. */
export interface CuratedModel {
  readonly id: string;
  readonly kind: (typeof kinds)[number];
  readonly source: string;
  readonly sizeBytes: number;
  /** With four conversations of 8192 tokens. */
  readonly memoryBytes: number;
  readonly licence: string;
  readonly goodFor: string;
}

/** The curated models in the YAML file at `path`, kind by kind, each from small to large. */
export function loadCuratedModels(path: string): readonly CuratedModel[] {
  const file = fileSchema.parse(parse(readFileSync(path, 'utf8')));
  return kinds.flatMap((kind) =>
    file[kind].map(({ sizeMB, memoryGiB, ...entry }) => ({
      ...entry,
      kind,
      sizeBytes: sizeMB * 1e6,
      memoryBytes: memoryGiB * 2 ** 30,
    })),
  );
}

/** Room that is left to everything else on the machine. */
const usableShare = 0.5;

/** The largest chat model that runs in half of `machineMemoryBytes`; the smallest one when none does. */
export function suggestModel(
  models: readonly CuratedModel[],
  machineMemoryBytes: number,
): CuratedModel | undefined {
  const chatModels = models.filter(({ kind }) => kind === 'chat');
  const fitting = chatModels.filter(({ memoryBytes }) => memoryBytes <= machineMemoryBytes * usableShare);
  return fitting.at(-1) ?? chatModels[0];
}
