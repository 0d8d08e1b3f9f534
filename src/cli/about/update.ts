import type { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { orFail, printJson } from '../output.ts';
import { shellCommand } from '../own-command.ts';
import type { OwnPackage } from './newer-version.ts';

/** src and dist lie equally deep in the package. */
const packageDir = fileURLToPath(new URL('../../../', import.meta.url));

export function registerUpdateCommand(program: Command): void {
  program
    .command('update')
    .description('say whether there is a newer hearth and how to get it; installs nothing')
    .option('--json', 'print one JSON document')
    .action(({ json }: { json?: boolean }) => orFail(() => tellNewer(json === true)));
}

async function tellNewer(json: boolean): Promise<void> {
  const { findNewer } = await import('./newer-version.ts');
  const own = JSON.parse(readFileSync(`${packageDir}package.json`, 'utf8')) as OwnPackage;
  const found = findNewer(packageDir, own);
  if (json) return printJson(found);
  const { source, current, latest, isNewer, commands } = found;
  const lines = isNewer
    ? [
        `${source} has ${latest}; this is ${current}. To get it:`,
        `  ${shellCommand(['backup'])} FILE`,
        ...commands.map((line) => `  ${line}`),
      ]
    : [`this is the newest: ${current}, as ${source} has it`];
  process.stdout.write(`${lines.join('\n')}\n`);
}
