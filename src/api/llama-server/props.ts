import { z } from 'zod';
import { packageVersion } from '../../config/package-version.ts';
import { can } from '../../model-kinds.ts';
import type { AppContext, AppDeps } from '../env.ts';
import { findPresentModelFor } from '../model/find-model.ts';
import { contextTokensOf, type NamedModel } from '../model/model-names.ts';
import { named, namedObject } from '../openapi/json-schema.ts';
import { json, operationsOf } from '../openapi/operation.ts';
import { modelName } from '../parameters/generation-parameters.ts';
import { readQuery } from '../request/read-parameters.ts';

const query = z.object({
  model: modelName.optional().describe('Default: a chat model of this machine, of those in memory first.'),
});

const count = z.int().min(0);
const contextTokens = count.describe('Tokens that one request can have; 0: not known.');

const props = namedObject('Props', {
  default_generation_settings: z.strictObject({ n_ctx: contextTokens }),
  total_slots: count.describe('Requests that are computed together.'),
  model_alias: z.string(),
  model_path: z.string().describe('The id: no path is told.'),
  modalities: z.strictObject({ vision: z.boolean(), audio: z.boolean() }),
  chat_template: z.string().describe("Of the model's file; empty where it has none."),
  build_info: z.string(),
});

const slots = named(
  'Slots',
  z.array(z.strictObject({ id: count, n_ctx: contextTokens, is_processing: z.boolean() })),
);

const described = { query, errors: ['model_not_found', 'model_loading', 'unsupported_value'] } as const;

export const propsOperations = operationsOf(['Models', 'user'], {
  getProps: {
    ...described,
    route: 'GET /props',
    summary: 'Look a model up, as llama-server has it',
    answer: json(props, 'The facts that hearth knows. Nothing is loaded.'),
  },
  listSlots: {
    ...described,
    route: 'GET /slots',
    summary: 'List the slots of a model, as llama-server has them',
    answer: json(slots, 'All of them; how many are busy, not which.'),
  },
});

type Deps = Pick<AppDeps, 'catalog' | 'models'>;

/** GET /props */
export async function getProps(c: AppContext, deps: Deps): Promise<Response> {
  const { name, model } = await findAsked(c, deps);
  const generates = can(model, 'generate');
  return c.json({
    default_generation_settings: { n_ctx: contextTokensOf(model, deps.models) ?? 0 },
    total_slots: slotsOf(model, deps),
    model_alias: name,
    model_path: name,
    modalities: {
      vision: generates && model.capabilities.image,
      audio: generates && model.capabilities.audio,
    },
    chat_template: model.chatTemplate?.() ?? '',
    build_info: `hearth-${packageVersion}`,
  });
}

/** GET /slots */
export async function listSlots(c: AppContext, deps: Deps): Promise<Response> {
  const { model } = await findAsked(c, deps);
  const { busySlots = 0 } = deps.models.status(model.id);
  const tokens = contextTokensOf(model, deps.models) ?? 0;
  const all = Array.from({ length: slotsOf(model, deps) }, (_, id) => id);
  return c.json(all.map((id) => ({ id, n_ctx: tokens, is_processing: id < busySlots })));
}

/** A model elsewhere has as many as its server has; that one is told at least, since it answers. */
function slotsOf({ id, settings, upstream }: NamedModel['model'], { models }: Deps): number {
  return models.status(id).slots ?? (upstream === undefined ? settings.parallel : 1);
}

async function findAsked(c: AppContext, deps: Deps): Promise<NamedModel> {
  const { model: asked } = readQuery(c, query);
  const found = findPresentModelFor('tokens', deps, c.get('principal'), asked);
  await deps.models.findNeeds([found.model.id]);
  return found;
}
