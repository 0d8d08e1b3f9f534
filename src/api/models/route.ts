import type { Handler } from 'hono';
import type { AppDeps, AppEnv } from '../env.ts';
import { findModel, mayUse } from '../model/find-model.ts';
import { listedNames } from '../model/model-names.ts';
import { toWireModel } from './convert.ts';

type ModelDeps = Pick<AppDeps, 'catalog' | 'models'>;

/** GET /v1/models: the models that the key may use. Those that can reason are also listed under their `-r` ids. */
export function listModels({ catalog, models }: ModelDeps): Handler<AppEnv> {
  return (c) => {
    const principal = c.get('principal');
    const data = catalog
      .list()
      .filter((model) => mayUse(principal, model))
      .flatMap((model) => listedNames(catalog, model))
      .map((named) => toWireModel(named, models));
    return c.json({ object: 'list', data });
  };
}

/**
 * GET /v1/models/{id}: one model, under the name in the request: an id, `-r` id or alias, which may contain slashes.
 */
export function getModel({ catalog, models }: ModelDeps): Handler<AppEnv> {
  return (c) => {
    const id = c.req.param('id') ?? '';
    const named = findModel(catalog, c.get('principal'), id);
    return c.json(toWireModel(named, models));
  };
}
