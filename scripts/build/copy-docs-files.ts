import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const page = fileURLToPath(new URL('../../src/api/docs/page', import.meta.url));
await cp(page, fileURLToPath(new URL('../../dist/api/docs/page', import.meta.url)), { recursive: true });
