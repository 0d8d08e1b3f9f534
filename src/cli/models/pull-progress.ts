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
export const clearLine = '\r\u001b[K';

/** A bar that is redrawn in place on a terminal, and a line now and then anywhere else. */
export function openProgressDisplay(
  stream: ProgressStream,
  now: () => number = () => performance.now(),
): ProgressDisplay {
  return stream.isTTY === true ? terminalBar(stream, now) : plainLines(stream, now);
}

function terminalBar(stream: ProgressStream, now: () => number): ProgressDisplay {
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  return {
    update(progress) {
      if (progress.note !== undefined) return void stream.write(`${clearLine}${progress.note}\n`);
      const isLast = progress.receivedBytes === progress.totalBytes;
      if (!isLast && now() - drawnAtMs < redrawMs) return;
      drawnAtMs = now();
      const line = describeProgress(progress, true).slice(0, (stream.columns ?? 80) - 1);
      stream.write(`${clearLine}${line}`);
    },
    close() {
      if (drawnAtMs !== Number.NEGATIVE_INFINITY) stream.write('\n');
    },
  };
}

function plainLines(stream: ProgressStream, now: () => number): ProgressDisplay {
  let saidShare = Number.NEGATIVE_INFINITY;
  let saidAtMs = Number.NEGATIVE_INFINITY;
  return {
    update(progress) {
      const { note, receivedBytes, totalBytes } = progress;
      if (note !== undefined) return void stream.write(`${note}\n`);
      const share = totalBytes === undefined ? undefined : receivedBytes / totalBytes;
      const isDue =
        share === undefined
          ? now() - saidAtMs >= plainEveryMs
          : share - saidShare >= plainStep || (share >= 1 && saidShare < 1);
      if (!isDue) return;
      saidShare = share ?? saidShare;
      saidAtMs = now();
      stream.write(`${describeProgress(progress, false)}\n`);
    },
    // Every line ends with a line break already.
    close: () => undefined,
  };
}

/** `name ━━━━──── 43 % · 275 MB of 639 MB · 12 MB/s · 29 s left` */
export function describeProgress(progress: PullProgress, withBar: boolean): string {
  const { fileName, receivedBytes, totalBytes, bytesPerSecond } = progress;
  const speed = bytesPerSecond > 0 ? `${formatBytes(bytesPerSecond)}/s` : undefined;
  if (totalBytes === undefined || totalBytes === 0) {
    return [`${fileName} ${formatBytes(receivedBytes)}`, speed].filter(Boolean).join(' · ');
  }
  const share = Math.min(1, receivedBytes / totalBytes);
  const bar = withBar ? ` ${drawBar(share)}` : '';
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

/** A bar of which `share` is done. */
export function drawBar(share: number): string {
  const filled = Math.round(share * barWidth);
  return `${'━'.repeat(filled)}${'─'.repeat(barWidth - filled)}`;
}

/** `29 s`, `4 min 05 s`, `2 h 10 min` */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}
