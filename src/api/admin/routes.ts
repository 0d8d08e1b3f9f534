import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '../env.ts';
import { authenticate } from '../middleware/authenticate.ts';
import { draining } from '../middleware/draining.ts';
import { createBodyMemory, jsonBody, optionalJsonBody } from '../middleware/json-body.ts';
import { methodNotAllowed } from '../middleware/method-not-allowed.ts';
import { requireKind } from '../middleware/require-kind.ts';
import { changeAccount, createAccount, getAccount, listAccounts, removeAccount } from './accounts.ts';
import type { AdminDeps } from './deps.ts';
import { createKey, getKey, listKeys, revokeKey, rotateKey } from './keys.ts';
import { listModelStatuses, loadModel, unloadModel } from './models.ts';
import { listPlans } from './plans.ts';
import { pullModel } from './pull.ts';
import { getUsage } from './usage.ts';

/** Far above the largest body here; nobody sends prompts to this door. */
const maxBodyBytes = 64 * 1024;

/** Secrets and who has them are for no cache on the way. */
const neverCached = createMiddleware<AppEnv>(async (c, next) => {
  c.header('cache-control', 'no-store');
  await next();
});

/** Everything under /admin/v1: for admin keys only, whatever the path. */
export function adminRoutes(deps: AdminDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const limitBytes = Math.min(maxBodyBytes, deps.settings.jsonBodyLimitBytes);
  const json = jsonBody(limitBytes, createBodyMemory(limitBytes));
  const optionalJson = optionalJsonBody(json);
  app.use(neverCached, authenticate(deps.authenticator), requireKind('admin'), draining(deps.health));

  app
    .get('/accounts', listAccounts(deps))
    .post(json, createAccount(deps))
    .all(methodNotAllowed('GET', 'HEAD', 'POST'));
  app
    .get('/accounts/:account', getAccount(deps))
    .patch(json, changeAccount(deps))
    .delete(removeAccount(deps))
    .all(methodNotAllowed('GET', 'HEAD', 'PATCH', 'DELETE'));
  app
    .get('/keys', listKeys(deps))
    .post(json, createKey(deps))
    .all(methodNotAllowed('GET', 'HEAD', 'POST'));
  app
    .get('/keys/:id', getKey(deps))
    .delete(revokeKey(deps))
    .all(methodNotAllowed('GET', 'HEAD', 'DELETE'));
  app.post('/keys/:id/rotate', optionalJson, rotateKey(deps)).all(methodNotAllowed('POST'));
  app.get('/models', listModelStatuses(deps)).all(methodNotAllowed('GET', 'HEAD'));
  app.post('/models/pull', json, pullModel(deps)).all(methodNotAllowed('POST'));
  app.post('/models/:id{.+}/load', loadModel(deps)).all(methodNotAllowed('POST'));
  app.post('/models/:id{.+}/unload', unloadModel(deps)).all(methodNotAllowed('POST'));
  app.get('/plans', listPlans(deps)).all(methodNotAllowed('GET', 'HEAD'));
  app.get('/usage', getUsage(deps)).all(methodNotAllowed('GET', 'HEAD'));
  return app;
}
