import { AppError } from '../../errors/errors.ts';
import type { Middleware } from '../add-routes.ts';
import type { AppContext } from '../env.ts';
import { operations } from '../openapi/operations.ts';
import { nameIgnored } from '../request/read-parameters.ts';
import { routeOf } from './access-log.ts';

/** Anthropic's clients send `beta=true` with all that is new to them: it asks for nothing by itself. */
const meaningless = 'beta';
const mostShownChars = 64;

const readingRoutes = new Set(
  operations.flatMap(({ method, path, query }) => (query === undefined ? [] : [`${method} ${path}`])),
);

/** The names in the query of a route that reads none. */
function unreadNames(c: AppContext): readonly string[] {
  if (!c.req.url.includes('?')) return [];
  const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
  if (readingRoutes.has(`${method} ${routeOf(c)}`)) return [];
  const names = new Set(new URL(c.req.url).searchParams.keys());
  return [...names].filter((name) => name !== meaningless);
}

/** Names the unread parameters of the query in the response. */
export const nameUnreadQuery: Middleware = (c, next) => {
  nameIgnored(c, unreadNames(c));
  return next();
};

/** Refuses it: nothing of an operator's request, such as `?limit=5` for a new key, is ignored. */
export const refuseUnreadQuery: Middleware = (c, next) => {
  const [name] = unreadNames(c);
  if (name === undefined) return next();
  const param = name.slice(0, mostShownChars);
  throw new AppError(
    'unknown_parameter',
    `Unknown parameter '${param}' in the query, of which this route reads nothing. What it takes is sent as its body.`,
    param === '' ? {} : { param },
  );
};
