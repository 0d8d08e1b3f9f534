import path from 'node:path';
import type { Command } from 'commander';
import type { DatabaseContents } from '../backup/inspect-database.ts';
import { settingsName, type Manifest } from '../backup/manifest.ts';
import { formatBytes } from '../words/format-bytes.ts';
import { addStoreOptions, configFrom, type StoreOptions } from './context.ts';
import { orFail, printJson, printLines } from './output.ts';
import { sameFolder, shellCommand } from './own-command.ts';

interface BackupFlags extends StoreOptions {
  readonly force?: boolean | undefined;
  readonly settings: boolean;
  readonly files?: boolean | undefined;
}

export function registerBackupCommands(program: Command): void {
  addStoreOptions(program.command('backup'))
    .description(
      'write accounts, keys, limits, usage, stored responses, settings, uploaded voices and the certificate to one file, also while the server runs; pulled models are named in it only',
    )
    .argument('<file>', 'a tar archive to write; only its owner can read it')
    .option('--force', 'replace the file where it exists')
    .option('--no-settings', 'leave the configuration file out')
    .option('--files', 'with the files of accounts: what batches read, and their results')
    .action((file: string, flags: BackupFlags) => orFail(() => backup(path.resolve(file), flags)));

  addStoreOptions(program.command('restore'))
    .description(
      'put what "backup" wrote into the data folder, once all of it was checked; keys that were revoked since then are valid again',
    )
    .argument('<file>', 'the archive')
    .option('--force', 'where the folder is in use, move what is replaced to a folder "replaced-…" in it')
    .action((file: string, flags: BackupFlags) => orFail(() => restore(path.resolve(file), flags)));
}

async function backup(file: string, flags: BackupFlags): Promise<void> {
  const { createBackup } = await import('../backup/create-backup.ts');
  const made = createBackup(configFrom(flags), file, {
    overwrite: flags.force === true,
    withSettings: flags.settings,
    withFiles: flags.files === true,
    nowMs: Date.now(),
  });
  if (flags.json === true) {
    printJson({ file, sizeBytes: made.sizeBytes, ...summaryOf(made) });
    return;
  }
  const { accounts, keys, ledgerEntries, settingsFrom, models } = summaryOf(made);
  const lines = [
    `wrote ${file} (${formatBytes(made.sizeBytes)}): accounts ${accounts}, keys ${keys}, requests in the ledger ${ledgerEntries}`,
    ...(settingsFrom === null ? [] : [`with the settings of ${settingsFrom}`]),
    ...models.map(({ source }) => `not in it, to be pulled again: ${source}`),
    'it holds hashes of keys: keep it where only you can read it',
  ];
  printLines(lines);
}

async function restore(file: string, flags: BackupFlags): Promise<void> {
  const config = configFrom(flags);
  const { restoreBackup } = await import('../backup/restore-backup.ts');
  const restored = restoreBackup(config, file, { overwrite: flags.force === true, nowMs: Date.now() });
  if (flags.json === true) {
    printJson({ dataDir: config.dataDir, replaced: restored.replaced ?? null, ...summaryOf(restored) });
    return;
  }
  const { replaced } = restored;
  const { dataDir } = config;
  const { createdAt, hearth, accounts, keys, ledgerEntries, settingsFrom, models } = summaryOf(restored);
  const command = (...args: string[]) => shellCommand([...args, ...sameFolder(config)]);
  const settings = path.join(dataDir, settingsName);
  printLines([
    `restored ${dataDir} as it was at ${createdAt}, by hearth ${hearth}: accounts ${accounts}, keys ${keys}, requests in the ledger ${ledgerEntries}`,
    ...(replaced === undefined ? [] : [`what was there before lies in ${replaced}`]),
    ...(settingsFrom === null
      ? []
      : [`the settings of ${settingsFrom} lie in ${settings}: use them with --config`]),
    ...(models.length === 0 ? [] : ['models to pull again, where they are not in the folder:']),
    ...models.map(
      ({ source, id }) => `  ${command('models', 'pull', source, ...(id === undefined ? [] : ['--id', id]))}`,
    ),
  ]);
}

/** The summary of a backup that both commands print. */
function summaryOf({
  manifest,
  accounts,
  keys,
  ledgerEntries,
  schema,
}: DatabaseContents & { readonly manifest: Manifest }) {
  const { hearth, createdAt, files, settingsFrom = null, models } = manifest;
  return {
    createdAt,
    hearth,
    schema,
    accounts,
    keys,
    ledgerEntries,
    files: files.map(({ name }) => name),
    settingsFrom,
    models,
  };
}
