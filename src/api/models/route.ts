import type { AppContext, AppDeps } from '../env.ts';
import { findModel, mayUse } from '../model/find-model.ts';
import { listedNames } from '../model/model-names.ts';
import type { Routes } from '../add-routes.ts';
import { toWireModel } from './convert.ts';
import { toModelInfo, toModelInfoPage } from './model-info.ts';

type ModelDeps = Pick<AppDeps, 'catalog' | 'models' | 'administration'>;

/** The routes of the models, in the shapes of OpenAI and Anthropic. */
export const modelRoutes = (deps: ModelDeps): Routes => ({
  '/v1/models': { GET: (c) => listModels(c, deps) },
  '/v1/models/:id{.+}': { GET: (c) => getModel(c, deps) },
});

/** GET /v1/models: the models that the key may use. Those that can reason are also listed under their `-r` ids. */
async function listModels(
  c: AppContext,
  { catalog, models, administration: { plans } }: ModelDeps,
): Promise<Response> {
  const principal = c.get('principal');
  const usable = catalog.list().filter((model) => mayUse(principal, model));
  await models.findNeeds(usable.map(({ id }) => id));
  const listed = usable.flatMap((model) => listedNames(catalog, model));
  if (wantsModelInfo(c)) return c.json(toModelInfoPage(listed, models));
  const data = listed.map((named) => toWireModel(named, models, plans.priceOf(named.model.id)));
  return c.json({ object: 'list', data });
}

/** GET /v1/models/{id}: one model, by its id, `-r` id or alias, which may contain slashes. */
async function getModel(
  c: AppContext,
  { catalog, models, administration: { plans } }: ModelDeps,
): Promise<Response> {
  const id = c.req.param('id') ?? '';
  const named = findModel(catalog, c.get('principal'), id);
  await models.findNeeds([named.model.id]);
  if (wantsModelInfo(c)) return c.json(toModelInfo(named, models));
  return c.json(toWireModel(named, models, plans.priceOf(named.model.id)));
}

/** Whether the client speaks Anthropic's API, which has the same paths. */
const wantsModelInfo = (c: AppContext) => c.req.header('anthropic-version') !== undefined;
