import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CliError } from '../errors/operator-errors.ts';
import { makeFolder } from '../private-files.ts';
import { messageOf } from '../words/describe-error.ts';
import { writtenByHearth, type ServicePlan } from './service-plan.ts';

/** Told before each step, such as `write /etc/systemd/system/hearth.service`. */
type Tell = (step: string) => void;

/** Whether the service is there, and whether it runs. */
export interface ServiceStatus {
  readonly file: string;
  readonly installed: boolean;
  /** Its file is as this version of hearth would write it. */
  readonly current: boolean;
  readonly active: boolean;
}

/** Installs and starts the service; one that is there as it should be is only started. Throws CliError. */
export function installService(plan: ServicePlan, tell: Tell): void {
  const before = readOwn(plan.file);
  checkManager(plan);
  if (before !== plan.text) {
    tell(`write ${plan.file}`);
    orCliError(plan.file, () => {
      makeFolder(path.dirname(plan.file));
      const unfinished = `${plan.file}.unfinished`;
      writeFileSync(unfinished, plan.text, { mode: 0o644 });
      renameSync(unfinished, plan.file);
    });
  } else if (isActive(plan)) return;
  runAll(before === undefined || before === plan.text ? plan.install : plan.reinstall, tell);
}

/** Stops the service and removes its file; false: it was not there. Throws CliError. */
export function uninstallService(plan: ServicePlan, tell: Tell): boolean {
  if (readOwn(plan.file) === undefined) return false;
  checkManager(plan);
  runAll(plan.uninstall, tell);
  tell(`remove ${plan.file}`);
  orCliError(plan.file, () => rmSync(plan.file));
  runAll(plan.forget, tell);
  return true;
}

/** Throws CliError where the service manager does not run. */
export function serviceStatus(plan: ServicePlan): ServiceStatus {
  const text = readOwn(plan.file);
  checkManager(plan);
  return {
    file: plan.file,
    installed: text !== undefined,
    current: text === plan.text,
    active: isActive(plan),
  };
}

/** The text of the service's file; undefined: there is none. Throws CliError where somebody else wrote it. */
function readOwn(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const text = orCliError(file, () => readFileSync(file, 'utf8'));
  if (text.includes(writtenByHearth)) return text;
  throw new CliError(
    `${file} was not written by hearth`,
    'move it away first, or manage the service by hand',
  );
}

const isActive = ({ isActive: [program = '', ...args] }: ServicePlan): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0;

function checkManager({ probe, manager }: ServicePlan): void {
  const [program = '', ...args] = probe;
  const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status === 0) return;
  const why = error === undefined ? (stderr.split('\n')[0] ?? '') : error.message;
  throw new CliError(
    `${manager} does not answer: ${why}`,
    'nothing has been changed; "hearth service install --dry-run" shows what would be done',
  );
}

function runAll(commands: readonly (readonly string[])[], tell: Tell): void {
  for (const command of commands) {
    tell(`run ${command.join(' ')}`);
    const [program = '', ...args] = command;
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    if (status !== 0) throw new CliError(`${command.join(' ')} failed: ${stderr.trim()}`);
  }
}

function orCliError<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new CliError(
      `${file} cannot be written: ${messageOf(error)}`,
      'a service of the machine needs root: run it with sudo',
    );
  }
}
