import type { Command } from 'commander';
import { listActs } from '../../accounts/audit.ts';
import { addStoreOptions, lookIntoStore, type StoreOptions } from '../context.ts';
import { toBoundMs } from './usage.ts';

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
            process.stdout.write(`${JSON.stringify({ at: new Date(atMs).toISOString(), ...entry })}\n`);
          beforeId = entries.at(-1)?.id;
          isMore = entries.length === pageRows;
        }
      }),
    );
}
