/**
 * The program that load-check.ts runs in a process of its own: loads the model file given as its only argument, uses
 * it a little, and sends LoadCheckMessages to its parent. It may crash, and then only this process is lost.
 */
import { closeSync, openSync } from 'node:fs';
import { setPriority } from 'node:os';
import { messageOf } from '../../words/describe-error.ts';
import { fileEngines } from '../file-engines.ts';
import { fileEngineOf, type FileEngineName } from '../file-formats.ts';
import { standBack } from '../processes/serve-jobs.ts';
import { memoryTrouble } from '../processes/watch-child.ts';
import type { LoadCheckMessage } from './load-check.ts';
import { MachineTroubleError } from './trial.ts';

const mostReasonChars = 500;
const send = (message: LoadCheckMessage) => process.send?.(message);

async function checkModel(path: string): Promise<LoadCheckMessage> {
  try {
    const findings = await fileEngines[readEngine(path)].tryFile(path, tellOfTemplate);
    return { loadable: true, findings };
  } catch (error) {
    const reason = messageOf(error);
    const transient = error instanceof MachineTroubleError || memoryTrouble.test(reason);
    return { loadable: false, reason: reason.slice(0, mostReasonChars), transient };
  }
}

function tellOfTemplate(): void {
  const { user, system } = process.cpuUsage();
  send({ rendersTemplate: true, cpuMs: (user + system) / 1000 });
}

function readEngine(path: string): FileEngineName {
  const fd = openSync(path, 'r');
  try {
    return fileEngineOf(fd) ?? 'llama';
  } finally {
    closeSync(fd);
  }
}

function giveWay(): void {
  try {
    setPriority(10);
  } catch {
    // Not allowed here, so the check runs at normal priority.
  }
}

const path = process.argv[2];
standBack(['SIGINT', 'SIGHUP']);
giveWay();
if (path !== undefined) send(await checkModel(path));
