import { AppError } from '../errors/errors.ts';
import { overloaded, shuttingDown } from '../errors/unavailable.ts';
import { JobFailure } from '../engine/processes/pool-process.ts';
import { ProcessPool } from '../engine/processes/process-pool.ts';
import { programBeside } from '../engine/processes/watch-child.ts';
import type { Log } from '../telemetry/log.ts';
import type { ReadDocument } from './read-document.ts';
import type { ReadingOutcome } from './read-program.ts';

/** A document as it came, and whose it is. */
export interface GivenDocument {
  readonly bytes: Uint8Array;
  /** The API key, by which processes are shared out fairly. */
  readonly keyId: string;
  /** The request parameter that an error names. */
  readonly param: string;
}

/** Of a file. */
export const mostDocumentBytes = 32 * 2 ** 20;
/** No model's context has room for more. */
const mostChars = 8 * 2 ** 20;
const program = {
  path: programBeside(import.meta.url, 'read-program'),
  args: [],
  memoryBytes: 1.5 * 2 ** 30,
  wornBytes: 256 * 2 ** 20,
  heapMegabytes: 768,
  // It may only read the files of its own program, and tell the system how to end it.
  nodeArgs: [
    '--permission',
    '--allow-fs-read=*',
    '--allow-fs-write=/proc/self/oom_score_adj',
    '--allow-fs-write=/proc/self/coredump_filter',
    '--allow-worker',
    '--no-warnings',
  ],
};
const limits = { cpuMs: 20_000, wallMs: 120_000 };
const retryAfterMs = 2000;

/**
 * Reads the texts of documents: PDF, DOCX, XLSX, EPUB, HTML, and texts of any kind. A document may be made to do harm, so
 * each is read in a process that may do nothing else, with limits on time and memory. Processes start with the first
 * document.
 */
export class DocumentReader {
  readonly #pool: ProcessPool;

  constructor(log: Log) {
    this.#pool = new ProcessPool({
      program,
      kept: 2,
      most: 2,
      queueLimit: 1024,
      queueTimeoutMs: 60_000,
      log,
    });
  }

  /**
   * What the document says. Throws AppError (invalid_document, server_overloaded, server_shutting_down) or `signal`'s
   * reason.
   */
  async read({ bytes, keyId, param }: GivenDocument, signal: AbortSignal): Promise<ReadDocument> {
    if (bytes.length > mostDocumentBytes)
      throw refused(param, `has more than ${mostDocumentBytes / 2 ** 20} MiB. Send a part of it`);
    const outcome = await this.#run(bytes, signal, keyId);
    if (typeof outcome === 'string') throw refused(param, outcome);
    if (outcome.kind === 'refused') throw refused(param, outcome.reason);
    const chars = outcome.parts.reduce((sum, { text }) => sum + text.length, 0);
    if (chars <= mostChars) return outcome;
    const found = `${chars.toLocaleString('en')} characters, and no model takes more than ${mostChars.toLocaleString('en')}`;
    throw refused(param, `has ${found}. Send a part of it`);
  }

  /** Ends the processes; documents that are being read fail with server_shutting_down. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  /** The outcome, or why reading was stopped. */
  async #run(bytes: Uint8Array, signal: AbortSignal, keyId: string): Promise<ReadingOutcome | string> {
    try {
      return (await this.#pool.run(bytes, { keyId, limits, signal })) as ReadingOutcome;
    } catch (error) {
      if (this.#pool.isClosed) throw shuttingDown();
      if (!(error instanceof JobFailure)) throw error;
      switch (error.reason) {
        case 'processor-time':
          return 'takes too long to read. Send a part of it';
        case 'memory':
          return 'takes too much memory to read. Send a part of it';
        case 'crash':
          return 'cannot be read';
        case 'elapsed-time':
        case 'interrupted':
        case 'no-process':
          throw overloaded('The document could not be read.', retryAfterMs, error);
      }
    }
  }
}

const refused = (param: string, reason: string) =>
  new AppError('invalid_document', `The document in '${param}' ${reason}.`, { param });
