import { pino, type DestinationStream, type Logger } from 'pino';
import { createReadableLines, withReadableError } from './readable-lines.ts';

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
