import { z } from 'zod';
import { parseDurationMs } from '../../config/values/duration.ts';

/**
 * `keep_alive`: how long the model stays in memory after the request, as `5m`, or as a number of seconds; 0: not at
 * all; -1: for ever. In milliseconds, Infinity for ever.
 */
export const keepAlive = z
  .union([z.string(), z.number()])
  .transform((value, context): number => {
    try {
      return toMilliseconds(value);
    } catch {
      const message = 'must be a duration such as 30s, 5m or 1h, a number of seconds, or -1';
      context.issues.push({ code: 'custom', message, input: value });
      return z.NEVER;
    }
  })
  .meta({ description: 'How long the model stays in memory afterwards: `5m`, seconds, 0 or -1 for ever.' });

/** Throws RangeError. */
function toMilliseconds(value: string | number): number {
  if (typeof value === 'string' || value === -1) return parseDurationMs(value);
  return parseDurationMs(`${value}s`);
}
