import { Option, type Command } from 'commander';
import { listActs } from '../../accounts/audit.ts';
import { queryUsage, usageGroupings, type Usage, type UsageGrouping } from '../../limits/reports/usage.ts';
import { parseTimeBound, timeBoundForms } from '../../config/values/time-bound.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { addStoreOptions, lookIntoStore, type StoreOptions } from '../context.ts';
import { toCsv } from '../../words/csv.ts';
import type { NoticeRow } from '../../store/tables/notice-table.ts';
import { formatTime, printLines, printRows, toJson, type Column } from '../output.ts';

interface UsageOptions extends StoreOptions {
  readonly account?: string;
  readonly since: string;
  readonly until?: string;
  readonly by: UsageGrouping;
  readonly csv?: boolean;
}

const arePriced = ([first]: readonly Usage[]) => first?.units !== undefined;
const unitsOf = ({ units = 0 }: Usage) => units;

function columnsBy(by: UsageGrouping, usage: readonly Usage[]): Column<Usage>[] {
  const number = (title: string, value: (usage: Usage) => number): Column<Usage> => ({
    title,
    value,
    align: 'right',
  });
  return [
    { title: by.toUpperCase(), value: ({ label }) => label, giveWay: 'wrap' },
    number('REQUESTS', ({ requests }) => requests),
    { ...number('REFUNDED', ({ refunded }) => refunded), giveWay: 2 },
    { ...number('REFUSED', ({ refused }) => refused), giveWay: 2 },
    number('TOKENS IN', ({ promptTokens }) => promptTokens),
    { ...number('CACHED', ({ cachedTokens }) => cachedTokens), giveWay: 3 },
    number('TOKENS OUT', ({ completionTokens }) => completionTokens),
    { ...number('AUDIO S', ({ audioSeconds }) => audioSeconds), giveWay: 1 },
    // Last, so that programs which read the columns by their place go on.
    { ...number('FAILED', ({ failed }) => failed), giveWay: 2 },
    ...(arePriced(usage) ? [number('UNITS', unitsOf)] : []),
  ];
}

/** The columns of CSV, as the admin API names them. */
const usageFields: Readonly<Record<string, (usage: Usage) => string | number>> = {
  group: ({ group }) => group,
  label: ({ label }) => label,
  requests: ({ requests }) => requests,
  refunded_requests: ({ refunded }) => refunded,
  refused_requests: ({ refused }) => refused,
  prompt_tokens: ({ promptTokens }) => promptTokens,
  cached_tokens: ({ cachedTokens }) => cachedTokens,
  completion_tokens: ({ completionTokens }) => completionTokens,
  audio_seconds: ({ audioSeconds }) => audioSeconds,
  failed_requests: ({ failed }) => failed,
};

/** Unix ms that a flag names; undefined: no bound. Throws CliError that names the flag. */
function toBoundMs(flag: string, text: string, nowMs: number): number | undefined {
  // A number with so few digits is an age without its unit, not a second of 1970.
  const bound = /^\d{1,8}$/.test(text) ? undefined : parseTimeBound(text);
  if (bound === undefined) throw new CliError(`${flag}: "${text}" is not ${timeBoundForms}`);
  const atMs = bound(nowMs);
  return Number.isFinite(atMs) ? atMs : undefined;
}

export function registerUsageCommand(program: Command): void {
  addStoreOptions(program.command('usage'))
    .description('show what was used')
    .option('--account <name>', 'by this account only')
    .option('--since <time>', 'from then on: an age, a date or a time in UTC; -1: all that is kept', '7d')
    .option('--until <time>', 'before then (default: now)')
    .addOption(
      new Option('--by <what>', 'one line for each; days are those of UTC')
        .choices(usageGroupings)
        .default('key'),
    )
    .option('--csv', 'print lines for a spreadsheet')
    .action((options: UsageOptions) =>
      lookIntoStore(options, ({ accounts, store, nowMs }) => {
        const fromMs = toBoundMs('--since', options.since, nowMs);
        const toMs = options.until === undefined ? undefined : toBoundMs('--until', options.until, nowMs);
        if (fromMs !== undefined && toMs !== undefined && fromMs >= toMs)
          throw new CliError('--until must be later than --since');
        const usage = queryUsage(store, {
          by: options.by,
          fromMs,
          toMs,
          accountId: options.account === undefined ? undefined : accounts.idInHistory(options.account),
        });
        if (options.csv === true)
          printLines(toCsv(usage, { ...usageFields, ...(arePriced(usage) && { units: unitsOf }) }));
        else printRows(usage, columnsBy(options.by, usage), options.json, 'nothing was used in this time');
      }),
    );
}

const noticeColumns: readonly Column<NoticeRow>[] = [
  { title: 'AT', value: ({ atMs }) => formatTime(atMs) },
  { title: 'KIND', value: ({ kind }) => kind, giveWay: 1 },
  { title: 'NOTICE', value: ({ message }) => message, giveWay: 'wrap' },
];

export function registerNoticesCommand(program: Command): void {
  addStoreOptions(program.command('notices'))
    .description('show budgets that were used up, full disks, failed models and ending certificates')
    .option('--since <time>', 'from then on: an age, a date or a time in UTC; -1: all that is kept', '7d')
    .action((options: StoreOptions & { since: string }) =>
      lookIntoStore(options, ({ store, nowMs }) => {
        const rows = store.notices.list(toBoundMs('--since', options.since, nowMs) ?? 0, pageRows, nowMs);
        printRows(rows, noticeColumns, options.json, 'there were no notices in this time');
      }),
    );
}

/** Read at a time. */
const pageRows = 1000;

export function registerAuditCommand(program: Command): void {
  addStoreOptions(program.command('audit'))
    .description('print who has changed accounts, keys and invitations, as lines of JSON, the newest first')
    .option('--since <time>', 'from then on: an age, a date or a time in UTC; -1: all that is kept', '7d')
    .action((options: StoreOptions & { since: string }) =>
      lookIntoStore(options, ({ store, nowMs }) => {
        const fromMs = toBoundMs('--since', options.since, nowMs);
        for (let beforeId: number | undefined, isMore = true; isMore;) {
          const entries = listActs(store, { fromMs, beforeId, limit: pageRows });
          for (const { atMs, ...entry } of entries)
            process.stdout.write(`${toJson({ at: new Date(atMs).toISOString(), ...entry })}\n`);
          beforeId = entries.at(-1)?.id;
          isMore = entries.length === pageRows;
        }
      }),
    );
}
