import type { Handler, Hono, MiddlewareHandler } from 'hono';
import { AppError } from '../errors/errors.ts';
import type { AppEnv } from './env.ts';

export type Middleware = MiddlewareHandler<AppEnv>;

/** One handler, or middlewares and a handler. */
type Handlers = Handler<AppEnv> | readonly (Middleware | Handler<AppEnv>)[];

export type Routes = Readonly<Record<string, Partial<Record<'GET' | 'POST' | 'PATCH' | 'DELETE', Handlers>>>>;

/** Adds routes by path. Methods that a path does not have get method_not_allowed and the list of those it has. */
export function addRoutes(app: Hono<AppEnv>, routes: Routes): void {
  for (const [path, methods] of Object.entries(routes)) {
    for (const [method, handlers] of Object.entries(methods)) app.on(method, [path], ...[handlers].flat());
    // Hono answers HEAD with the handler of GET.
    const allowed = Object.keys(methods).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    app.all(path, methodNotAllowed(allowed.join(', ')));
  }
}

function methodNotAllowed(allow: string): Handler<AppEnv> {
  return (c) => {
    throw new AppError(
      'method_not_allowed',
      `${c.req.method} is not possible on ${c.req.path.slice(0, 256)}. Use ${allow}.`,
      { headers: { allow } },
    );
  };
}
