import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { AppDeps, AppEnv } from '../env.ts';
import { addRoutes } from '../add-routes.ts';
import { authenticate, requireKind } from '../middleware/authenticate.ts';
import { draining, whenWritable } from '../middleware/draining.ts';
import { createBodyMemory, jsonBody } from '../middleware/body/json-body.ts';
import { adminVoiceRoutes } from '../voices/routes.ts';
import { accountRoutes } from './accounts.ts';
import { auditActs, auditRoutes } from './audit.ts';
import { watchEvents } from './events.ts';
import { invitationRoutes } from './invitations.ts';
import { keyRoutes } from './keys.ts';
import { modelRoutes } from './models/routes.ts';
import { getUsage } from './usage.ts';

/** Far above the largest body that an admin route accepts. */
const maxBodyBytes = 64 * 1024;

/** Caches must not keep answers with secrets or the names of their owners. */
const neverCached = createMiddleware<AppEnv>(async (c, next) => {
  c.header('cache-control', 'no-store');
  await next();
});

/** All routes under /admin/v1. Every path there, known or not, needs an admin key. */
export function adminRoutes(deps: AppDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const limitBytes = Math.min(maxBodyBytes, deps.settings.jsonBodyLimitBytes);
  const json = jsonBody(limitBytes, createBodyMemory(limitBytes));
  app.use(
    neverCached,
    authenticate(deps.authenticator),
    requireKind('admin'),
    draining(deps.health),
    whenWritable(deps.health),
    auditActs(deps),
  );

  addRoutes(app, {
    ...accountRoutes(deps, json),
    ...keyRoutes(deps, json),
    ...invitationRoutes(deps, json),
    ...auditRoutes(deps),
    ...modelRoutes(deps, json),
    ...adminVoiceRoutes(deps),
    '/events': { GET: watchEvents(deps) },
    '/usage': { GET: getUsage(deps) },
  });
  return app;
}
