import type { Handler } from 'hono';
import type { CatalogModel } from '../../catalog/types.ts';
import { AppError } from '../../errors/errors.ts';
import type { AppContext, AppDeps, AppEnv } from '../env.ts';
import { toWireList, toWireMemory, toWireModelStatus } from './convert.ts';
import { readQuery } from '../request/read-parameters.ts';
import { parseNoQuery } from './schema.ts';

/** GET /admin/v1/models: the state and memory use of every model, sorted by id, and the memory budget. */
export function listModelStatuses({ administration, catalog }: AppDeps): Handler<AppEnv> {
  return (c) => {
    readQuery(c, parseNoQuery);
    const { models } = administration;
    const data = catalog.list().map((model) => toWireModelStatus(model, models.status(model.id)));
    return c.json({ ...toWireList(data), memory: toWireMemory(models.memory) });
  };
}

/** POST /admin/v1/models/{id}/load: loads the model and answers when it is in memory. */
export function loadModel({ administration, catalog }: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const model = findModel(catalog, c);
    await administration.models.load(model.id, c.req.raw.signal);
    return c.json(toWireModelStatus(model, administration.models.status(model.id)));
  };
}

/** POST /admin/v1/models/{id}/unload: frees the model, if it is in use after its last request has ended. */
export function unloadModel({ administration, catalog }: AppDeps): Handler<AppEnv> {
  return (c) => {
    const model = findModel(catalog, c);
    administration.models.unload(model.id);
    return c.json(toWireModelStatus(model, administration.models.status(model.id)));
  };
}

function findModel(catalog: AppDeps['catalog'], c: AppContext): CatalogModel {
  const id = c.req.param('id') ?? '';
  const model = catalog.find(id);
  if (model !== undefined) return model;
  throw new AppError('model_not_found', `The model '${id.slice(0, 100)}' does not exist.`, {
    param: 'model',
  });
}
