import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const entrySchema = z.strictObject({
  id: z.string().min(1),
  source: z.string().min(1),
  sizeMB: z.number().positive(),
  memoryGB: z.number().positive(),
  readMB: z.number().positive().optional(),
  licence: z.string().min(1),
  goodFor: z.string().min(1),
});
const kinds = ['chat', 'code', 'vision', 'embedding', 'speech', 'voice'] as const;
const fileSchema = z.record(z.enum(kinds), z.array(entrySchema));

export interface CuratedModel {
  readonly id: string;
  readonly kind: (typeof kinds)[number];
  readonly source: string;
  readonly sizeBytes: number;
  /** Memory that it takes with four conversations of 8192 tokens. */
  readonly memoryBytes: number;
  /** Weights that must be read for one token. */
  readonly readBytes: number;
  readonly licence: string;
  readonly goodFor: string;
}

/** The curated models in the YAML file at `path`, kind by kind, each from small to large. */
export function loadCuratedModels(path: string): readonly CuratedModel[] {
  const file = fileSchema.parse(parse(readFileSync(path, 'utf8')));
  return kinds.flatMap((kind) =>
    file[kind].map(({ sizeMB, memoryGB, readMB = sizeMB, ...entry }) => ({
      ...entry,
      kind,
      sizeBytes: sizeMB * 1e6,
      memoryBytes: Math.round(memoryGB * 1e9),
      readBytes: readMB * 1e6,
    })),
  );
}
