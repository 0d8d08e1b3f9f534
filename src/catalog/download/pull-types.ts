import type { PulledFile } from '../pulled-files.ts';

/** How far a pull has come, over all of its files. */
export interface PullProgress {
  /** What is being fetched, or waited for. */
  readonly fileName: string;
  readonly receivedBytes: number;
  /** undefined until it is known. */
  readonly totalBytes: number | undefined;
  readonly bytesPerSecond: number;
  /** Something worth a line: another try, or another process that pulls the same. */
  readonly note?: string | undefined;
}

export interface PulledModel {
  /** The (first) file's path. */
  readonly path: string;
  readonly files: readonly PulledFile[];
  readonly sizeBytes: number;
  /** Nothing had to be fetched. */
  readonly wasThere: boolean;
}
