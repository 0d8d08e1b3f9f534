/**
 * Puts load on a real server of an older version, kills it, and has this version go on with its database; then writes
 * backups in the middle of load and restores each. Exits with 1 where a row is lost or the books disagree.
 *
 *   git worktree add /tmp/older COMMIT && (cd /tmp/older && npm install)
 *   node scripts/load/keeping.ts /tmp/older [--seconds 10] [--clients 32] [--backups 5]
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runBackups, runUpgrade } from './limits/keeping.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '10' },
    clients: { type: 'string', default: '32' },
    backups: { type: 'string', default: '5' },
  },
});
const options = { clients: Number(values.clients), loadMs: Number(values.seconds) * 1000 };
const [checkout] = positionals;

const upgrade = await runUpgrade(options, checkout && resolve(checkout, 'src/cli.ts'));
console.log(
  `upgrade under load: ${upgrade.answeredBefore} answers by the older version, ${upgrade.answered} in all`,
);
tell(upgrade.problems);

const { answered, backups, problems } = await runBackups(options, Number(values.backups));
console.log(`backups under load: ${answered} answers; ${JSON.stringify(backups)}`);
tell(problems);

function tell(found: readonly string[]): void {
  for (const problem of found) console.error(`PROBLEM: ${problem}`);
  if (found.length > 0) process.exitCode = 1;
}
