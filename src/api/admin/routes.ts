import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { AppDeps, AppEnv } from '../env.ts';
import { addRoutes } from '../middleware/add-routes.ts';
import { authenticate, requireKind } from '../middleware/authenticate.ts';
import { draining } from '../middleware/draining.ts';
import { createBodyMemory, jsonBody, optionalJsonBody } from '../middleware/json-body.ts';
import {
  changeAccount,
  createAccount,
  getAccount,
  listAccounts,
  listPlans,
  removeAccount,
} from './accounts.ts';
import { createKey, getKey, listKeys, revokeKey, rotateKey } from './keys.ts';
import { listModelStatuses, loadModel, unloadModel } from './models.ts';
import { pullModel } from './pull.ts';
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
  const optionalJson = optionalJsonBody(json);
  app.use(neverCached, authenticate(deps.authenticator), requireKind('admin'), draining(deps.health));

  addRoutes(app, {
    '/accounts': { GET: listAccounts(deps), POST: [json, createAccount(deps)] },
    '/accounts/:account': {
      GET: getAccount(deps),
      PATCH: [json, changeAccount(deps)],
      DELETE: removeAccount(deps),
    },
    '/keys': { GET: listKeys(deps), POST: [json, createKey(deps)] },
    '/keys/:id': { GET: getKey(deps), DELETE: revokeKey(deps) },
    '/keys/:id/rotate': { POST: [optionalJson, rotateKey(deps)] },
    '/models': { GET: listModelStatuses(deps) },
    '/models/pull': { POST: [json, pullModel(deps)] },
    '/models/:id{.+}/load': { POST: loadModel(deps) },
    '/models/:id{.+}/unload': { POST: unloadModel(deps) },
    '/plans': { GET: listPlans(deps) },
    '/usage': { GET: getUsage(deps) },
  });
  return app;
}
