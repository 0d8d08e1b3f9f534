/** Something that was said, with its time in seconds, as the API tells it. */
export interface Cue {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A SubRip file. */
export function toSrt(cues: readonly Cue[]): string {
  return cues.map((cue, index) => `${index + 1}\n${toTimes(cue, ',')}\n${toLine(cue.text)}\n`).join('\n');
}

/** A WebVTT file (https://www.w3.org/TR/webvtt1/). */
export function toVtt(cues: readonly Cue[]): string {
  // In its text `<` and `&` begin tags and entities.
  const escape = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return ['WEBVTT\n', ...cues.map((cue) => `${toTimes(cue, '.')}\n${escape(toLine(cue.text))}\n`)].join('\n');
}

/** Such as `01:02:03.456`. */
export function toClock(seconds: number, separator: ',' | '.' = '.'): string {
  const milliseconds = Math.round(seconds * 1000);
  const part = (unit: number, count: number, digits = 2) =>
    String(Math.floor(milliseconds / unit) % count).padStart(digits, '0');
  const hours = String(Math.floor(milliseconds / 3_600_000)).padStart(2, '0');
  return `${hours}:${part(60_000, 60)}:${part(1000, 60)}${separator}${part(1, 1000, 3)}`;
}

function toTimes({ start, end }: Cue, separator: ',' | '.'): string {
  return `${toClock(start, separator)} --> ${toClock(end, separator)}`;
}

/** An empty line would end the cue. */
function toLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
