import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const candidate = fileURLToPath(new URL('../../../../shared/models/', import.meta.url));

/**
 * The folder of real test models beside the checkout; undefined where there is none, as in a plain clone.
 * Tests that need it are skipped then: the tiny model covers the same ground with random weights.
 */
export const sharedModelsDir: string | undefined = existsSync(candidate) ? candidate : undefined;

/** Path of one of those models, or undefined where it is absent. */
export function sharedModel(fileName: string): string | undefined {
  if (sharedModelsDir === undefined) return undefined;
  const path = `${sharedModelsDir}${fileName}`;
  return existsSync(path) ? path : undefined;
}
