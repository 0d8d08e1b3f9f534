import type { Command } from 'commander';
import { addConfigOptions, configFrom, type StoreOptions } from '../context.ts';
import { orFail, printRows, type Column } from '../output.ts';
import type { Finding } from './finding.ts';
import { leaveOutOfLibrary } from '../../engine/llama/loading/leave-out.ts';

export function registerDoctorCommand(program: Command): void {
  const command = program
    .command('doctor')
    .description(
      'say what this machine can do, and what to do about what it cannot; exits with 1 where something is wrong',
    )
    .option('--json', 'print one JSON document instead of a table');
  addConfigOptions(command).action((options: StoreOptions) => orFail(() => doctor(options)));
}

async function doctor(options: StoreOptions): Promise<void> {
  leaveOutOfLibrary();
  const { examine } = await import('./examine.ts');
  const findings = await examine(configFrom(options));
  if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
  const columns: Column<Finding>[] = [
    { title: 'SUBJECT', value: ({ subject }) => subject },
    { title: '', value: ({ ok }) => (ok ? 'ok' : '!!') },
    {
      title: 'FINDING',
      value: ({ finding, remedy }) => (remedy === undefined ? finding : `${finding}; ${remedy}`),
      giveWay: 'wrap',
    },
  ];
  printRows(findings, columns, options.json);
}
