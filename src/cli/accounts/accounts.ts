import type { Command } from 'commander';
import type { Account } from '../../accounts/accounts.ts';
import { addBudgetOption, parseBudgetFlags, withBudgets } from './budget-flags.ts';
import {
  addStoreOptions,
  lookIntoStore,
  withStore,
  type StoreOptions,
  type StoreContext,
} from '../context.ts';
import { formatTime, printRow, printRows, printJson, type Column } from '../output.ts';
import { sameFolder, shellCommand } from '../own-command.ts';
import { confirm } from '@clack/prompts';
import { webhookProblem } from '../../notices/webhook.ts';
import { CliError } from '../../errors/operator-errors.ts';

const columns: readonly Column<Account>[] = [
  { title: 'NAME', value: ({ name }) => name, giveWay: 'wrap' },
  { title: 'ID', value: ({ id }) => id },
  {
    title: 'PLAN',
    value: ({ plan, planInForce }) => (plan === planInForce ? plan : `${planInForce} (was ${plan})`),
  },
  { title: 'TRIAL ENDS', value: ({ trialEndsAtMs }) => formatTime(trialEndsAtMs), giveWay: 1 },
  { title: 'CREATED', value: ({ createdAtMs }) => formatTime(createdAtMs), giveWay: 2 },
];

export function registerAccountsCommand(program: Command): void {
  const command = program.command('accounts').description('create, list, change and remove accounts');

  addBudgetOption(addStoreOptions(command.command('create')))
    .description('create an account; it starts on trial')
    .argument('<name>')
    .option('--plan <plan>', 'start on this plan instead')
    .action((name: string, options: StoreOptions & { plan?: string; budget?: readonly string[] }) =>
      withStore(options, ({ accounts }) => {
        const { plan, budget } = options;
        const account = accounts.create({ name, plan, budgets: parseBudgetFlags(budget) });
        printRow(account, withBudgets([account], columns, 'PLAN'), options.json);
      }),
    );

  addStoreOptions(command.command('list'))
    .description('list all accounts')
    .action((options: StoreOptions) =>
      lookIntoStore(options, ({ config, accounts }) => {
        const start = shellCommand(['serve', ...sameFolder(config)]);
        const empty = `no accounts yet: the first start creates one: ${start}`;
        const all = accounts.list();
        printRows(all, withBudgets(all, columns, 'PLAN'), options.json, empty);
      }),
    );

  addStoreOptions(command.command('set-plan'))
    .description('put an account on a plan; its balances stay what they are')
    .argument('<name>')
    .argument('<plan>')
    .action((name: string, plan: string, options: StoreOptions) =>
      withStore(options, ({ accounts }) => printRow(accounts.change(name, { plan }), columns, options.json)),
    );

  registerSet(command);

  addStoreOptions(command.command('rm'))
    .description(
      'remove an account: revokes its keys, deletes its stored responses and kept caches, keeps its usage',
    )
    .argument('<name>')
    .option('--yes', 'do not ask')
    .action((name: string, options: RemoveOptions) =>
      withStore(options, (context) => removeAccount(context, name, options)),
    );
}

function registerSet(command: Command): void {
  addBudgetOption(addStoreOptions(command.command('set')))
    .description('change an account, from the next request on; what is not named stays')
    .argument('<name>')
    .option('--name <name>', 'call it so')
    .option('--plan <plan>', 'put it on this plan')
    .option('--webhook <url>', 'where it is told of its budgets, an https address; none: nowhere')
    .action((name: string, options: SetOptions) =>
      withStore(options, ({ accounts }) => {
        const { plan, budget, webhook } = options;
        const problem = webhook === undefined || webhook === 'none' ? undefined : webhookProblem(webhook);
        if (problem !== undefined) throw new CliError(`--webhook ${problem}`);
        const account = accounts.change(name, {
          name: options.name,
          plan,
          budgets: parseBudgetFlags(budget),
          webhook: webhook === 'none' ? null : webhook,
        });
        const secret = webhook === undefined ? undefined : accounts.webhookSecret(account);
        printRow(
          { ...account, webhookSecret: secret },
          withBudgets([account], columns, 'PLAN'),
          options.json,
        );
        if (secret !== undefined && options.json !== true)
          process.stdout.write(`\nThe secret that signs what is sent there: ${secret}\n`);
      }),
    );
}

interface SetOptions extends StoreOptions {
  readonly name?: string;
  readonly plan?: string;
  readonly budget?: readonly string[];
  readonly webhook?: string;
}

interface RemoveOptions extends StoreOptions {
  readonly yes?: boolean | undefined;
}

/** Removes an account after asking on a terminal; elsewhere only with `--yes`. Throws AppError and CliError. */
async function removeAccount(
  { accounts, keys }: StoreContext,
  nameOrId: string,
  { yes, json }: RemoveOptions,
): Promise<void> {
  const { id, name } = accounts.get(nameOrId);
  const activeKeys = keys.list(id).filter(({ state }) => state === 'active').length;
  if (yes !== true && !(await isConfirmed(name, activeKeys, json === true))) return;
  const removed = await accounts.remove(id);
  if (json === true) {
    printJson(removed);
    return;
  }
  const { revokedKeys, deletedResponses } = removed;
  process.stdout.write(
    `removed account ${name}: ${counted(revokedKeys, 'key')} revoked, ${counted(deletedResponses, 'stored response')} deleted; ` +
      `what it used stays in "usage", under ${id}\n`,
  );
}

async function isConfirmed(name: string, activeKeys: number, json: boolean): Promise<boolean> {
  if (json || !process.stdin.isTTY || !process.stdout.isTTY)
    throw new CliError(
      `account "${name}" has ${counted(activeKeys, 'active key')}`,
      'add --yes to remove it',
    );
  const answer = await confirm({
    message:
      `Remove account "${name}"? From the next request on ${activeKeys === 1 ? 'its key opens' : `its ${activeKeys} keys open`} nothing, ` +
      'and its stored responses are deleted. What it used stays in the usage.',
    initialValue: false,
  });
  return answer === true;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
