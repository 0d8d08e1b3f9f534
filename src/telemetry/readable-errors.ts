import type { LogFn } from 'pino';
import { describeError } from '../describe-error.ts';

/** Thrown by JavaScript itself: a mistake in the program, which is found by its stack. */
const mistakes = [TypeError, RangeError, ReferenceError, SyntaxError];

/**
 * The arguments of a log call with their error in the message, in one line and without its stack: what was thrown on
 * purpose, such as a slip in the configuration, says all that its reader needs. Others are left as they are.
 */
export function withReadableError(args: Parameters<LogFn>): Parameters<LogFn> {
  const [fields, message, ...values] = args as [unknown, ...unknown[]];
  if (typeof fields !== 'object' || fields === null || !('err' in fields) || values.length > 0) return args;
  const { err, ...others } = fields;
  if (!(err instanceof Error) || mistakes.some((mistake) => err instanceof mistake)) return args;
  return [others, [message, describeError(err)].filter(Boolean).join(': ')];
}
