import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { JudgeJob, Judgement } from './judgement.ts';

/** How the judging of a schema ended: `late` and `dead` end the process, and the next schema gets a new one. */
export interface Verdict {
  readonly about: readonly Judgement[];
  readonly ended: 'done' | 'late' | 'dead';
}

const childFile = fileURLToPath(new URL('judge-child.ts', import.meta.url));

/** Has schemas judged in a process of its own, each for at most `patienceMs`. */
export class SchemaJudge {
  readonly #patienceMs: number;
  #child: ChildProcess | undefined;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  async judge(job: JudgeJob): Promise<Verdict> {
    this.#child ??= await startChild();
    const verdict = await this.#ask(this.#child, job);
    if (verdict.ended !== 'done') this.close();
    return verdict;
  }

  close(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  #ask(child: ChildProcess, job: JudgeJob): Promise<Verdict> {
    return new Promise((resolve) => {
      const about: Judgement[] = [];
      const end = (ended: Verdict['ended']) => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve({ about, ended });
      };
      const timer = setTimeout(() => end('late'), this.#patienceMs);
      child.on('exit', () => end('dead'));
      child.on('message', (judgement: Judgement) => {
        if (judgement.kind !== 'done') about.push(judgement);
        if (judgement.kind === 'done' || judgement.kind === 'refused') end('done');
      });
      child.send(job);
    });
  }
}

async function startChild(): Promise<ChildProcess> {
  const child = fork(childFile, { execArgv: ['--max-old-space-size=512'] });
  await once(child, 'message');
  return child;
}
