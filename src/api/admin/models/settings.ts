import { z } from 'zod';
import { CatalogConflictError, defaultModelSettings } from '../../../catalog/model-entry.ts';
import type { CatalogModel } from '../../../catalog/types.ts';
import { modelShape } from '../../../config/file/file-schema.ts';
import { changeableSettings, type ModelSettingsChange } from '../../../config/file/model-settings.ts';
import { AppError } from '../../../errors/errors.ts';
import { ConfigError } from '../../../errors/operator-errors.ts';
import type { Routes } from '../../add-routes.ts';
import type { AppContext, AppDeps } from '../../env.ts';
import type { Middleware } from '../../add-routes.ts';
import { namedObject } from '../../openapi/json-schema.ts';
import { json as jsonAnswer, operationsOf } from '../../openapi/operation.ts';
import { readBody } from '../../request/read-parameters.ts';

type Name = (typeof changeableSettings)[number];

const shapeOf = <Field extends z.ZodType>(field: (name: Name) => Field) =>
  Object.fromEntries(changeableSettings.map((name) => [name, field(name)])) as Record<Name, Field>;

/** As in the configuration file; null takes a line out of it. */
const change = namedObject(
  'ChangeModelSettings',
  shapeOf((name) => modelShape[name].nullable().optional()),
);

export const modelSettings = namedObject('ModelSettings', {
  id: z.string().min(1),
  object: z.literal('model_settings'),
  file: z.string().min(1).describe('The configuration file, on the machine of the server.'),
  settings: z
    .strictObject(shapeOf(() => z.union([z.number(), z.string(), z.array(z.string()), z.null()])))
    .describe('As the file has them for this model; null: it says nothing, and the default holds.'),
  defaults: z
    .strictObject({ gpuLayers: z.string(), keepAlive: z.string() })
    .describe('What holds where the file says nothing, as the file would have it.'),
});

const ofModel = { pathParameters: { id: 'An id or alias; it may have slashes in it.' } };

export const modelSettingsOperations = operationsOf(['Administration', 'admin'], {
  getModelSettings: {
    route: 'GET /admin/v1/models/{id}/settings',
    summary: 'Tell what the configuration file says of a model',
    ...ofModel,
    answer: jsonAnswer(modelSettings, 'The settings that can be changed here.'),
    errors: ['model_not_found', 'invalid_value'],
  },
  changeModelSettings: {
    route: 'PATCH /admin/v1/models/{id}/settings',
    summary: 'Change what the configuration file says of a model',
    description:
      'The file is written, with its comments and all else as it was, and read again as by SIGHUP: the next load has ' +
      'the new settings, and the next request the new defaults. What cannot be put into force changes nothing.',
    ...ofModel,
    body: { schema: change, example: { context: 8192, temperature: 0.7 } },
    answer: jsonAnswer(modelSettings, 'The settings as they are now.'),
    errors: ['model_not_found', 'invalid_value'],
  },
});

/** The routes of models' settings in the configuration file. */
export function modelSettingsRoutes(
  { administration: { modelSettings: settings } }: AppDeps,
  json: Middleware,
  find: (c: AppContext) => CatalogModel,
): Routes {
  const respond = (c: AppContext, { id, settings: inForce }: CatalogModel) => {
    const said = settings.of(id);
    const { keepAliveMs } = said.keepAlive === null ? inForce : defaultModelSettings;
    const keepAlive = keepAliveMs === undefined ? '-1' : `${keepAliveMs / 60_000}m`;
    const defaults = { gpuLayers: 'auto', keepAlive };
    return c.json({ id, object: 'model_settings', file: settings.path, settings: said, defaults });
  };
  return {
    '/models/:id{.+}/settings': {
      GET: (c) => orNamed({}, async () => respond(c, find(c))),
      PATCH: [
        json,
        async (c) => {
          readBody(c, change);
          const { id } = find(c);
          // As they were written: the file has durations and sizes in words.
          const given = Object.entries(c.get('body')).filter(([name]) =>
            changeableSettings.some((one) => one === name),
          );
          const wanted: ModelSettingsChange = Object.fromEntries(given);
          return await orNamed(wanted, async () => {
            const before = told(settings.of(id));
            await settings.change(id, wanted);
            c.set('act', ['model.change', id, before, told(settings.of(id))]);
            return respond(c, find(c));
          });
        },
      ],
    },
  };
}

/** As the audit log has them, which holds no prompts. */
const told = ({ system, ...others }: ModelSettingsChange): object => ({
  ...others,
  system: typeof system === 'string' ? `${system.length} characters` : null,
});

/** The response of `work`. An error of the file is told to the operator, who can mend it, with its setting. */
async function orNamed(wanted: ModelSettingsChange, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConfigError) && !(error instanceof CatalogConflictError)) throw error;
    const param = Object.keys(wanted).find((name) => error.message.includes(`.${name}: `));
    throw new AppError('invalid_value', `The configuration was not changed: ${error.message}.`, {
      ...(param !== undefined && { param }),
      cause: error,
    });
  }
}
