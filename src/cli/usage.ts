import { Option, type Command } from 'commander';
import { queryUsage, usageGroupings, type Usage, type UsageGrouping } from '../limits/usage.ts';
import { addStoreOptions, parseDurationFlag, withStore, type StoreOptions } from './context.ts';
import { printJson, printTable, type Column } from './output.ts';

interface UsageOptions extends StoreOptions {
  readonly account?: string;
  readonly since: string;
  readonly by: UsageGrouping;
}

function columnsBy(by: UsageGrouping): Column<Usage>[] {
  const number = (title: string, value: (usage: Usage) => number): Column<Usage> => ({
    title,
    value,
    align: 'right',
  });
  return [
    { title: by.toUpperCase(), value: ({ label }) => label },
    number('REQUESTS', ({ requests }) => requests),
    number('GIVEN BACK', ({ refunded }) => refunded),
    number('PROMPT TOKENS', ({ promptTokens }) => promptTokens),
    number('CACHED', ({ cachedTokens }) => cachedTokens),
    number('COMPLETION TOKENS', ({ completionTokens }) => completionTokens),
    number('AUDIO SECONDS', ({ audioSeconds }) => audioSeconds),
  ];
}

export function registerUsageCommand(program: Command): void {
  addStoreOptions(program.command('usage'))
    .description('show what was used')
    .option('--account <name>', 'by this account only')
    .option('--since <time>', 'in so long up to now; -1: all that is kept', '7d')
    .addOption(new Option('--by <what>', 'one line for each').choices(usageGroupings).default('key'))
    .action((options: UsageOptions) =>
      withStore(options, ({ accounts, store, nowMs }) => {
        const sinceMs = parseDurationFlag('--since', options.since);
        const usage = queryUsage(store, {
          by: options.by,
          fromMs: Number.isFinite(sinceMs) ? nowMs - sinceMs : undefined,
          accountId: options.account === undefined ? undefined : accounts.get(options.account).id,
        });
        if (options.json) printJson(usage);
        else printTable(usage, columnsBy(options.by), 'nothing was used in this time');
      }),
    );
}
