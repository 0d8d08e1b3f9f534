import { Option, type Command } from 'commander';
import { actingAs, onThisMachine } from '../accounts/audit.ts';
import { Accounts } from '../accounts/accounts.ts';
import { Calendar } from '../accounts/budgets/calendar.ts';
import { Invitations } from '../accounts/sign-in/invitations.ts';
import { Keys } from '../accounts/keys.ts';
import { readMadePlans } from '../accounts/made-plans.ts';
import { greatestLimit, PlanBook } from '../accounts/plans.ts';
import { parseDurationMs } from '../config/values/duration.ts';
import type { ConfigFlags } from '../config/flags-and-variables.ts';
import { loadConfig } from '../config/load-config.ts';
import type { Config } from '../config/types.ts';
import type { Services } from '../assembly/services.ts';
import { createLog } from '../telemetry/log.ts';
import { whyUnwritten } from '../store/damaged-database.ts';
import { openStore, type Store } from '../store/store.ts';
import { cachesDeletion } from '../upkeep/kept-caches.ts';
import { CliError } from '../errors/operator-errors.ts';
import { fail, tell } from './output.ts';
import { messageOf } from '../words/describe-error.ts';

/** Flags as commander parses them. */
export type ConfigOptions = ConfigFlags;

export interface StoreOptions extends ConfigOptions {
  readonly json?: boolean | undefined;
}

function addPathOptions(command: Command): Command {
  return command
    .option('--config <file>', 'YAML file of settings (default: hearth.yaml where it exists)')
    .option('--data-dir <folder>', 'folder of the database and of downloaded models');
}

/** The command with the flags of every command that serves or looks at models. */
export function addConfigOptions(command: Command): Command {
  return addPathOptions(command)
    .option(
      '--models-dir <folder>',
      'folder of model files; may be given more than once',
      (folder: string, folders: readonly string[] | undefined) => [...(folders ?? []), folder],
    )
    .option('--log-level <level>', 'least severity that "serve" logs (default: info)');
}

/** The command with the flags of every command that starts a server. */
export function addServeOptions(command: Command): Command {
  command
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--port <number>', 'port to listen on; 0 takes a free one (default: 8080)')
    .option('--lan', 'listen on the network too, and show a link for the browser of a phone')
    .addOption(modelFileOption())
    .option('--no-key', 'have programs on this machine need no key; not with --lan or --host');
  return addConfigOptions(command);
}

/** Its value is no `model`: other commands have a --model that names one of those that are served. */
export function modelFileOption(): Option {
  const option = new Option('-m, --model <file>', 'serve this model file and no other model');
  option.attributeName = () => 'modelFile';
  return option;
}

/** The command with the flags of every command that works on the database only. */
export function addStoreOptions(command: Command): Command {
  return addPathOptions(command).option('--json', 'print one JSON document instead of a table');
}

/** The settings under these flags, this environment and this folder. Throws ConfigError. */
export function configFrom(options: ConfigOptions): Config {
  return loadConfig({ flags: options, env: process.env, cwd: process.cwd() });
}

/** The store; where it had to be migrated, standard error says so, because an older hearth cannot open it any more. */
export function openTellingStore({ databaseFile }: Pick<Config, 'databaseFile'>): Store {
  const store = openStore(databaseFile);
  if (store.migrated !== undefined)
    tell(`migrated the database; what it was before lies in ${store.migrated.copy}`);
  return store;
}

/** The accounts and keys in the store, by the plans of these settings. */
export function openAccounts(config: Config, store: Store) {
  const calendar = new Calendar(config.timeZone);
  const plans = new PlanBook(config.plans, Date.now(), calendar, config.prices, readMadePlans(store));
  const accounts = new Accounts({ store, plans, now: Date.now, onRemoved: cachesDeletion(config, store) });
  return { plans, accounts, keys: new Keys({ store, now: Date.now, calendar }) };
}

/** The services for a command that computes in this process. Nothing is logged: errors are told in one line. */
export async function openQuietServices(config: Config): Promise<Services> {
  // Loading the engine takes a moment that other commands should not pay.
  const { openServices } = await import('../assembly/services.ts');
  return await openServices(config, createLog({ level: 'silent' }), openTellingStore(config));
}

export interface StoreContext {
  readonly config: Config;
  readonly store: Store;
  readonly plans: PlanBook;
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly invitations: Invitations;
  readonly nowMs: number;
}

/** Runs a command on the opened database and closes it; an error is printed, never thrown. */
export const withStore = (options: StoreOptions, work: StoreWork): Promise<void> =>
  runOnStore(() => configFrom(options), work);

/** As `withStore`, for commands that change nothing: mistakes in the hearth.yaml of this folder do not stop them. */
export const lookIntoStore = (options: StoreOptions, work: StoreWork): Promise<void> =>
  runOnStore(() => {
    let mistake: string | undefined;
    const onBrokenFile = ({ message }: Error) => (mistake = message);
    const config = loadConfig({ flags: options, env: process.env, cwd: process.cwd(), onBrokenFile });
    if (mistake !== undefined) tell(`${mistake}; this shows ${config.dataDir} without these settings`);
    return config;
  }, work);

type StoreWork = (context: StoreContext) => void | Promise<void>;

async function runOnStore(readConfig: () => Config, work: StoreWork): Promise<void> {
  try {
    const config = readConfig();
    const nowMs = Date.now();
    const store = openTellingStore(config);
    try {
      const { plans, accounts, keys } = openAccounts(config, store);
      const invitations = new Invitations({ store, accounts, keys, now: Date.now });
      const context = { config, store, plans, accounts, keys, invitations, nowMs };
      await actingAs(onThisMachine('command line'), () => work(context));
    } catch (error) {
      throw whyUnwritten(config.databaseFile, error);
    } finally {
      store.close();
    }
  } catch (error) {
    fail(error);
  }
}

/** A whole number, at least 1, in the flag's unit; default: tokens. Throws CliError that names the flag. */
export function parseCountFlag(flag: string, value: string, meant = 'tokens, such as 500000'): number {
  const count = Number(value);
  if (/^\d+$/.test(value) && count >= 1 && count <= greatestLimit) return count;
  throw new CliError(`${flag}: must be a whole number of ${meant}`);
}

/** Milliseconds of a flag such as `90d`; Infinity for -1. Throws CliError that names the flag. */
export function parseDurationFlag(flag: string, value: string): number {
  try {
    return parseDurationMs(value);
  } catch (error) {
    throw new CliError(`${flag}: ${messageOf(error)}`);
  }
}
