import type { Handler } from 'hono';
import type { AppDeps, AppEnv } from '../env.ts';
import { findModel, mayUse } from '../model/find-model.ts';
import { listedNames } from '../model/model-names.ts';
import { toWireModel } from './convert.ts';

type ModelDeps = Pick<AppDeps, 'catalog' | 'engine'>;

/** GET /v1/models: the models that the key may use, those that can reason under their `-r` ids too. */
export function listModels({ catalog, engine }: ModelDeps): Handler<AppEnv> {
  return (c) => {
    const principal = c.get('principal');
    const data = catalog
      .list()
      .filter((model) => mayUse(principal, model))
      .flatMap((model) => listedNames(catalog, model))
      .map((named) => toWireModel(named, engine.modelState(named.model.id)));
    return c.json({ object: 'list', data });
  };
}

/** GET /v1/models/{id}: by id, `-r` id or alias, slashes included; shown under the name asked for. */
export function getModel({ catalog, engine }: ModelDeps): Handler<AppEnv> {
  return (c) => {
    const id = c.req.param('id') ?? '';
    const named = findModel(catalog, c.get('principal'), id);
    return c.json(toWireModel(named, engine.modelState(named.model.id)));
  };
}
