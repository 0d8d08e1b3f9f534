import type { PullProgress } from './pull-types.ts';
import type { RemoteFile } from './remote-file.ts';
import { SpeedMeter } from './speed-meter.ts';

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
