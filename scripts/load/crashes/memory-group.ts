import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = '/sys/fs/cgroup';
/** Linux has two versions of control groups. */
const isFirstVersion = existsSync(join(root, 'memory'));
const parent = isFirstVersion ? join(root, 'memory') : root;
const limitFile = isFirstVersion ? 'memory.limit_in_bytes' : 'memory.max';

/** A control group whose processes the kernel kills when they take more memory than it allows. */
export class MemoryGroup implements Disposable {
  readonly folder: string;

  /** Throws where this user may not make one. */
  constructor(limitBytes: number) {
    this.folder = join(parent, `hearth-${process.pid}-${process.hrtime.bigint()}`);
    mkdirSync(this.folder);
    writeFileSync(join(this.folder, limitFile), String(limitBytes));
  }

  /** From now on memory that the process takes counts; memory that it has does not. */
  add(pid: number): void {
    writeFileSync(join(this.folder, 'cgroup.procs'), String(pid));
  }

  /** Only once its processes have ended. */
  [Symbol.dispose](): void {
    rmdirSync(this.folder);
  }
}

/** Why the kernel kills nobody for memory here; undefined: it does. */
export function whyNoMemoryGroups(): string | undefined {
  try {
    using group = new MemoryGroup(2 ** 26);
    const allocate = 'echo $$ > "$0/cgroup.procs" && exec "$1" -e "Buffer.alloc(2 ** 28, 1)"';
    const { signal } = spawnSync('sh', ['-c', allocate, group.folder, process.execPath]);
    return signal === 'SIGKILL'
      ? undefined
      : 'a process beyond the limit of its control group was not killed';
  } catch (error) {
    return String(error);
  }
}
