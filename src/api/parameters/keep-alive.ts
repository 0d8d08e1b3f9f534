import { z } from 'zod';
import { refuse } from './schema-parts.ts';
import { parseDurationMs } from '../../config/values/duration.ts';

/**
 * `keep_alive`: how long the model stays in memory after the request, in milliseconds, Infinity for ever. A request
 * has it as `5m` or in seconds; 0 is not at all and -1 is for ever.
 */
export const keepAlive = z
  .union([z.string(), z.number()])
  .transform((value, context): number => {
    try {
      return toMilliseconds(value);
    } catch {
      return refuse(context, 'must be a duration such as 30s, 5m or 1h, a number of seconds, or -1');
    }
  })
  .meta({ description: 'How long the model stays in memory afterwards: `5m`, seconds, 0 or -1 for ever.' });

/** Throws RangeError. */
function toMilliseconds(value: string | number): number {
  if (typeof value === 'string' || value === -1) return parseDurationMs(value);
  return parseDurationMs(`${value}s`);
}
