import { AppError } from '../../errors/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { FileJobs, readingOnly } from '../processes/file-jobs.ts';
import { programBeside } from '../processes/watch-child.ts';
import type { DecodedPicture, DecodingOutcome } from './decode-file.ts';
import { pictureLimits, takenFormats } from './header/picture-header.ts';

/** Whose picture it is. */
export interface PictureOrigin {
  /** The API key, by which processes are shared out fairly. */
  readonly keyId?: string;
  /** The request parameter that an error names. */
  readonly param?: string;
}

/** The largest picture takes some 1.2 GiB while it is decoded: see `pictureLimits`. */
const wasmMemoryBytes = 1.5 * 2 ** 30;
const wasmPageBytes = 64 * 1024;
const program = {
  path: programBeside(import.meta.url, 'decode-program'),
  args: [],
  memoryBytes: 2.25 * 2 ** 30,
  wornBytes: 192 * 2 ** 20,
  heapMegabytes: 64,
  nodeArgs: [...readingOnly, `--wasm-max-mem-pages=${wasmMemoryBytes / wasmPageBytes}`],
};
const largestPicture = `${pictureLimits.fileBytes / 2 ** 20} MiB and ${pictureLimits.pixels / 1e6} megapixels`;

/**
 * Turns picture files into pixels. A file may be made to do harm, so each is decoded by WebAssembly in a process that
 * may only read files, with limits on time and memory. The processes start with the first picture and are kept, since
 * starting one takes longer than decoding a picture of usual size.
 */
export class PictureDecoder {
  readonly #jobs: FileJobs<DecodingOutcome>;

  constructor(log: Log) {
    this.#jobs = new FileJobs({
      program,
      limits: { cpuMs: 30_000, wallMs: 180_000 },
      stopped: {
        'processor-time': 'Decoding the picture takes too long',
        memory: 'Decoding the picture takes too much memory',
        crash: 'The picture cannot be decoded',
      },
      unserved: 'The picture could not be decoded.',
      log,
    });
  }

  /**
   * The picture in `file`: upright as EXIF says, white where it is transparent, the first frame of several. Throws
   * AppError (invalid_image, server_overloaded, server_shutting_down) or `signal`'s reason.
   */
  async decode(
    file: Uint8Array,
    signal: AbortSignal,
    { keyId = '', param }: PictureOrigin = {},
  ): Promise<DecodedPicture> {
    const outcome = await this.#jobs.run(file, signal, keyId);
    if (typeof outcome !== 'string' && outcome.kind === 'decoded') return outcome.picture;
    const reason = typeof outcome === 'string' ? outcome : outcome.message;
    throw new AppError(
      'invalid_image',
      `${reason}. Send a picture in ${takenFormats}, of at most ${largestPicture}.`,
      param === undefined ? {} : { param },
    );
  }

  /** Ends the processes; pictures that are being decoded fail with server_shutting_down. */
  close(): Promise<void> {
    return this.#jobs.close();
  }
}
