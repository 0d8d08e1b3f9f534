import { z } from 'zod';
import { namedParameters } from '../openapi/json-schema.ts';
import { filePart } from '../upload/uploaded-file.ts';
import { pageOf } from '../parameters/list-page.ts';
import { list, refuse } from '../parameters/schema-parts.ts';

/** Purposes of files. Files for batches are checked when they come; the page keeps chats for those who ask it to. */
const purposes = ['batch', 'user_data', 'assistants', 'vision', 'hearth-chat'] as const;
const mostPerPage = 10_000;
const keptSeconds = { least: 3600, most: 2_592_000 };

const file = filePart('For a batch: one JSON object per line.');

/** The two fields `expires_after[anchor]` and `expires_after[seconds]` of a form, in any order. */
const expiresAfter = list(z.string(), { max: 2 })
  .transform((values, context): number => {
    const seconds = Number(values.find((value) => value !== 'created_at'));
    if (values.includes('created_at') && isKeptTime(seconds)) return seconds;
    return refuse(
      context,
      `must be the anchor created_at and ${keptSeconds.least} to ${keptSeconds.most} seconds`,
    );
  })
  .describe('`expires_after[anchor]`: `created_at`; `expires_after[seconds]`: how long it is kept.');

export function isKeptTime(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= keptSeconds.least && seconds <= keptSeconds.most;
}

export const uploadSchema = namedParameters('UploadFile', {
  file,
  purpose: z.enum(purposes).meta({ examples: ['batch'] }),
  expires_after: expiresAfter.optional(),
});

export const filesQuery = z.object({
  ...pageOf(mostPerPage),
  purpose: z.string().max(64).optional(),
  order: z.enum(['asc', 'desc']).optional(),
});
