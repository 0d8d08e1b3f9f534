import { Hono } from 'hono';
import { AppError } from '../errors.ts';
import { adminRoutes } from './admin/routes.ts';
import { formBody } from './audio-transcriptions/form-body.ts';
import { transcriptions } from './audio-transcriptions/route.ts';
import { chatCompletions } from './chat-completions/route.ts';
import { completions } from './completions/route.ts';
import { docsFile, docsPage, toDocs } from './docs/route.ts';
import { embeddings } from './embeddings/route.ts';
import type { AppDeps, AppEnv } from './env.ts';
import { healthz, readyz } from './health/route.ts';
import { accessLog } from './middleware/access-log.ts';
import { authenticate, authenticateUnlessLoopback } from './middleware/authenticate.ts';
import { cors } from './middleware/cors.ts';
import { draining } from './middleware/draining.ts';
import { createBodyMemory, jsonBody } from './middleware/json-body.ts';
import { methodNotAllowed } from './middleware/method-not-allowed.ts';
import { onError } from './middleware/on-error.ts';
import { requireKind, requireKindUnlessLoopback } from './middleware/require-kind.ts';
import { requestContext } from './middleware/request-context.ts';
import { scrapeMetrics } from './metrics/route.ts';
import { getModel, listModels } from './models/route.ts';
import { openApiDocument } from './openapi/route.ts';
import { createResponse } from './responses/route.ts';
import { deleteResponse, getResponse, listInputItems } from './responses/stored/stored-routes.ts';

/** The whole HTTP side, from request to response; it listens nowhere. */
export function createApp(deps: AppDeps): Hono<AppEnv> {
  const { authenticator, health, log, metrics, settings } = deps;
  const app = new Hono<AppEnv>();
  app.onError(onError(log));
  app.notFound((c) => {
    throw new AppError('not_found', `There is nothing at ${c.req.path.slice(0, 256)}. The API is under /v1.`);
  });

  // The order matters: errors of each one are logged and readable by browsers, and a key comes before all work.
  app.use(requestContext, accessLog({ log, metrics }), cors(settings.corsOrigins));

  const onThisMachine = authenticateUnlessLoopback(authenticator);
  app.get('/healthz', healthz).all(methodNotAllowed('GET', 'HEAD'));
  app.get('/readyz', onThisMachine, readyz(health)).all(onThisMachine, methodNotAllowed('GET', 'HEAD'));
  app
    .get('/metrics', onThisMachine, requireKindUnlessLoopback('admin'), scrapeMetrics(metrics))
    .all(onThisMachine, methodNotAllowed('GET', 'HEAD'));
  app.get('/openapi.json', openApiDocument(deps)).all(methodNotAllowed('GET', 'HEAD'));
  app.get('/docs', docsPage).all(methodNotAllowed('GET', 'HEAD'));
  app.get('/docs/:file', docsFile).all(methodNotAllowed('GET', 'HEAD'));
  app.get('/', toDocs);

  app.route('/admin/v1', adminRoutes(deps));

  app.use('/v1/*', authenticate(authenticator), requireKind('user'), draining(health));
  const json = jsonBody(settings.jsonBodyLimitBytes, createBodyMemory(settings.jsonBodyLimitBytes));
  app.get('/v1/models', listModels(deps)).all(methodNotAllowed('GET', 'HEAD'));
  app.get('/v1/models/:id{.+}', getModel(deps)).all(methodNotAllowed('GET', 'HEAD'));
  app.post('/v1/chat/completions', json, chatCompletions(deps)).all(methodNotAllowed('POST'));
  app.post('/v1/responses', json, createResponse(deps)).all(methodNotAllowed('POST'));
  app
    .get('/v1/responses/:id', getResponse(deps))
    .delete(deleteResponse(deps))
    .all(methodNotAllowed('GET', 'HEAD', 'DELETE'));
  app.get('/v1/responses/:id/input_items', listInputItems(deps)).all(methodNotAllowed('GET', 'HEAD'));
  app.post('/v1/completions', json, completions(deps)).all(methodNotAllowed('POST'));
  app.post('/v1/embeddings', json, embeddings(deps)).all(methodNotAllowed('POST'));
  app
    .post(
      '/v1/audio/transcriptions',
      formBody({ uploadsDir: settings.uploadsDir, maxFileBytes: settings.audioBodyLimitBytes }),
      transcriptions(deps),
    )
    .all(methodNotAllowed('POST'));
  return app;
}
