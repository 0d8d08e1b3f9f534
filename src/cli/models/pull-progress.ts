import { formatBytes } from '../../words/format-bytes.ts';
import type { PullProgress } from '../../catalog/download/progress-reporter.ts';

/** The part of a stream that a progress display needs. */
export interface ProgressStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

export interface ProgressDisplay {
  update(progress: PullProgress): void;
  /** Ends the display; the cursor is then at the beginning of an empty line. */
  close(): void;
}

const redrawMs = 100;
const barWidth = 24;
/** Without a terminal, a line is written for every tenth, or twice a minute when the length is not known. */
const plainStep = 0.1;
const plainEveryMs = 30_000;
const clearLine = '\r\u001b[K';

/** A bar that is redrawn in place on a terminal, and a line now and then anywhere else. */
export function openProgressDisplay(
  stream: ProgressStream,
  now: () => number = () => performance.now(),
): ProgressDisplay {
  return stream.isTTY === true ? new TerminalBar(stream, now) : new PlainLines(stream, now);
}

class TerminalBar implements ProgressDisplay {
  readonly #stream: ProgressStream;
  readonly #now: () => number;
  #drawnAtMs = Number.NEGATIVE_INFINITY;

  constructor(stream: ProgressStream, now: () => number) {
    this.#stream = stream;
    this.#now = now;
  }

  update(progress: PullProgress): void {
    if (progress.note !== undefined) {
      this.#stream.write(`${clearLine}${progress.note}\n`);
      return;
    }
    const isLast = progress.receivedBytes === progress.totalBytes;
    if (!isLast && this.#now() - this.#drawnAtMs < redrawMs) return;
    this.#drawnAtMs = this.#now();
    const line = describeProgress(progress, true).slice(0, (this.#stream.columns ?? 80) - 1);
    this.#stream.write(`${clearLine}${line}`);
  }

  close(): void {
    if (this.#drawnAtMs !== Number.NEGATIVE_INFINITY) this.#stream.write('\n');
  }
}

class PlainLines implements ProgressDisplay {
  readonly #stream: ProgressStream;
  readonly #now: () => number;
  #saidShare = Number.NEGATIVE_INFINITY;
  #saidAtMs = Number.NEGATIVE_INFINITY;

  constructor(stream: ProgressStream, now: () => number) {
    this.#stream = stream;
    this.#now = now;
  }

  update(progress: PullProgress): void {
    if (progress.note !== undefined) {
      this.#stream.write(`${progress.note}\n`);
      return;
    }
    const share =
      progress.totalBytes === undefined ? undefined : progress.receivedBytes / progress.totalBytes;
    const isDue =
      share === undefined
        ? this.#now() - this.#saidAtMs >= plainEveryMs
        : share - this.#saidShare >= plainStep || (share >= 1 && this.#saidShare < 1);
    if (!isDue) return;
    this.#saidShare = share ?? this.#saidShare;
    this.#saidAtMs = this.#now();
    this.#stream.write(`${describeProgress(progress, false)}\n`);
  }

  close(): void {
    // Nothing to do: every line ends with a line break already.
  }
}

/** `name ━━━━──── 43 % · 275 MB of 639 MB · 12 MB/s · 29 s left` */
export function describeProgress(progress: PullProgress, withBar: boolean): string {
  const { fileName, receivedBytes, totalBytes, bytesPerSecond } = progress;
  const speed = bytesPerSecond > 0 ? `${formatBytes(bytesPerSecond)}/s` : undefined;
  if (totalBytes === undefined || totalBytes === 0) {
    return [`${fileName} ${formatBytes(receivedBytes)}`, speed].filter(Boolean).join(' · ');
  }
  const share = Math.min(1, receivedBytes / totalBytes);
  const filled = Math.round(share * barWidth);
  const bar = withBar ? ` ${'━'.repeat(filled)}${'─'.repeat(barWidth - filled)}` : '';
  const secondsLeft = bytesPerSecond > 0 ? (totalBytes - receivedBytes) / bytesPerSecond : undefined;
  const left = secondsLeft === undefined || share === 1 ? undefined : `${formatSeconds(secondsLeft)} left`;
  const parts = [
    `${fileName}${bar} ${Math.floor(share * 100)} %`,
    `${formatBytes(receivedBytes)} of ${formatBytes(totalBytes)}`,
    speed,
    left,
  ];
  return parts.filter(Boolean).join(' · ');
}

/** `29 s`, `4 min 05 s`, `2 h 10 min` */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}
