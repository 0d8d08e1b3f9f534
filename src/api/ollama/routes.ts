import type { Hono } from 'hono';
import type { AppDeps, AppEnv } from '../env.ts';
import { addRoutes } from '../add-routes.ts';
import { auditActs } from '../admin/audit.ts';
import { authenticate, keylessAccess, requireKind } from '../middleware/authenticate.ts';
import type { BodyMemory } from '../middleware/body/body-memory.ts';
import { draining } from '../middleware/draining.ts';
import { jsonBody, pictureBody } from '../middleware/body/json-body.ts';
import type { LocalTest } from '../middleware/local-request.ts';
import { speak } from '../middleware/speak.ts';
import { lmStudioChat } from '../lm-studio/chat.ts';
import { lmStudioRoutes } from '../lm-studio/models.ts';
import { ollamaDialect } from './dialect.ts';
import { embed, embeddings } from './embeddings/route.ts';
import { chat, generate } from './generation/route.ts';
import { pull } from './models/pull.ts';
import { running, show, tags, version } from './models/route.ts';

/** Adds Ollama's API under /api, whose bodies share `memory`. Local requests may need no key. */
export function addOllamaRoutes(
  app: Hono<AppEnv>,
  deps: AppDeps,
  memory: BodyMemory,
  isLocal: LocalTest,
): void {
  const { authenticator, health, settings } = deps;
  const orForm = { orForm: true };
  const json = jsonBody(settings.jsonBodyLimitBytes, memory, orForm);
  const withPictures = pictureBody(json, deps, orForm);
  const localKey = keylessAccess(settings, isLocal) ?? {
    keyId: settings.ollamaKey,
    setting: 'ollamaKey',
    ignoresOtherKeys: false,
    isLocal,
  };
  app.use('/api/*', speak(ollamaDialect), authenticate(authenticator, localKey), draining(health));
  app.use('/api/pull', requireKind('admin'), auditActs(deps));
  const user = requireKind('user');
  addRoutes(app, {
    '/api/version': { GET: [user, version] },
    '/api/tags': { GET: [user, (c) => tags(c, deps)] },
    '/api/ps': { GET: [user, (c) => running(c, deps)] },
    '/api/show': { POST: [user, json, (c) => show(c, deps)] },
    '/api/chat': { POST: [user, withPictures, (c) => chat(c, deps)] },
    '/api/generate': { POST: [user, withPictures, (c) => generate(c, deps)] },
    '/api/embed': { POST: [user, json, (c) => embed(c, deps)] },
    '/api/embeddings': { POST: [user, json, (c) => embeddings(c, deps)] },
    ...Object.fromEntries(
      Object.entries(lmStudioRoutes(deps)).map(([path, handler]) => [path, { GET: [user, handler] }]),
    ),
    '/api/v1/chat': { POST: [user, withPictures, (c) => lmStudioChat(c, deps)] },
    '/api/pull': { POST: [json, (c) => pull(c, deps)] },
  });
}
