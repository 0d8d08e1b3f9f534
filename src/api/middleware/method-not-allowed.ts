import type { Handler } from 'hono';
import { AppError } from '../../errors.ts';
import type { AppEnv } from '../env.ts';

/** The last handler of a path: whoever gets here used a method that it does not have. */
export function methodNotAllowed(...allowed: readonly string[]): Handler<AppEnv> {
  const allow = allowed.join(', ');
  return (c) => {
    throw new AppError(
      'method_not_allowed',
      `${c.req.method} is not possible on ${c.req.path.slice(0, 256)}. Use ${allow}.`,
      { headers: { allow } },
    );
  };
}
