import { readFileSync } from 'node:fs';

const packageFile = new URL('../../package.json', import.meta.url);

/** This program's version, such as `0.1.0`. */
export const packageVersion = (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version;
