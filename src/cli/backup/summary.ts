import type { DatabaseContents } from '../../backup/inspect-database.ts';
import type { Manifest } from '../../backup/manifest.ts';

/** The summary of a backup that both commands print. */
export function summaryOf({
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
