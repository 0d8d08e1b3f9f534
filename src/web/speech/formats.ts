import type { Transcription } from '../api/types.ts';

/** `seconds` as subtitles write it: `00:01:02,500`, or with another mark before the milliseconds. */
function toTimestamp(seconds: number, mark: string): string {
  const ms = Math.round(seconds * 1000);
  const part = (value: number, digits: number) => String(Math.floor(value)).padStart(digits, '0');
  const clock = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60]
    .map((value) => part(value, 2))
    .join(':');
  return `${clock}${mark}${part(ms % 1000, 3)}`;
}

const cues = ({ segments }: Transcription, mark: string) =>
  segments.map(
    ({ start, end, text }) => `${toTimestamp(start, mark)} --> ${toTimestamp(end, mark)}\n${text.trim()}\n`,
  );

/** A transcript as a file of each kind. */
export const formats = {
  txt: ({ text }: Transcription) => `${text.trim()}\n`,
  srt: (transcript: Transcription) =>
    cues(transcript, ',')
      .map((cue, index) => `${index + 1}\n${cue}`)
      .join('\n'),
  vtt: (transcript: Transcription) => `WEBVTT\n\n${cues(transcript, '.').join('\n')}`,
  json: (transcript: Transcription) => JSON.stringify(transcript, null, 2),
} as const;

export type TranscriptFormat = keyof typeof formats;
