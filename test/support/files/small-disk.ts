import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk extends Disposable {
  readonly folder: string;
  /** Leaves no room at all. */
  fill(): void;
  /** Makes room again. */
  empty(): void;
}

/** A file system of its own with this capacity; undefined where this user may not mount one. */
export function mountSmallDisk(mebibytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'a');
      try {
        for (const piece of [Buffer.alloc(64 * 1024), Buffer.alloc(1)]) writeUntilFull(file, piece);
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(ballast),
    [Symbol.dispose]() {
      execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

function writeUntilFull(file: number, piece: Uint8Array): void {
  try {
    while (writeSync(file, piece) > 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
