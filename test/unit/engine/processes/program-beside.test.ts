import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const sourceDir = fileURLToPath(new URL('../../../../src/', import.meta.url));

it('names a file wherever a program is started by its path, which no import checks', () => {
  const named = globSync('**/*.ts', { cwd: sourceDir }).flatMap((file) =>
    Array.from(
      readFileSync(join(sourceDir, file), 'utf8').matchAll(/programBeside\(import\.meta\.url, '([^']+)'\)/g),
      ([, name = '']) => join(dirname(file), `${name}.ts`),
    ),
  );
  expect(named.length).toBeGreaterThanOrEqual(10);
  expect(named.filter((file) => !existsSync(join(sourceDir, file)))).toEqual([]);
});
