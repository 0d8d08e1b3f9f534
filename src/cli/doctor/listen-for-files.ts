import { inspectModelFile } from '../../catalog/files/model-file.ts';
import type { CatalogLog } from '../../catalog/types.ts';
import type { Finding } from './finding.ts';

interface FileWarning {
  readonly path: string;
  /** Begins with `skipped:` where the file is not served, and else says what to do. */
  readonly message: string;
}

/** A log for a catalog, and findings about the files that the catalog warned of. */
export function listenForFiles(): { readonly log: CatalogLog; readonly findings: () => Finding[] } {
  const warnings: FileWarning[] = [];
  const log: CatalogLog = {
    debug: () => undefined,
    info: () => undefined,
    warn: ({ path }, message) => void warnings.push({ path: String(path), message }),
  };
  return { log, findings: () => warnings.map(toFinding) };
}

function toFinding({ path, message }: FileWarning): Finding {
  const inspection = inspectModelFile(path);
  const finding = { subject: 'file', finding: `${path}: ${message}` };
  // A projector beside its model, for example, is no fault.
  if (inspection.outcome === 'skipped' && inspection.isUnservable) return { ...finding, ok: true };
  if (!message.startsWith('skipped:')) return { ...finding, ok: false };
  return { ...finding, ok: false, remedy: 'replace it, or take it out of the models folder' };
}
