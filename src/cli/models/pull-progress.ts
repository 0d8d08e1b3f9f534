import { formatBytes } from '../../words/format-bytes.ts';
import type { PullProgress } from '../../catalog/download/progress-reporter.ts';

/** The part of a stream that a progress line needs. */
interface ProgressStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const redrawMs = 100;
const barWidth = 24;
/** Without a terminal, a line is written for every tenth, or twice a minute when the length is not known. */
const plainEveryMs = 30_000;
export const clearLine = '\r\u001b[K';

/** Tells how far something is: a line that is redrawn in place on a terminal, and one now and then anywhere else. */
export class ProgressLine {
  readonly #stream: ProgressStream;
  readonly #now: () => number;
  #saidAtMs = Number.NEGATIVE_INFINITY;
  #saidTenth = -1;

  constructor(stream: ProgressStream, now: () => number = () => performance.now()) {
    this.#stream = stream;
    this.#now = now;
  }

  /** `share`: 0..1; undefined: not known. `describe` gets whether there is a bar in the line. */
  show(share: number | undefined, describe: (withBar: boolean) => string): void {
    const { isTTY = false, columns = 80 } = this.#stream;
    const tenth = Math.floor((share ?? 0) * 10);
    const waitMs = isTTY ? redrawMs : share === undefined ? plainEveryMs : Infinity;
    const isNext = tenth > this.#saidTenth && (!isTTY || tenth === 10);
    if (!isNext && this.#now() - this.#saidAtMs < waitMs) return;
    this.#saidAtMs = this.#now();
    this.#saidTenth = tenth;
    this.#stream.write(isTTY ? clearLine + describe(true).slice(0, columns - 1) : `${describe(false)}\n`);
  }

  note(text: string): void {
    this.#stream.write(`${this.#stream.isTTY === true ? clearLine : ''}${text}\n`);
  }

  /** Ends it; the cursor is then at the beginning of an empty line. */
  close(): void {
    if (this.#stream.isTTY === true && this.#saidTenth >= 0) this.#stream.write('\n');
  }
}

export function showPull(line: ProgressLine, progress: PullProgress): void {
  const { note, receivedBytes, totalBytes } = progress;
  if (note !== undefined) return line.note(note);
  const share = totalBytes === undefined ? undefined : receivedBytes / totalBytes;
  line.show(share, (withBar) => describeProgress(progress, withBar));
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
