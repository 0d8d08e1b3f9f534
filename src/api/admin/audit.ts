import { AsyncLocalStorage } from 'node:async_hooks';
import { actingAs, hasActed, type AuditEntry } from '../../accounts/audit.ts';
import { toStorageTrouble } from '../../errors/storage-trouble.ts';
import type { Middleware, Routes } from '../add-routes.ts';
import { type AppDeps, type AppEnv, nodeBindings } from '../env.ts';
import { routeOf } from '../middleware/access-log.ts';
import { readQuery } from '../request/read-parameters.ts';
import { toSeconds, toWireList } from './convert.ts';
import { auditQuery } from './schema.ts';

/** Writes down acts of requests with admin keys: where nothing below has done so by itself, the act that they set. */
export function auditActs({ administration, log }: AppDeps): Middleware {
  return (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
    const origin = nodeBindings(c).incoming?.socket.remoteAddress ?? 'this machine';
    const note: AppEnv['Variables']['note'] = (...act) => {
      try {
        administration.audit.note(...act);
      } catch (err) {
        // On a full disk models can be deleted all the same.
        if (toStorageTrouble(err) === undefined) throw err;
        log.error({ err, route: routeOf(c) }, 'an administrative act could not be written down');
      }
    };
    return actingAs({ actor: c.get('principal').keyId, origin }, async () => {
      c.set('note', AsyncLocalStorage.bind(note));
      await next();
      if (hasActed() || c.res.status >= 400) return;
      note(...(c.get('act') ?? ([`${c.req.method} ${routeOf(c) ?? ''}`, c.req.path] as const)));
    });
  };
}

/** GET /admin/v1/audit: the acts, the newest first. */
export const auditRoutes = ({ administration, clock }: AppDeps): Routes => ({
  '/audit': {
    GET: (c) => {
      const { since, before, limit = 100 } = readQuery(c, auditQuery);
      const fromMs = since?.(clock.nowMs());
      const entries = administration.audit.list({
        fromMs: Number.isFinite(fromMs) ? fromMs : undefined,
        beforeId: before,
        limit: limit + 1,
      });
      return c.json({
        ...toWireList(entries.slice(0, limit).map(toWireEntry)),
        has_more: entries.length > limit,
      });
    },
  },
});

const toWireEntry = ({ atMs, ...entry }: AuditEntry) => ({
  object: 'audit_entry',
  ...entry,
  at: toSeconds(atMs),
});
