import type { Command } from 'commander';
import type { Account } from '../../accounts/accounts.ts';
import { removeAccount, type RemoveOptions } from './account-remove.ts';
import { addStoreOptions, withStore, type StoreOptions } from '../context.ts';
import { formatTime, printJson, printTable, type Column } from '../output.ts';
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

function show(account: Account, { json }: StoreOptions): void {
  if (json) printJson(account);
  else printTable([account], columns);
}

export function registerAccountsCommand(program: Command): void {
  const command = program
    .command('accounts')
    .description('create, list and remove accounts, set their plans');

  addStoreOptions(command.command('create'))
    .description('create an account; it starts on trial')
    .argument('<name>')
    .option('--plan <plan>', 'start on this plan instead')
    .action((name: string, options: StoreOptions & { plan?: string }) =>
      withStore(options, ({ accounts }) => show(accounts.create({ name, plan: options.plan }), options)),
    );

  addStoreOptions(command.command('list'))
    .description('list all accounts')
    .action((options: StoreOptions) =>
      withStore(options, ({ config, accounts }) => {
        const list = accounts.list();
        const start = shellCommand(['serve', ...sameFolder(config)]);
        if (options.json) printJson(list);
        else printTable(list, columns, `no accounts yet: the first start creates one: ${start}`);
      }),
    );

  addStoreOptions(command.command('set-plan'))
    .description('put an account on a plan; its balances stay what they are')
    .argument('<name>')
    .argument('<plan>')
    .action((name: string, plan: string, options: StoreOptions) =>
      withStore(options, ({ accounts }) => show(accounts.setPlan(name, plan), options)),
    );

  addStoreOptions(command.command('rm'))
    .description('remove an account: revokes its keys, deletes its stored responses, keeps its usage')
    .argument('<name>')
    .option('--yes', 'do not ask')
    .action((name: string, options: RemoveOptions) =>
      withStore(options, (context) => removeAccount(context, name, options)),
    );
}
