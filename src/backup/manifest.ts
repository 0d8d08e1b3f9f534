import { z } from 'zod';

/** Of the archive as a whole; a program that does not know it refuses the archive. */
export const backupFormat = 1;

export const manifestName = 'backup.json';
export const databaseName = 'hearth.db';
export const settingsName = 'hearth.yaml';
/** The files that an archive may hold beside its manifest. Nothing else is written anywhere. */
const fileNames = [databaseName, settingsName, 'tls/cert.pem', 'tls/key.pem'] as const;
/** The folder of the files that accounts keep, and the name of one. */
export const filesFolder = 'files';
/** The folder of uploaded voices. */
export const voicesFolder = 'voices';
const voiceName = z.templateLiteral([
  `${voicesFolder}/`,
  z.string().regex(/^[a-z0-9_-]{1,64}\.[a-z0-9]{1,5}$/),
]);
const keptFileName = z.templateLiteral([`${filesFolder}/`, z.string().regex(/^file-[\w-]{1,64}$/)]);

/** The fields that archives of all formats have. */
export const anyManifest = z.object({ format: z.int(), hearth: z.string() });

export const manifestSchema = anyManifest.extend({
  /** The version of its database. */
  schema: z.int().positive(),
  /** The first hearth that has this version of the database. */
  neededHearth: z.string(),
  createdAt: z.iso.datetime(),
  /** Path of the settings on the machine that they come from; absent: they are not in it. */
  settingsFrom: z.string().optional(),
  files: z
    .array(
      z.object({
        name: z.union([z.enum(fileNames), keptFileName, voiceName], { error: 'is no file of a backup' }),
        sizeBytes: z.int().nonnegative(),
        /** In hex. */
        sha256: z.string(),
      }),
    )
    .readonly(),
  /** Pulled models, which are not in it: where each comes from, and the id that was chosen for it. */
  models: z.array(z.object({ source: z.string(), id: z.string().optional() })).readonly(),
});

/** The first file of a backup, as JSON: the names of the others, and the hashes by which they are known to be whole. */
export type Manifest = z.output<typeof manifestSchema>;
