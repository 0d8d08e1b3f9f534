import type { RemoteFile } from './transfer.ts';

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

const speedWindowMs = 5000;

/** Turns what happens to single files into the progress of the whole pull. */
export class ProgressReporter {
  readonly #send: (progress: PullProgress) => void;
  readonly #speed = new SpeedMeter();
  /** Of all files, where the listing tells. */
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
      bytesPerSecond: this.#speed.update(allBytes),
    };
    this.#send(this.#last);
  }

  note({ name }: RemoteFile, note: string): void {
    const { receivedBytes = 0, totalBytes = this.#listedBytes } = this.#last ?? {};
    this.#send({ fileName: name, receivedBytes, totalBytes, bytesPerSecond: 0, note });
  }

  /** Also for a file that somebody else brought meanwhile: whoever waited for it sees it arrive. */
  fileIsThere(remote: RemoteFile, sizeBytes: number): void {
    if ((this.#last?.receivedBytes ?? 0) < this.#finishedBytes + sizeBytes)
      this.bytes(remote, sizeBytes, sizeBytes);
    this.#finishedBytes += sizeBytes;
  }
}

/** Speed over the last seconds, of a count that only grows. */
class SpeedMeter {
  readonly #now: () => number;
  readonly #samples: { readonly atMs: number; readonly bytes: number }[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Bytes per second after `bytes` have come in all; 0 until there is something to compare with. */
  update(bytes: number): number {
    const atMs = this.#now();
    this.#samples.push({ atMs, bytes });
    while (this.#samples.length > 2 && atMs - (this.#samples[1]?.atMs ?? atMs) >= speedWindowMs)
      this.#samples.shift();
    const [first] = this.#samples;
    if (first === undefined || atMs <= first.atMs) return 0;
    return Math.max(0, ((bytes - first.bytes) * 1000) / (atMs - first.atMs));
  }
}
