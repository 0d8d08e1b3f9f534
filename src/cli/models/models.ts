import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import type { Command } from 'commander';
import { formatPlace } from '../../engine/pool/model-place.ts';
import { toParametersNumber, toWireModel } from '../../api/models/convert.ts';
import { formatBytes } from '../../words/format-bytes.ts';
import { removePulled } from '../../catalog/pulls/pulled-files.ts';
import type { CatalogLog, CatalogModel } from '../../catalog/types.ts';
import type { Config } from '../../config/types.ts';
import { openCatalog } from '../../assembly/open-catalog.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { addConfigOptions, configFrom, type ConfigOptions } from '../context.ts';
import { pullByName, type PullCommandOptions } from './models-pull.ts';
import { orFail, printFields, printJson, printLines, printTable, tell, type Column } from '../output.ts';
import { isDemo } from '../../config/demo.ts';
import { connectToServer } from '../server-connection.ts';
import { sameFolder, shellCommand } from '../own-command.ts';

type ModelsOptions = ConfigOptions & PullCommandOptions;

export function registerModelsCommand(program: Command): void {
  const command = program.command('models').description('list, pull, show and remove models');

  add(command.command('list').description('what the running server serves, or could'), ({ config, json }) =>
    list(config, json),
  );

  const pull = command
    .command('pull [name]')
    .description(
      'fetch a model: hf:Owner/Repo:QUANT, a URL, or a name; without any, list the names and what suits this machine',
    )
    .option('--sha256 <hex>', 'what the file must hash to')
    .option('--id <name>', "the id to serve it under, instead of its file's name");
  addConfigOptions(pull.option('--json', 'print one JSON document')).action(
    async (name: string | undefined, options: ModelsOptions) => {
      await orFail(() => pullAndReport(name, configFrom(options), options));
    },
  );

  add(
    command.command('show <id>').description('everything that is known of a model'),
    ({ config, json }, id) => show(config, id, json),
  );
  add(command.command('rm <id>').description('remove a pulled model'), ({ config, json }, id) =>
    remove(config, id, json),
  );
}

interface ActionContext {
  readonly config: Config;
  readonly json: boolean;
}

/** Gives `command` the usual options and an action whose errors are printed, never thrown. */
function add(command: Command, action: (context: ActionContext, id: string) => void | Promise<void>): void {
  addConfigOptions(command.option('--json', 'print one JSON document')).action(async () => {
    const options = command.opts<ModelsOptions>();
    const context = (): ActionContext => ({ config: configFrom(options), json: options.json === true });
    await orFail(() => action(context(), command.args[0] ?? ''));
  });
}

/** Writes skipped files to standard error, because standard output holds the result. */
const stderrLog: CatalogLog = {
  debug: () => undefined,
  info: () => undefined,
  warn: ({ path }, message) => tell(`${String(path)}: ${message}`),
};

type Row = Omit<ReturnType<typeof toWireModel>, 'default_parameters' | 'info' | 'prices'>;

const columns: readonly Column<Row>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'KIND', value: ({ kind }) => kind, giveWay: 4 },
  { title: 'PARAMETERS', value: (model) => model.parameters_number, align: 'right', giveWay: 2 },
  { title: 'QUANT', value: ({ quantization }) => quantization, giveWay: 3 },
  {
    title: 'SIZE',
    value: (model) => (model.runs_elsewhere ? null : formatBytes(model.size_bytes)),
    align: 'right',
  },
  { title: 'CONTEXT', value: (model) => model.context_window, align: 'right', giveWay: 1 },
  { title: 'CAN', value: abilitiesOf, giveWay: 'wrap' },
  { title: 'ALIASES', value: ({ aliases }) => aliases.join(', ') || null, giveWay: 'wrap' },
];

/** Where there is a GPU. */
const placeColumn: Column<Row> = {
  title: 'RUNS',
  value: ({ runs_on: where }) =>
    where?.layers == null
      ? null
      : formatPlace({
          layers: where.layers,
          gpuLayers: where.gpu_layers ?? 0,
          expertLayers: where.expert_layers ?? 0,
        }),
  giveWay: 'wrap',
};

/** A model of the catalog as a server would list it before it is loaded. */
const toRow = (model: CatalogModel): Row =>
  toWireModel(
    { name: model.id, model, isReasoningVariant: false },
    { state: () => 'available', status: () => ({ state: 'available' }) },
  );

function abilitiesOf({ capabilities, supports_reasoning: reasoning }: Row): string | null {
  const abilities = [
    capabilities.supports_audio && 'audio',
    capabilities.supports_image && 'images',
    capabilities.supports_function_calling && 'tools',
    reasoning && 'reasoning',
  ];
  return abilities.filter(Boolean).join(', ') || null;
}

/** Lists the models of the running server, however it was started; without one, those that it would serve. */
async function list(config: Config, json: boolean): Promise<void> {
  const server = await connectToServer(config, 'this is what a server would serve');
  const listed = await server?.models().finally(() => server.close());
  const ids = new Set(listed?.map(({ id }) => id));
  const served = listed?.filter(({ id }) => !(id.endsWith('-r') && ids.has(id.slice(0, -2))));
  if (json || served === undefined) {
    const catalog = openCatalog(config, stderrLog);
    const models = catalog.list();
    if (json) printJson({ models, pending: catalog.pending(), served: served ?? null });
    else printModels(models.map(toRow), config);
  } else printModels(served, config);
}

function printModels(rows: readonly Row[], config: Config): void {
  const pull = shellCommand(['models', 'pull', ...sameFolder(config)]);
  const hasGpu = rows.some(({ runs_on: where }) => (where?.gpus.length ?? 0) > 0);
  printTable(rows, hasGpu ? [...columns, placeColumn] : columns, `no models yet: get one with: ${pull}`);
}

function show(config: Config, id: string, json: boolean): void {
  const model = findModel(config, id);
  if (json) {
    printJson(model);
    return;
  }
  const { settings } = model;
  printFields([
    ['id', model.id],
    ['aliases', model.aliases.join(', ') || null],
    ['owned by', model.ownedBy],
    ['kind', model.kind],
    ['parameters', `${toParametersNumber(model.parameterCount)} (${model.parameterCount})`],
    ['quantization', model.quantization],
    ['file', model.path ?? null],
    ['runs at', model.upstream?.urls.join(', ') ?? null],
    ['projector', model.projector?.path ?? null],
    ['size', formatBytes(toRow(model).size_bytes)],
    ['trained for', `${model.trainContextTokens || 'unknown'} tokens`],
    ['context', settings.contextTokens ?? 'as memory allows'],
    ['can', abilitiesOf(toRow(model))],
    ['parallel', settings.parallel],
    ['threads', settings.threads ?? 'auto'],
    ['GPU layers', settings.gpuLayers ?? 'auto'],
    ['cache type', settings.cacheType ?? 'f16'],
    ['flash attention', String(settings.flashAttention ?? 'auto')],
    ['LoRA adapters', settings.lora?.map(({ path, scale }) => `${path} × ${scale}`).join(', ') ?? null],
    ['cache file', String(settings.cacheFile ?? false)],
    ['drafts', settings.drafts ?? 'all'],
    ['unloaded after', settings.keepAliveMs === undefined ? 'never' : `${settings.keepAliveMs / 60_000} min`],
    ['preload', String(settings.preload)],
    ['isolation', settings.isolation ?? 'none'],
    ...Object.entries(model.info ?? {}).map(([name, value]) => [name, JSON.stringify(value)] as const),
  ]);
}

function findModel(config: Config, id: string): CatalogModel {
  const catalog = openCatalog(config, stderrLog);
  const model = catalog.find(id);
  if (model !== undefined) return model;
  const pending = catalog.pending().find((entry) => entry.id === id);
  if (pending !== undefined) {
    throw new CliError(
      `model "${id}" is configured, but ${pending.reason}`,
      pending.pullable ? shellCommand(['models', 'pull', id, ...sameFolder(config)]) : undefined,
    );
  }
  const near = catalog.nearest(id);
  throw new CliError(
    `there is no model "${id}"`,
    near.length > 0
      ? `did you mean ${near.join(', ')}?`
      : `see ${shellCommand(['models', 'list', ...sameFolder(config)])}`,
  );
}

function remove(config: Config, id: string, json: boolean): void {
  const model = findModel(config, id);
  if (model.path === undefined) throw new CliError(`"${model.id}" has no file here`);
  if (isDemo(model))
    throw new CliError(
      `"${model.id}" comes with hearth`,
      'to have it served no more, write demo: false into hearth.yaml',
    );
  if (!isInside(model.path, config.pulledModelsDir)) {
    throw new CliError(`"${model.id}" was not pulled`, `remove ${model.path} yourself if you want it gone`);
  }
  const paths = removePulled(model.path);
  if (json) printJson({ id: model.id, removed: paths });
  else printLines(paths.map((path) => `removed ${path}`));
}

/** Whether `path` lies in `folder`, links followed: a file elsewhere must not be removed. */
function isInside(path: string, folder: string): boolean {
  try {
    return realpathSync(path).startsWith(realpathSync(folder) + sep);
  } catch {
    return false;
  }
}

async function pullAndReport(
  name: string | undefined,
  config: Config,
  options: ModelsOptions,
): Promise<void> {
  const catalog = openCatalog(config, stderrLog);
  const pulled = await pullByName(name, config, catalog, options);
  if (pulled === undefined) return;
  catalog.rescan();
  const served = catalog.list().find(({ path }) => path === pulled.path);
  if (options.json === true) {
    printJson({ id: served?.id ?? null, ...pulled });
    return;
  }
  const what = pulled.wasThere ? 'was there already' : `pulled, ${formatBytes(pulled.sizeBytes)}`;
  printLines([`${pulled.path}: ${what}`, ...(served === undefined ? [] : [`served as ${served.id}`])]);
}
