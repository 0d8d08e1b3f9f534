/**
 * Writes `dist/licences.json`: the parts that come with hearth, and their terms. Runs after the page was built.
 *
 *   npm run build:licences
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { licencesFile } from '../../src/cli/about/shipped-parts.ts';
import { installedParts } from './licences/installed-parts.ts';
import { embeddedParts } from './licences/embedded-parts.ts';
import { pageParts } from './licences/page-parts.ts';

const all = [...embeddedParts(), ...installedParts(), ...pageParts()];
// npm may install a package of one version in several places.
const parts = [
  ...new Map(all.map((part) => [`${part.within} ${part.name} ${part.version}`, part])).values(),
].sort((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));
const unknown = parts.filter(({ licence }) => licence === '');
if (unknown.length > 0)
  throw new Error(`no licence is known of ${unknown.map(({ name }) => name).join(', ')}`);
mkdirSync(path.dirname(licencesFile), { recursive: true });
writeFileSync(licencesFile, JSON.stringify(parts));
