import type { Command } from 'commander';
import type { Account } from '../../accounts/accounts.ts';
import type { ApiKey, CreatedKey } from '../../accounts/keys.ts';
import { scopeForms } from '../../accounts/types.ts';
import type { Config } from '../../config/types.ts';
import {
  addStoreOptions,
  parseDurationFlag,
  parseCountFlag,
  lookIntoStore,
  withStore,
  type StoreContext,
  type StoreOptions,
} from '../context.ts';
import { addBudgetOption, withBudgets } from './budget-flags.ts';
import { rightsIn, type RightFlags } from './right-flags.ts';
import { showKey } from './key-show.ts';
import { formatTime, printJson, printRow, printRows, printTable, type Column } from '../output.ts';
import { sameFolder, shellCommand } from '../own-command.ts';

const columns: readonly Column<ApiKey>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'ACCOUNT', value: ({ accountName }) => accountName, giveWay: 'wrap' },
  { title: 'NAME', value: ({ name }) => name || null, giveWay: 'wrap' },
  { title: 'KEY', value: ({ redacted }) => redacted, giveWay: 1 },
  { title: 'KIND', value: ({ kind }) => kind, giveWay: 2 },
  // The last ones to go: one line for each key fits 80 columns.
  { title: 'STATE', value: ({ state }) => state, giveWay: 0.2 },
  { title: 'MODELS', value: ({ allowedModels }) => allowedModels?.join(', ') ?? 'all', giveWay: 0.5 },
  { title: 'CREATED', value: ({ createdAtMs }) => formatTime(createdAtMs), giveWay: 5 },
  { title: 'LAST USED', value: ({ lastUsedAtMs }) => formatTime(lastUsedAtMs), giveWay: 4 },
  { title: 'EXPIRES', value: ({ expiresAtMs }) => formatTime(expiresAtMs), giveWay: 3 },
];

/** Columns for marks that few keys have: a table without such keys does without them. */
const rightColumns: readonly Column<ApiKey>[] = [
  { title: 'SCOPES', value: ({ scopes }) => scopes?.join(', ') ?? null, giveWay: 0.6 },
  { title: 'AT ONCE', value: ({ parallel }) => parallel, align: 'right', giveWay: 0.8 },
];

function columnsFor(keys: readonly ApiKey[]): readonly Column<ApiKey>[] {
  const rights = rightColumns.filter(({ value }) => keys.some((key) => value(key) !== null));
  const all = columns.flatMap((column) => (column.title === 'MODELS' ? [column, ...rights] : column));
  return withBudgets(keys, all, 'MODELS');
}

interface SetOptions extends StoreOptions, RightFlags {
  readonly name?: string;
  readonly expires?: string;
  readonly limit?: string;
}

interface CreateOptions extends SetOptions {
  readonly account: string;
  readonly admin?: boolean;
}

/** The fields of a key that flags set. `--limit none` takes the budget of tokens away. */
async function fieldsIn(options: SetOptions, context: StoreContext) {
  const { name, expires, limit } = options;
  const { budgets = {}, ...rights } = await rightsIn(options, context);
  const ever = limit === 'none' ? null : limit === undefined ? undefined : parseCountFlag('--limit', limit);
  return {
    name,
    expiresAtMs: expires === undefined ? undefined : toExpiry(expires, context.nowMs),
    ...rights,
    budgets: ever === undefined ? budgets : { ...budgets, tokens: { ...budgets.tokens, ever } },
  };
}

function showCreated({ key, secret }: CreatedKey, { json }: StoreOptions): void {
  if (json) {
    printJson({ ...key, secret });
    return;
  }
  printTable([key], columnsFor([key]));
  process.stdout.write(`\nThe key, shown only this once: ${secret}\n`);
}

/** When a key made at `nowMs` expires; null: never. */
function toExpiry(expires: string, nowMs: number): number | null {
  const durationMs = parseDurationFlag('--expires', expires);
  return Number.isFinite(durationMs) ? nowMs + durationMs : null;
}

/** The text shown where there is no key. The server makes the first one in an empty database. */
function noKeys([account]: readonly Account[], config: Config): string {
  if (account === undefined)
    return `no keys yet: the first start creates one: ${shellCommand(['serve', ...sameFolder(config)])}`;
  const create = ['keys', 'create', '--account', account.name, ...sameFolder(config)];
  return `no keys yet: make one with: ${shellCommand(create)}`;
}

export function registerKeysCommand(program: Command): void {
  const command = program
    .command('keys')
    .description('create, list, show, change, revoke and rotate API keys');

  registerCreate(command);

  addStoreOptions(command.command('list'))
    .description('list all keys, without their secrets')
    .option('--account <name>', 'of this account only')
    .action((options: StoreOptions & { account?: string }) =>
      lookIntoStore(options, ({ config, accounts, keys }) => {
        const { account } = options;
        const list = keys.list(account === undefined ? undefined : accounts.get(account).id);
        printRows(list, columnsFor(list), options.json, noKeys(accounts.list(), config));
      }),
    );

  addStoreOptions(command.command('show'))
    .description('everything that is known of a key, and what it has left of each allowance')
    .argument('<id>')
    .action((id: string, options: StoreOptions) =>
      withStore(options, (context) => showKey(context, id, options.json === true)),
    );

  registerSet(command);

  addStoreOptions(command.command('revoke'))
    .description('make a key useless, from the next request on')
    .argument('<id>')
    .action((id: string, options: StoreOptions) =>
      withStore(options, ({ keys }) => printRow(keys.revoke(id), columns, options.json)),
    );

  addStoreOptions(command.command('rotate'))
    .description('create a key in place of another, with its rights and balances, and show it once')
    .argument('<id>')
    .option('--overlap <time>', 'how long the old one works on, such as 1h', '0')
    .action((id: string, options: StoreOptions & { overlap: string }) =>
      withStore(options, ({ keys }) =>
        showCreated(keys.rotate(id, parseDurationFlag('--overlap', options.overlap)), options),
      ),
    );
}

function registerSet(command: Command): void {
  addBudgetOption(addStoreOptions(command.command('set')))
    .description('change a key, from the next request on; what is not named stays')
    .argument('<id>')
    .option('--name <text>', 'what the key is for')
    .option('--expires <time>', 'from now on, such as 90d; -1: never')
    .option('--models <ids>', 'models that it may use, separated by commas; all: every one')
    .option('--scopes <list>', `what it may be used for: ${scopeForms}; all: everything`)
    .option('--parallel <number>', 'most requests at once; none: any number')
    .option('--limit <tokens>', 'a budget of tokens that is never filled again; none: no such budget')
    .action((id: string, options: SetOptions) =>
      withStore(options, async (context) => {
        const key = context.keys.change(id, await fieldsIn(options, context));
        printRow(key, columnsFor([key]), options.json);
      }),
    );
}

function registerCreate(command: Command): void {
  addBudgetOption(addStoreOptions(command.command('create')))
    .description('create a key and show it, once')
    .requiredOption('--account <name>', 'account that the key belongs to')
    .option('--name <text>', 'what the key is for')
    .option('--expires <time>', 'such as 90d (default: never)')
    .option('--models <ids>', 'models that it may use, separated by commas (default: all)')
    .option('--scopes <list>', `what it may be used for: ${scopeForms} (default: everything)`)
    .option('--parallel <number>', 'most requests at once (default: any number)')
    .option('--limit <tokens>', 'a budget of tokens, in and out, that is never filled again (default: none)')
    .option('--admin', 'a key for /admin/v1 instead of an ordinary one')
    .action((options: CreateOptions) =>
      withStore(options, async (context) => {
        const created = context.keys.create({
          accountId: context.accounts.get(options.account).id,
          kind: options.admin ? 'admin' : 'user',
          ...(await fieldsIn(options, context)),
        });
        showCreated(created, options);
      }),
    );
}
