import type { Command } from 'commander';
import path from 'node:path';
import type { Restored } from '../../backup/restore-backup.ts';
import { settingsName } from '../../backup/manifest.ts';
import type { Config } from '../../config/types.ts';
import { addStoreOptions, configFrom, type StoreOptions } from '../context.ts';
import { orFail, printJson, printLines } from '../output.ts';
import { sameFolder, shellCommand } from '../own-command.ts';
import { summaryOf } from './summary.ts';

interface RestoreFlags extends StoreOptions {
  readonly force?: boolean | undefined;
}

export function registerRestoreCommand(program: Command): void {
  addStoreOptions(program.command('restore'))
    .description(
      'put what "backup" wrote into the data folder, once all of it was checked; keys that were revoked since then are valid again',
    )
    .argument('<file>', 'the archive')
    .option('--force', 'where the folder is in use, move what is replaced to a folder "replaced-…" in it')
    .action((file: string, flags: RestoreFlags) => orFail(() => restore(path.resolve(file), flags)));
}

async function restore(file: string, flags: RestoreFlags): Promise<void> {
  const config = configFrom(flags);
  const { restoreBackup } = await import('../../backup/restore-backup.ts');
  const restored = restoreBackup(config, file, { overwrite: flags.force === true, nowMs: Date.now() });
  if (flags.json === true) {
    printJson({ dataDir: config.dataDir, replaced: restored.replaced ?? null, ...summaryOf(restored) });
    return;
  }
  printLines(linesOf(config, restored));
}

function linesOf(config: Config, { replaced, ...restored }: Restored): string[] {
  const { dataDir } = config;
  const { createdAt, hearth, accounts, keys, ledgerEntries, settingsFrom, models } = summaryOf(restored);
  const command = (...args: string[]) => shellCommand([...args, ...sameFolder(config)]);
  const settings = path.join(dataDir, settingsName);
  return [
    `restored ${dataDir} as it was at ${createdAt}, by hearth ${hearth}: accounts ${accounts}, keys ${keys}, requests in the ledger ${ledgerEntries}`,
    ...(replaced === undefined ? [] : [`what was there before lies in ${replaced}`]),
    ...(settingsFrom === null
      ? []
      : [`the settings of ${settingsFrom} lie in ${settings}: use them with --config`]),
    ...(models.length === 0 ? [] : ['models to pull again, where they are not in the folder:']),
    ...models.map(
      ({ source, id }) => `  ${command('models', 'pull', source, ...(id === undefined ? [] : ['--id', id]))}`,
    ),
  ];
}
