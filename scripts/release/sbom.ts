/**
 * Writes a software bill of materials in CycloneDX's JSON: the packages that npm installs with hearth, as npm itself
 * tells them, and parts that npm does not know because the build copies or compiles them in.
 *
 *   npm run sbom [FILE]        default: dist/sbom.cdx.json
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readShippedParts, type ShippedPart } from '../../src/cli/about/shipped-parts.ts';

interface Component {
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

const [file = 'dist/sbom.cdx.json'] = process.argv.slice(2);
const parts = readShippedParts();
if (parts === undefined) throw new Error('run "npm run build:licences" first');
const npm = execFileSync(
  'npm',
  [
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--omit',
    'dev',
    '--package-lock-only',
    '--sbom-type',
    'application',
  ],
  { encoding: 'utf8', maxBuffer: 64 * 2 ** 20, stdio: ['ignore', 'pipe', 'inherit'] },
);
const document = JSON.parse(npm) as { components: Component[] };
const known = new Set(document.components.map(({ name, version }) => `${name}@${version}`));
const others = parts.filter(
  ({ name, version, within }) => within !== 'hearth' && !known.has(`${name}@${version}`),
);
document.components.push(...others.map(toComponent));
writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
console.log(`${file}: ${document.components.length} components, ${others.length} of them not told by npm`);

function toComponent({ name, version, licence, within }: ShippedPart): Component {
  return {
    type: 'library',
    name,
    version,
    'bom-ref': `${within}/${name}@${version}`,
    licenses: [{ expression: licence }],
    properties: [{ name: 'hearth:within', value: within }],
  };
}
