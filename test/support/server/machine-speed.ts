import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureMachine } from '../../../src/assembly/machine/machine-power.ts';

const cacheDir = fileURLToPath(new URL('../../.cache/', import.meta.url));
const name = 'machine.json';

/**
 * Has all that use `dataDir` know how fast this machine reads memory. To measure that takes all processors for a second
 * or two, so it is done on the first run and kept in test/.cache.
 */
export async function giveMachineSpeed(dataDir: string): Promise<void> {
  const [kept, given] = [join(cacheDir, name), join(dataDir, name)];
  if (!existsSync(kept)) await measureMachine({ dataDir: cacheDir });
  // A machine that is too busy is not measured: then whoever wants to know does it again.
  if (!existsSync(kept) || existsSync(given)) return;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  copyFileSync(kept, given);
}
