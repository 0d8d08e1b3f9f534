import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The licence and the notices in a folder below the root; null: there are none. */
export function textsIn(folder: string): string | null {
  const absolute = path.join(root, folder);
  if (!existsSync(absolute)) return null;
  const names = readdirSync(absolute).filter((name) =>
    /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(name),
  );
  const texts = names.sort().map((name) => readFileSync(path.join(absolute, name), 'utf8').trim());
  return texts.length === 0 ? null : texts.join('\n\n');
}

/** A JSON file below the root. */
export function readJson(file: string): unknown {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
}
