import type { LogFn } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { describeError } from '../words/describe-error.ts';
import { formatBytes } from '../words/format-bytes.ts';

/** A line of the log as its fields. */
type Fields = Readonly<Record<string, unknown>>;

/** A function that makes a readable line of a JSON line; `colorize`: for a terminal with colours. */
export function createReadableLines(colorize: boolean): (line: string) => string {
  const toPretty = prettyFactory({ colorize, translateTime: 'SYS:HH:MM:ss', singleLine: true });
  return (line) => {
    const fields = JSON.parse(line) as Fields;
    const { time, level, msg, requestId: _, err, ...rest } = withSizes(fields);
    if (msg === 'request') return `${clock(time)} ${toRequestLine(fields)}\n`;
    return toPretty({ time, level, msg, ...rest, ...(err !== undefined && { err }) });
  };
}

/** Method, path, status and time of a request, and all else that is known of it. */
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
      ? [name.slice(0, -'Bytes'.length), formatBytes(value)]
      : [name, value],
  );
  return Object.fromEntries(entries);
}

const formatMs = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const clock = (time: unknown) => new Date(text(time)).toTimeString().slice(0, 8);

/** Errors of JavaScript itself are mistakes in the program; their stack is needed to find them. */
const mistakes = [TypeError, RangeError, ReferenceError, SyntaxError];

/**
 * The arguments of a log call with their error in the message, in one line and without its stack, which an error that
 * was thrown on purpose does not need. Calls with a mistake of the program are left as they are.
 */
export function withReadableError(args: Parameters<LogFn>): Parameters<LogFn> {
  const [fields, message, ...values] = args as [unknown, ...unknown[]];
  if (typeof fields !== 'object' || fields === null || !('err' in fields) || values.length > 0) return args;
  const { err, ...others } = fields;
  if (!(err instanceof Error) || mistakes.some((mistake) => err instanceof mistake)) return args;
  return [others, [message, describeError(err)].filter(Boolean).join(': ')];
}
