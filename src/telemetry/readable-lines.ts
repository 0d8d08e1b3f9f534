import { prettyFactory } from 'pino-pretty';

/** A line of the log as its fields. */
type Fields = Readonly<Record<string, unknown>>;

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** The line for people of a JSON line; `colorize`: for a terminal that can. */
export function createReadableLines(colorize: boolean): (line: string) => string {
  const toPretty = prettyFactory({ colorize, translateTime: 'SYS:HH:MM:ss', singleLine: true });
  return (line) => {
    const fields = JSON.parse(line) as Fields;
    const { time, level, msg, requestId: _, err, ...rest } = withSizes(fields);
    if (msg === 'request') return `${clock(time)} ${toRequestLine(fields)}\n`;
    return toPretty({ time, level, msg, ...rest, ...(err !== undefined && { err }) });
  };
}

/** Method, path, status and time of a request, and whatever else is known of it. */
function toRequestLine(fields: Fields): string {
  const { method, path, status, durationMs, model, errorCode, clientLeft } = fields;
  const { promptTokens, cachedTokens, completionTokens, audioSeconds } = fields;
  const tokens = [
    promptTokens === undefined ? '' : `${text(promptTokens)} in`,
    cachedTokens === undefined || cachedTokens === 0 ? '' : `(${text(cachedTokens)} cached)`,
    completionTokens === undefined ? '' : `${text(completionTokens)} out`,
  ];
  return [
    text(method).padEnd(4),
    text(path),
    text(status),
    formatMs(Number(durationMs)),
    text(model),
    ...(audioSeconds === undefined ? tokens : [`${text(audioSeconds)} s of audio`]),
    text(errorCode),
    clientLeft === true ? 'client left' : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function withSizes(fields: Fields): Fields {
  const entries = Object.entries(fields).map(([name, value]): [string, unknown] =>
    name.endsWith('Bytes') && typeof value === 'number'
      ? [name.slice(0, -'Bytes'.length), formatSize(value)]
      : [name, value],
  );
  return Object.fromEntries(entries);
}

/** In powers of 1000, as disks and downloads are counted: `639 MB`, `16.6 GB`. */
function formatSize(bytes: number): string {
  let scaled = bytes;
  let unit = 0;
  while (unit < units.length - 1 && scaled >= 999.5) {
    scaled /= 1000;
    unit++;
  }
  return `${scaled >= 100 || unit === 0 ? Math.round(scaled) : scaled.toFixed(1)} ${units[unit]}`;
}

const formatMs = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const clock = (time: unknown) => new Date(text(time)).toTimeString().slice(0, 8);
