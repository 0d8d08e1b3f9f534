import { AppError } from '../errors/errors.ts';
import { FileJobs, readingOnly } from '../engine/processes/file-jobs.ts';
import { programBeside } from '../engine/processes/watch-child.ts';
import type { Log } from '../telemetry/log.ts';
import type { ReadDocument } from './read-document.ts';
import type { ReadingOutcome } from './read-program.ts';

export interface GivenDocument {
  readonly bytes: Uint8Array;
  /** The API key, by which processes are shared out fairly. */
  readonly keyId: string;
  /** The request parameter that an error names. */
  readonly param: string;
}

/** Of a file. */
export const mostDocumentBytes = 32 * 2 ** 20;
const program = {
  path: programBeside(import.meta.url, 'read-program'),
  args: [],
  memoryBytes: 1.5 * 2 ** 30,
  wornBytes: 256 * 2 ** 20,
  heapMegabytes: 768,
  nodeArgs: readingOnly,
};

/**
 * Reads the texts of documents: PDF, DOCX, XLSX, EPUB, HTML, and texts of any kind. A document may be made to do harm, so
 * each is read in a process that may do nothing else, with limits on time and memory. Processes start with the first
 * document.
 */
export class DocumentReader {
  readonly #jobs: FileJobs<ReadingOutcome>;

  constructor(log: Log) {
    this.#jobs = new FileJobs({
      program,
      limits: { cpuMs: 20_000, wallMs: 120_000 },
      stopped: {
        'processor-time': 'takes too long to read. Send a part of it',
        memory: 'takes too much memory to read. Send a part of it',
        crash: 'cannot be read',
      },
      unserved: 'The document could not be read.',
      log,
    });
  }

  /** The text of the document. Throws AppError or `signal`'s reason. */
  async read({ bytes, keyId, param }: GivenDocument, signal: AbortSignal): Promise<ReadDocument> {
    if (bytes.length > mostDocumentBytes)
      throw refused(param, `has more than ${mostDocumentBytes / 2 ** 20} MiB. Send a part of it`);
    const outcome = await this.#jobs.run(bytes, signal, keyId);
    if (typeof outcome === 'string') throw refused(param, outcome);
    if (outcome.kind === 'refused') throw refused(param, outcome.reason);
    return outcome;
  }

  /** Ends the processes; documents that are being read fail with server_shutting_down. */
  close(): Promise<void> {
    return this.#jobs.close();
  }
}

const refused = (param: string, reason: string) =>
  new AppError('invalid_document', `The document in '${param}' ${reason}.`, { param });
