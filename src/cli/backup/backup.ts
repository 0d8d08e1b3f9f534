import type { Command } from 'commander';
import path from 'node:path';
import { formatBytes } from '../../words/format-bytes.ts';
import { addStoreOptions, configFrom, type StoreOptions } from '../context.ts';
import { orFail, printJson } from '../output.ts';
import { summaryOf } from './summary.ts';

interface BackupFlags extends StoreOptions {
  readonly force?: boolean | undefined;
  readonly settings: boolean;
  readonly files?: boolean | undefined;
}

export function registerBackupCommand(program: Command): void {
  addStoreOptions(program.command('backup'))
    .description(
      'write accounts, keys, limits, usage, stored responses, settings, uploaded voices and the certificate to one file, also while the server runs; pulled models are named in it only',
    )
    .argument('<file>', 'a tar archive to write; only its owner can read it')
    .option('--force', 'replace the file where it exists')
    .option('--no-settings', 'leave the configuration file out')
    .option('--files', 'with the files of accounts: what batches read, and their results')
    .action((file: string, flags: BackupFlags) => orFail(() => backup(path.resolve(file), flags)));
}

async function backup(file: string, flags: BackupFlags): Promise<void> {
  const { createBackup } = await import('../../backup/create-backup.ts');
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
  process.stdout.write(`${lines.join('\n')}\n`);
}
