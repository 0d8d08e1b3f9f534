import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { vendoredFiles } from '../../src/api/docs/route.ts';

const page = fileURLToPath(new URL('../../src/api/docs/page', import.meta.url));
await cp(page, fileURLToPath(new URL('../../dist/api/docs/page', import.meta.url)), { recursive: true });

// The built package brings what the reference page needs, so that whoever installs it gets no further dependency.
const licences = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'];
for (const name of [...vendoredFiles.keys(), ...licences]) {
  const source = fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`));
  await cp(source, fileURLToPath(new URL(`../../dist/api/docs/swagger-ui/${name}`, import.meta.url)));
}
