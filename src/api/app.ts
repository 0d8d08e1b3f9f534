import { Hono } from 'hono';
import { AppError } from '../errors/errors.ts';
import { adminRoutes } from './admin/routes.ts';
import { batchRoutes } from './batches/routes.ts';
import { fileRoutes } from './files/routes.ts';
import { formBody } from './upload/form-body.ts';
import { speech } from './audio-speech/route.ts';
import { transcribe } from './audio-transcriptions/route.ts';
import { chatCompletions } from './chat-completions/route.ts';
import { completions } from './completions/route.ts';
import { docsFile, docsPage } from './docs/route.ts';
import { embeddings } from './embeddings/route.ts';
import type { AppContext, AppDeps, AppEnv } from './env.ts';
import { anthropicDialect } from './messages/dialect.ts';
import { messageBatchRoutes } from './messages/batches/routes.ts';
import { countTokens, createMessage } from './messages/route.ts';
import { inlineDocuments } from './attachments/inline-documents.ts';
import { readDocument } from './documents/route.ts';
import { llamaServerRoutes } from './llama-server/route.ts';
import { addRoutes, type Middleware, type Routes } from './add-routes.ts';
import { accessLog } from './middleware/access-log.ts';
import { authenticate, keylessAccess, requireKind } from './middleware/authenticate.ts';
import { cors } from './middleware/cors.ts';
import { draining, whenWritable } from './middleware/draining.ts';
import { createBodyMemory, jsonBody, largeBody, pictureBody } from './middleware/body/json-body.ts';
import { toLocalTest } from './middleware/local-request.ts';
import { onError } from './middleware/on-error.ts';
import { speak } from './middleware/speak.ts';
import { nameUnreadQuery } from './middleware/unread-query.ts';
import { requestContext } from './middleware/request-context.ts';
import { limitRoutes } from './limits/route.ts';
import { callTools } from './mcp/route.ts';
import { modelsDialect } from './models/operation.ts';
import { modelRoutes } from './models/route.ts';
import { addOllamaRoutes } from './ollama/routes.ts';
import { openApiDocument } from './openapi/route.ts';
import { pageRoutes, showPage } from './page/route.ts';
import { rerank } from './rerank/route.ts';
import { responseRoutes } from './responses/route.ts';
import { streamRoutes } from './streams/routes.ts';
import { applyTemplate, detokenize, tokenize } from './tokens/route.ts';
import { voiceRoutes } from './voices/routes.ts';
import { healthRoutes } from './health/route.ts';

/** The HTTP application, from request to response. It opens no port. */
export function createApp(deps: AppDeps): Hono<AppEnv> {
  const { authenticator, catalog, health, log, metrics, settings } = deps;
  const app = new Hono<AppEnv>();
  app.onError(onError(log)).notFound(nothingThere);

  // The order matters: the errors of every middleware are logged and carry CORS headers, and the key is checked before
  // any other work.
  app.use(requestContext, accessLog({ catalog, log, metrics }), cors(settings.corsOrigins), nameUnreadQuery);

  const isLocal = toLocalTest(settings);
  addRoutes(app, {
    ...healthRoutes(deps, isLocal),
    '/openapi.json': { GET: openApiDocument(deps, isLocal) },
    '/handbook': { GET: (c) => c.redirect('docs/pages') },
    '/docs': { GET: docsPage },
    '/docs/:file': { GET: docsFile },
    ...pageRoutes(deps),
  });
  app.get('/', showPage);

  app.route('/admin/v1', adminRoutes(deps));

  app.use('/v1/messages/*', speak(anthropicDialect));
  app.use('/v1/models/*', speak(modelsDialect));
  const withKey = authenticate(authenticator, keylessAccess(settings, isLocal));
  const memory = createBodyMemory(settings.jsonBodyLimitBytes);
  const json = jsonBody(settings.jsonBodyLimitBytes, memory);
  const withPictures = inlineDocuments(pictureBody(json, deps), deps);
  const tokens = tokenRoutes(deps, withPictures, json);
  const reranking: Routes[string] = { POST: [json, (c) => rerank(c, deps)] };
  const atRoot: Routes = { ...llamaServerRoutes(deps, json), ...tokens, '/rerank': reranking };
  for (const path of ['/v1/*', '/mcp', ...Object.keys(atRoot)])
    app.use(path, withKey, requireKind('user'), draining(health));
  for (const path of ['/v1/files/*', '/v1/batches/*', '/v1/messages/batches/*'])
    app.use(path, whenWritable(health));
  addOllamaRoutes(app, deps, memory, isLocal);
  addRoutes(app, {
    ...modelRoutes(deps),
    ...limitRoutes(deps),
    '/v1/chat/completions': { POST: [withPictures, (c) => chatCompletions(c, deps)] },
    '/v1/messages': { POST: [withPictures, (c) => createMessage(c, deps)] },
    '/v1/messages/count_tokens': { POST: [withPictures, (c) => countTokens(c, deps)] },
    ...responseRoutes(deps, withPictures),
    '/v1/documents': { POST: [largeBody(settings), (c) => readDocument(c, deps)] },
    ...streamRoutes(deps),
    ...messageBatchRoutes(deps),
    ...fileRoutes(deps),
    ...batchRoutes(deps, json),
    '/mcp': { POST: [json, (c) => callTools(c, app)] },
    '/v1/completions': { POST: [json, (c) => completions(c, deps)] },
    '/v1/embeddings': { POST: [json, (c) => embeddings(c, deps)] },
    '/v1/rerank': reranking,
    '/v1/tokenize': tokens['/tokenize'],
    '/v1/detokenize': tokens['/detokenize'],
    ...atRoot,
    ...audioRoutes(deps, json),
  });
  return app;
}

function audioRoutes(deps: AppDeps, json: Middleware): Routes {
  const { uploadsDir, audioBodyLimitBytes: maxFileBytes } = deps.settings;
  const form = formBody({ uploadsDir, maxFileBytes });
  return {
    '/v1/audio/transcriptions': { POST: [form, (c) => transcribe(c, deps, 'transcriptions')] },
    '/v1/audio/translations': { POST: [form, (c) => transcribe(c, deps, 'translations')] },
    '/v1/audio/speech': { POST: [json, (c) => speech(c, deps)] },
    ...voiceRoutes(deps),
  };
}

const tokenRoutes = (deps: AppDeps, withPictures: Middleware, json: Middleware) =>
  ({
    '/tokenize': { POST: [withPictures, (c) => tokenize(c, deps)] },
    '/detokenize': { POST: [json, (c) => detokenize(c, deps)] },
    '/apply-template': { POST: [withPictures, (c) => applyTemplate(c, deps)] },
  }) satisfies Routes;

function nothingThere({ req }: AppContext): never {
  throw new AppError('not_found', `There is nothing at ${req.path.slice(0, 256)}. The API is under /v1.`);
}
