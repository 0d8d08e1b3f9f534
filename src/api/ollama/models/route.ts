import type { Handler } from 'hono';
import { z } from 'zod';
import type { AppDeps, AppEnv } from '../../env.ts';
import { findModel, tokenModels } from '../../model/find-model.ts';
import { namedParameters } from '../../openapi/json-schema.ts';
import { modelName } from '../../parameters/generation-parameters.ts';
import { readBody } from '../../request/read-parameters.ts';
import { nameIn, withoutTag } from '../names.ts';
import { toRunning, toShown, toTag } from './convert.ts';

/** The version of Ollama whose API this follows: programs ask for the least version that they need. */
const apiVersion = '0.12.6';

/** `name` is what older clients call `model`. */
export const showSchema = namedParameters('OllamaShow', {
  model: modelName.optional(),
  name: modelName.optional(),
  verbose: z.boolean().optional(),
});

/** GET /api/version */
export const version: Handler<AppEnv> = (c) => c.json({ version: apiVersion });

/** GET /api/tags: the models that the key may use for anything that this API has. */
export function tags(deps: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const usable = tokenModels(deps.catalog, c.get('principal'));
    await deps.models.findContexts(usable.map(({ id }) => id));
    return c.json({ models: usable.map((model) => toTag(model, deps.models)) });
  };
}

/** GET /api/ps: those of them that are in memory. */
export function running(deps: AppDeps): Handler<AppEnv> {
  return (c) => {
    const loaded = tokenModels(deps.catalog, c.get('principal')).filter(
      ({ id }) => deps.models.state(id) === 'loaded',
    );
    return c.json({ models: loaded.map((model) => toRunning(model, deps.models.status(model.id))) });
  };
}

/** POST /api/show: what one model is and can do. */
export function show({ catalog, models }: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const asked = nameIn(readBody(c, showSchema));
    const { model } = findModel(catalog, c.get('principal'), withoutTag(catalog, asked));
    await models.findContexts([model.id]);
    return c.json(toShown(model, models));
  };
}
