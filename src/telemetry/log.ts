import { pino, type DestinationStream, type Logger, type LogFn } from 'pino';
import { styleText } from 'node:util';
import { describeError } from '../words/describe-error.ts';
import { formatBytes } from '../words/format-bytes.ts';

export type Log = Logger;

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

export interface LogOptions {
  readonly level: LogLevel;
  /** Where finished lines go; default: standard error. */
  readonly destination?: DestinationStream;
  /** Lines for people instead of JSON; default: when standard error is a terminal. */
  readonly pretty?: boolean;
}

/** Fields that could hold secrets or texts of users: their values are left out of the log. */
const withheldFields =
  'authorization headers apiKey secret password prompt messages content completion text body'.split(' ');

/** An API key as the service issues them, ordinary or admin. */
const apiKeyPattern = /hk-(?:admin-)?[A-Za-z0-9_-]{16,}/g;

function openStandardError(): DestinationStream {
  // Synchronous: an asynchronous write is a job in libuv's pool, which llama.cpp computes in.
  const sink = pino.destination({ dest: 2, sync: true });
  // A line that cannot be written, on a full disk or to a closed terminal, can be reported nowhere.
  sink.on('error', () => undefined);
  return sink;
}

/**
 * The process's log: JSON lines on standard error, or readable ones on a terminal.
 * Neither keys nor prompts get through: fields that could hold them are withheld by name, and
 * anything that looks like a key is masked in every finished line, error texts and stacks included.
 */
export function createLog(options: LogOptions): Log {
  const sink = options.destination ?? openStandardError();
  const toReadable =
    (options.pretty ?? process.stderr.isTTY) ? createReadableLines(process.stderr.isTTY) : undefined;
  const isForPeople = toReadable !== undefined && !['trace', 'debug'].includes(options.level);
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      ...(isForPeople && {
        hooks: {
          logMethod(args, method) {
            method.apply(this, withReadableError(args));
          },
        },
      }),
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: withheldFields.flatMap((field) => [field, `*.${field}`]),
        censor: '[withheld]',
      },
    },
    {
      write(line) {
        const masked = line.replace(apiKeyPattern, 'hk-[withheld]');
        sink.write(toReadable ? toReadable(masked) : masked);
      },
    },
  );
}

/** A line of the log as its fields. */
type Fields = Readonly<Record<string, unknown>>;

/** A function that makes a readable line of a JSON line; `colorize`: for a terminal with colours. */
export function createReadableLines(colorize: boolean): (line: string) => string {
  const paint: Paint = (style, text) => (colorize ? styleText(style, text, { validateStream: false }) : text);
  return (line) => {
    const { time, level, ...fields } = JSON.parse(line) as Fields;
    const words = fields['msg'] === 'request' ? toRequestLine(fields) : toMessageLine(fields, paint);
    const label = level === 'info' ? '' : `${paint(styleOf(level), text(level))} `;
    return `${paint('dim', clock(time))} ${label}${words}\n`;
  };
}

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

function styleOf(level: unknown): Style {
  if (level === 'warn') return 'yellow';
  return level === 'error' || level === 'fatal' ? 'red' : 'dim';
}

/** The message and the other fields of the line; where there was an error, its stack in the lines below. */
function toMessageLine({ msg, err, ...others }: Fields, paint: Paint): string {
  const words = Object.entries(others)
    .filter(([name, value]) => name !== 'requestId' && value !== undefined && value !== null)
    .map(([name, value]) => `${paint('dim', `${nameWithoutUnit(name)}=`)}${readable(name, value)}`);
  return [text(msg), ...words].join(' ') + stackOf(err);
}

function stackOf(err: unknown): string {
  if (typeof err !== 'object' || err === null) return '';
  const { stack, message } = err as Fields;
  const lines = String(stack ?? message).split('\n');
  return lines.map((line) => `\n    ${text(line).trim()}`).join('');
}

/** Units of fields, which readable values bring themselves. */
const unit = /(?:Ms|Bytes)$/;

const nameWithoutUnit = (name: string) => name.replace(unit, '');

function readable(name: string, value: unknown): string {
  if (typeof value !== 'number') return typeof value === 'string' ? text(value) : JSON.stringify(value);
  const [found] = unit.exec(name) ?? [];
  if (found === 'Bytes') return formatBytes(value);
  return found === 'Ms' ? formatMs(value) : String(value);
}

/** Method, path, status and time of a request, and all else that is known of it. */
function toRequestLine(fields: Fields): string {
  const { method, path, status, durationMs, model, errorCode, clientLeft, stopped, keyId } = fields;
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
    clientLeft === true ? 'client left' : stopped === true ? 'stopped' : '',
    text(keyId),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

const formatMs = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

/** Control characters, such as those of a file's name, could break the line or change the terminal. */
const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value).replaceAll(/\p{Cc}+/gu, ' ') : '';

const clock = (time: unknown) => new Date(text(time)).toTimeString().slice(0, 8);

/** Errors of JavaScript itself are mistakes in the program; their stack is needed to find them. */
const mistakes = [TypeError, RangeError, ReferenceError, SyntaxError];

/**
 * The arguments of a log call with their error in the message, in one line and without its stack, which an error that
 * was thrown on purpose does not need. Calls with a mistake of the program are left as they are.
 */
function withReadableError(args: Parameters<LogFn>): Parameters<LogFn> {
  const [fields, message, ...values] = args as [unknown, ...unknown[]];
  if (typeof fields !== 'object' || fields === null || !('err' in fields) || values.length > 0) return args;
  const { err, ...others } = fields;
  if (!(err instanceof Error) || mistakes.some((mistake) => err instanceof mistake)) return args;
  return [others, [message, describeError(err)].filter(Boolean).join(': ')];
}
