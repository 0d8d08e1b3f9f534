import type { Command } from 'commander';
import { readShippedParts, type ShippedPart } from './shipped-parts.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { nearestName } from '../../words/nearest-names.ts';
import { orFail, printJson, printTable, type Column } from '../output.ts';

const columns: readonly Column<ShippedPart>[] = [
  { title: 'NAME', value: ({ name }) => name },
  { title: 'VERSION', value: ({ version }) => version, giveWay: 2 },
  { title: 'LICENCE', value: ({ licence }) => licence, giveWay: 'wrap' },
  { title: 'WITHIN', value: ({ within }) => within, giveWay: 1 },
];

export function registerLicencesCommand(program: Command): void {
  program
    .command('licences')
    .alias('licenses')
    .description('list what comes with hearth and under which licences; with a name, print the texts')
    .argument('[name]', 'a package or a part, such as llama.cpp')
    .option('--json', 'print one JSON document, the texts included')
    .action((name: string | undefined, { json }: { json?: boolean }) => orFail(() => tell(name, json)));
}

function tell(name: string | undefined, json: boolean | undefined): void {
  const all = readShippedParts();
  if (all === undefined)
    throw new CliError('the list of licences was not built', 'in a clone run: npm run build:licences');
  const shown = name === undefined ? all : all.filter((part) => part.name === name);
  if (name !== undefined && shown.length === 0) throw unknownPart(name, all);
  if (json === true) printJson(shown);
  else if (name === undefined) printTable(shown, columns);
  else process.stdout.write(shown.map(textOf).join('\n\n'));
}

function unknownPart(name: string, all: readonly ShippedPart[]): CliError {
  const near = nearestName(
    name,
    all.map((part) => part.name),
  );
  return new CliError(
    `nothing named ${name} comes with hearth`,
    near === undefined ? '"hearth licences" lists all' : `did you mean ${near}?`,
  );
}

function textOf({ name, version, licence, within, text }: ShippedPart): string {
  return `${name} ${version} (${within}): ${licence}\n\n${text ?? 'It brings no text of its own here.'}\n`;
}
