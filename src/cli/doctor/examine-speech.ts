import { statSync } from 'node:fs';
import type { CatalogModel } from '../../catalog/types.ts';
import type { createModelFileCheck } from '../../engine/model-check/remembered-load-check.ts';
import { formatMemory } from '../../engine/pool/memory-use.ts';
import { AddonError, addonFile, speechRemedy } from '../../engine/whisper/addon/addon-file.ts';
import { addonTrouble } from '../../engine/whisper/addon/addon-trouble.ts';
import { estimateMemory, readDimensions } from '../../engine/whisper/model-file.ts';
import type { Finding } from './finding.ts';

/** Whether speech can be transcribed here, and with which of `models`. */
export async function speechFindings(
  models: readonly CatalogModel[],
  checkFile: ReturnType<typeof createModelFileCheck>,
): Promise<Finding[]> {
  try {
    const trouble = addonTrouble(addonFile());
    if (trouble !== undefined) throw new AddonError(trouble);
  } catch (error) {
    if (!(error instanceof AddonError)) throw error;
    return [{ subject: 'speech', ok: false, finding: error.finding, remedy: speechRemedy() }];
  }
  const findings: Finding[] = [{ subject: 'speech', ok: true, finding: 'built for this machine' }];
  for (const { id, kind, path } of models) {
    if (kind === 'speech') findings.push({ subject: id, ...(await modelFinding(path, checkFile)) });
  }
  return findings;
}

async function modelFinding(
  path: string,
  checkFile: ReturnType<typeof createModelFileCheck>,
): Promise<Omit<Finding, 'subject'>> {
  const verdict = await checkFile(path);
  if (!verdict.loadable) return { ok: false, finding: verdict.reason, remedy: `remove or replace ${path}` };
  const one = formatMemory(estimateMemory(readDimensions(path), statSync(path).size, 1));
  return { ok: true, finding: `loadable; about ${one} for one transcription at a time` };
}
