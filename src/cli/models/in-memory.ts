import type { Command } from 'commander';
import { formatBytes } from '../../words/format-bytes.ts';
import { addStoreOptions, configFrom, type StoreOptions } from '../context.ts';
import { orFail, printRows, type Column } from '../output.ts';
import { withServer, type ServerConnection } from '../server-connection.ts';

/** A model in memory, as Ollama's API tells of it. */
interface LoadedModel {
  readonly name: string;
  readonly size: number;
  readonly size_vram: number;
  readonly context_length?: number;
  readonly expires_at: string;
}

const columns: readonly Column<LoadedModel>[] = [
  { title: 'MODEL', value: ({ name }) => withoutTag(name) },
  { title: 'MEMORY', value: ({ size }) => formatBytes(size), align: 'right' },
  {
    title: 'ON GPU',
    value: ({ size_vram: bytes }) => (bytes > 0 ? formatBytes(bytes) : null),
    align: 'right',
    giveWay: 2,
  },
  { title: 'CONTEXT', value: (model) => model.context_length ?? null, align: 'right' },
  { title: 'UNTIL', value: ({ expires_at: at }) => `${at.slice(0, 16).replace('T', ' ')}Z`, giveWay: 1 },
];

const withoutTag = (name: string) => name.replace(/:latest$/, '');

/** `hearth ps` and `hearth stop`, as people know them from Ollama. */
export function registerInMemoryCommands(program: Command): void {
  addStoreOptions(program.command('ps'))
    .description('the models that the running server has in memory')
    .action((options: StoreOptions) =>
      ask(options, async (server) => {
        const { models } = (await server.ask('GET', '/api/ps')) as { models: readonly LoadedModel[] };
        printRows(models, columns, options.json, 'no model is in memory');
      }),
    );

  addStoreOptions(program.command('stop'))
    .description('have the running server free a model, once nobody uses it')
    .argument('<model>')
    .action((name: string, options: StoreOptions) =>
      ask(options, async (server) => {
        const { id } = await server.model(name);
        await server.ask('POST', '/api/generate', { model: id, keep_alive: 0, stream: false });
      }),
    );
}

const ask = (options: StoreOptions, work: (server: ServerConnection) => Promise<void>): Promise<void> =>
  orFail(() => withServer(configFrom(options), 'only a running server has models in memory', work));
