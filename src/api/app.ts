import { Hono } from 'hono';
import { AppError } from '../errors.ts';
import { adminRoutes } from './admin/routes.ts';
import { chatCompletions } from './chat-completions/route.ts';
import type { AppDeps, AppEnv } from './env.ts';
import { healthz, readyz } from './health.ts';
import { accessLog } from './middleware/access-log.ts';
import { authenticate, authenticateUnlessLoopback } from './middleware/authenticate.ts';
import { cors } from './middleware/cors.ts';
import { draining } from './middleware/draining.ts';
import { jsonBody } from './middleware/json-body.ts';
import { methodNotAllowed } from './middleware/method-not-allowed.ts';
import { onError } from './middleware/on-error.ts';
import { requireKind } from './middleware/require-kind.ts';
import { requestContext } from './middleware/request-context.ts';
import { getModel, listModels } from './models/route.ts';

/** The whole HTTP side, from request to response; it listens nowhere. */
export function createApp(deps: AppDeps): Hono<AppEnv> {
  const { authenticator, health, log, settings } = deps;
  const app = new Hono<AppEnv>();
  app.onError(onError(log));
  app.notFound((c) => {
    throw new AppError('not_found', `There is nothing at ${c.req.path.slice(0, 256)}. The API is under /v1.`);
  });

  // The order matters: errors of each one are logged and readable by browsers, and a key comes before all work.
  app.use(requestContext, accessLog(log), cors(settings.corsOrigins));

  const onThisMachine = authenticateUnlessLoopback(authenticator);
  app.get('/healthz', onThisMachine, healthz).all(onThisMachine, methodNotAllowed('GET', 'HEAD'));
  app.get('/readyz', onThisMachine, readyz(health)).all(onThisMachine, methodNotAllowed('GET', 'HEAD'));

  app.route('/admin/v1', adminRoutes(deps));

  app.use('/v1/*', authenticate(authenticator), requireKind('user'), draining(health));
  app.get('/v1/models', listModels(deps)).all(methodNotAllowed('GET', 'HEAD'));
  app.get('/v1/models/:id{.+}', getModel(deps)).all(methodNotAllowed('GET', 'HEAD'));
  app
    .post('/v1/chat/completions', jsonBody(settings.jsonBodyLimitBytes), chatCompletions(deps))
    .all(methodNotAllowed('POST'));
  return app;
}
