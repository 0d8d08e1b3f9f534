import type { RemoteFile } from './fetch-file.ts';

export interface PullProgress {
  /** The file that is fetched or waited for. */
  readonly fileName: string;
  readonly receivedBytes: number;
  /** undefined until it is known. */
  readonly totalBytes: number | undefined;
  readonly bytesPerSecond: number;
  /** A message for people: that it tries again, or that it waits for another process with the same download. */
  readonly note?: string | undefined;
}

const speedWindowMs = 5000;

export class ProgressReporter {
  readonly #send: (progress: PullProgress) => void;
  /** How many bytes had come in all, over the last seconds. */
  readonly #samples: { readonly atMs: number; readonly bytes: number }[] = [];
  /** Size of all files; undefined where the listing does not tell. */
  readonly #listedBytes: number | undefined;
  #finishedBytes = 0;
  #last: PullProgress | undefined;

  constructor(remotes: readonly RemoteFile[], onProgress: (progress: PullProgress) => void) {
    this.#send = onProgress;
    const sizes = remotes.map(({ sizeBytes }) => sizeBytes ?? Number.NaN);
    const sumBytes = sizes.reduce((sum, sizeBytes) => sum + sizeBytes, 0);
    this.#listedBytes = Number.isNaN(sumBytes) ? undefined : sumBytes;
  }

  bytes({ name }: RemoteFile, receivedBytes: number, totalBytes: number | undefined): void {
    const allBytes = this.#finishedBytes + receivedBytes;
    this.#last = {
      fileName: name,
      receivedBytes: allBytes,
      totalBytes:
        this.#listedBytes ?? (totalBytes === undefined ? undefined : this.#finishedBytes + totalBytes),
      bytesPerSecond: this.#speedAt(allBytes),
    };
    this.#send(this.#last);
  }

  note({ name }: RemoteFile, note: string): void {
    const { receivedBytes = 0, totalBytes = this.#listedBytes } = this.#last ?? {};
    this.#send({ fileName: name, receivedBytes, totalBytes, bytesPerSecond: 0, note });
  }

  /** To be called for each complete file, also for one that another process downloaded: it counts as received. */
  fileIsThere(remote: RemoteFile, sizeBytes: number): void {
    if ((this.#last?.receivedBytes ?? 0) < this.#finishedBytes + sizeBytes)
      this.bytes(remote, sizeBytes, sizeBytes);
    this.#finishedBytes += sizeBytes;
  }

  /** Bytes per second over the last seconds, now that `bytes` have come; 0 at the first call. */
  #speedAt(bytes: number): number {
    const atMs = performance.now();
    const samples = this.#samples;
    samples.push({ atMs, bytes });
    while (samples.length > 2 && atMs - (samples[1]?.atMs ?? atMs) >= speedWindowMs) samples.shift();
    const [first] = samples;
    if (first === undefined || atMs <= first.atMs) return 0;
    return Math.max(0, ((bytes - first.bytes) * 1000) / (atMs - first.atMs));
  }
}
