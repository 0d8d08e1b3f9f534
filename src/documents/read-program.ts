/** The program that reads documents in processes of its own. */
import { serveJobs } from '../engine/processes/serve-jobs.ts';
import { DocumentError } from './document-error.ts';
import { readDocument, type ReadDocument } from './read-document.ts';

/** The outcome of a document; the reason goes on behind its name: `is encrypted`. */
export type ReadingOutcome = ReadDocument | { readonly kind: 'refused'; readonly reason: string };

serveJobs(async (bytes): Promise<ReadingOutcome> => {
  try {
    return await readDocument(bytes as Uint8Array);
  } catch (error) {
    return { kind: 'refused', reason: error instanceof DocumentError ? error.message : 'is damaged' };
  }
});
