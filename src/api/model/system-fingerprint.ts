import { createHash } from 'node:crypto';
import type { CatalogModel } from '../../catalog/types.ts';

const fingerprints = new WeakMap<CatalogModel, string>();

/** `fp_…`: the same as long as the same file is served with the same settings, so that equal seeds can be compared. */
export function toSystemFingerprint(model: CatalogModel): string {
  const known = fingerprints.get(model);
  if (known !== undefined) return known;
  const { id, sizeBytes, createdAtSeconds, settings } = model;
  const facts = JSON.stringify([id, sizeBytes, createdAtSeconds, settings]);
  const fingerprint = `fp_${createHash('sha256').update(facts).digest('hex').slice(0, 10)}`;
  fingerprints.set(model, fingerprint);
  return fingerprint;
}
