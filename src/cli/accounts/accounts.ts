import type { Command } from 'commander';
import type { Account } from '../../accounts/accounts.ts';
import { removeAccount, type RemoveOptions } from './account-remove.ts';
import { addBudgetOption, parseBudgetFlags, withBudgets } from './budget-flags.ts';
import { addStoreOptions, lookIntoStore, withStore, type StoreOptions } from '../context.ts';
import { formatTime, printRow, printRows, type Column } from '../output.ts';
import { sameFolder, shellCommand } from '../own-command.ts';

const columns: readonly Column<Account>[] = [
  { title: 'NAME', value: ({ name }) => name },
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

  addStoreOptions(command.command('create'))
    .description('create an account; it starts on trial')
    .argument('<name>')
    .option('--plan <plan>', 'start on this plan instead')
    .action((name: string, options: StoreOptions & { plan?: string }) =>
      withStore(options, ({ accounts }) =>
        printRow(accounts.create({ name, plan: options.plan }), columns, options.json),
      ),
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

  addBudgetOption(addStoreOptions(command.command('set')))
    .description('change an account, from the next request on; what is not named stays')
    .argument('<name>')
    .option('--plan <plan>', 'put it on this plan')
    .action((name: string, options: StoreOptions & { plan?: string; budget?: readonly string[] }) =>
      withStore(options, ({ accounts }) => {
        const { plan, budget } = options;
        const account = accounts.change(name, { plan, budgets: parseBudgetFlags(budget) });
        printRow(account, withBudgets([account], columns, 'PLAN'), options.json);
      }),
    );

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
