import type { CatalogModel } from '../../../catalog/types.ts';
import type { ModelState } from '../../../engine/pool/model-status.ts';
import { AppError, invalidValue } from '../../../errors/errors.ts';
import type { Administration, AppContext, AppDeps } from '../../env.ts';
import type { Middleware, Routes } from '../../add-routes.ts';
import { optionalJsonBody } from '../../middleware/body/json-body.ts';
import { readBody } from '../../request/read-parameters.ts';
import {
  toWireList,
  toWireMemory,
  toWireModelFacts,
  toWireModelStatus,
  toWireSuggestion,
} from '../convert.ts';
import { hubRoutes } from './hub.ts';
import { pullModel } from './pull.ts';
import { modelSettingsRoutes } from './settings.ts';
import { nothing } from '../schema.ts';

/** The state of every model, sorted by id, and the memory that models take and may take. */
export function toWireModels({ administration, catalog }: AppDeps) {
  const data = catalog.list().map((model) => toWireModel(administration, model));
  return { data, memory: toWireMemory(administration.models.memory) };
}

const toWireUnserved = ({ administration: { pulls }, catalog }: AppDeps) =>
  catalog.unserved().map(({ name, reason }) => ({
    name,
    reason,
    deletable: pulls.hasPulled(name),
    source: pulls.sourceOf(name) ?? null,
  }));

function toWireModel({ models, pulls }: Administration, model: CatalogModel) {
  const { path } = model;
  return toWireModelStatus(model, models, path !== undefined && pulls.hasPulled(path));
}

/** The routes of models: those in memory, and those that are to come or to go; `json` reads a body. */
export function modelRoutes(deps: AppDeps, json: Middleware): Routes {
  const { administration, catalog } = deps;
  const { models, pulls } = administration;
  const statusOf = (model: CatalogModel) => toWireModel(administration, model);
  return {
    '/models': {
      GET: (c) => c.json({ object: 'list', ...toWireModels(deps), unserved: toWireUnserved(deps) }),
    },
    '/models/pull': { POST: [json, (c) => pullModel(c, deps)] },
    '/model-suggestions': {
      GET: async (c) => {
        const all = await administration.suggestions();
        return c.json(toWireList(all.map((one) => toWireSuggestion(one, pulls.servedAs(one.model.source)))));
      },
    },
    '/models/:id{.+}/load': {
      POST: [
        optionalJsonBody(json),
        async (c) => {
          readBody(c, nothing);
          const model = findModel(catalog, c);
          await models.load(model.id, c.req.raw.signal);
          c.set('act', [loadAct(model, models.state(model.id)), model.id]);
          return c.json(statusOf(model));
        },
      ],
    },
    '/models/:id{.+}/unload': {
      POST: [
        optionalJsonBody(json),
        (c) => {
          readBody(c, nothing);
          const model = findModel(catalog, c);
          c.set('act', ['model.unload', model.id]);
          models.unload(model.id);
          return c.json(statusOf(model));
        },
      ],
    },
    ...modelSettingsRoutes(deps, json, (c) => findModel(catalog, c)),
    ...hubRoutes(deps),
    // Last, because its pattern takes the other paths too.
    '/models/:id{.+}': {
      GET: (c) => {
        const model = findModel(catalog, c);
        return c.json({ ...statusOf(model), ...toWireModelFacts(catalog, model) });
      },
      DELETE: async (c) => {
        const asked = c.req.param('id') ?? '';
        const isServed = !catalog.unserved().some(({ name }) => name === asked);
        const id = isServed ? findModel(catalog, c).id : asked;
        if (!(await pulls.remove(id))) throw notPulled(id);
        if (isServed) models.unload(id);
        c.set('act', ['model.remove', id]);
        return c.json({ id, object: 'model', deleted: true });
      },
    },
  };
}

/** A model that runs elsewhere is not loaded: its servers are asked whether they are there. */
const loadAct = ({ upstream }: CatalogModel, state: ModelState) =>
  upstream === undefined ? 'model.load' : state === 'failed' ? 'model.silent' : 'model.answers';

const notPulled = (id: string) =>
  invalidValue(
    'model',
    `The model '${id}' was not pulled, so its file is not deleted. Remove it from its folder or the configuration.`,
  );

function findModel(catalog: AppDeps['catalog'], c: AppContext): CatalogModel {
  const id = c.req.param('id') ?? '';
  const model = catalog.find(id);
  if (model !== undefined) return model;
  throw new AppError('model_not_found', `The model '${id.slice(0, 100)}' does not exist.`, {
    param: 'model',
  });
}
