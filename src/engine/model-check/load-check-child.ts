/**
 * The program that load-check.ts runs in a process of its own: loads the model file given as its only argument, uses
 * it a little, and sends one LoadCheckMessage to its parent. It may crash, and then only this process is lost.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { setPriority } from 'node:os';
import { fileEngineOf, fileEngines } from '../file-engines.ts';
import { standBack } from '../processes/stand-back.ts';
import type { LoadCheckMessage } from './load-check.ts';
import { MachineTroubleError, memoryTrouble } from './machine-trouble.ts';

const mostReasonChars = 500;

async function checkModel(path: string): Promise<LoadCheckMessage> {
  try {
    await fileEngines[fileEngineOf(readMagic(path)) ?? 'llama'].tryFile(path);
    return { loadable: true };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const transient = error instanceof MachineTroubleError || memoryTrouble.test(reason);
    return { loadable: false, reason: reason.slice(0, mostReasonChars), transient };
  }
}

/** The file's first four bytes as a number; 0 where it has fewer. */
function readMagic(path: string): number {
  const bytes = Buffer.alloc(4);
  const fd = openSync(path, 'r');
  try {
    readSync(fd, bytes, 0, bytes.length, 0);
  } finally {
    closeSync(fd);
  }
  return bytes.readUInt32LE(0);
}

function giveWay(): void {
  try {
    setPriority(10);
  } catch {
    // Not allowed here: the check only competes more.
  }
  standBack();
}

const path = process.argv[2];
// A parent that went away needs no verdict.
process.on('disconnect', () => process.exit(0));
// Those of a terminal go to the parent too, which decides.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
giveWay();
if (path !== undefined) process.send?.(await checkModel(path));
