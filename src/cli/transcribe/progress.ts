import type { TranscriptionProgress } from '../../engine/speech/transcription-types.ts';
import { toClock } from './subtitles.ts';

/** Shows on a terminal how much of the audio is done. */
export function showProgress({ audioSeconds, durationSeconds }: TranscriptionProgress): void {
  if (!process.stderr.isTTY) return;
  const percent = Math.round((audioSeconds / durationSeconds) * 100);
  process.stderr.write(
    `\r${toClock(audioSeconds).slice(0, -4)} of ${toClock(durationSeconds).slice(0, -4)}  ${percent} %`,
  );
}

/** Shows on a terminal who transcribes, when the progress is not known. */
export function showPlace(place: string): void {
  if (process.stderr.isTTY) process.stderr.write(`transcribing: ${place} …`);
}

/** Wipes the line. */
export function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
}
