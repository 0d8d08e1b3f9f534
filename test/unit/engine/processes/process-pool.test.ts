import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { JobFailure } from '../../../../src/engine/processes/pool-process.ts';
import { ProcessPool, type JobOrder } from '../../../../src/engine/processes/process-pool.ts';
import type { ProcessPoolOptions } from '../../../../src/engine/processes/process-pool.ts';
import { silentLog } from '../../../support/models/native-model.ts';
import type { TestJob } from '../../../support/engine/pool-program.ts';

const path = fileURLToPath(new URL('../../../support/engine/pool-program.ts', import.meta.url));
const pools: ProcessPool[] = [];
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

interface TestPool {
  readonly pool: ProcessPool;
  readonly run: (job: TestJob, order?: Partial<JobOrder>) => Promise<unknown>;
}

function openPool(options: Partial<ProcessPoolOptions> = {}, args: readonly string[] = []): TestPool {
  const pool = new ProcessPool({
    program: { path, args, memoryBytes: 300 * 2 ** 20, heapMegabytes: 120 },
    kept: 2,
    most: 3,
    queueLimit: 32,
    queueTimeoutMs: 30_000,
    log: silentLog,
    ...options,
  });
  pools.push(pool);
  const limits = { cpuMs: 20_000, wallMs: 30_000 };
  return { pool, run: (job, order = {}) => pool.run(job, { keyId: 'a', limits, ...order }) };
}

/** The error with which `promise` is rejected. */
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (result) => expect.unreachable(`it brought ${String(result)}`),
    (error: unknown) => error,
  );
const soon = { cpuMs: 300, wallMs: 30_000 };
const isGone = (pid: unknown) => {
  try {
    return !process.kill(Number(pid), 0);
  } catch {
    return true;
  }
};

describe('jobs', () => {
  it('are done by processes that are used again', async () => {
    const { pool, run } = openPool();
    const value = { text: 'é\ud800', list: [1, undefined, new Map([['a', 1n]])] };
    expect(await run({ kind: 'echo', value })).toEqual(value);
    const pids = new Set<unknown>();
    for (let count = 0; count < 20; count++) pids.add(await run({ kind: 'pid' }));
    expect(pids.size).toBeLessThanOrEqual(2);
    expect(pool.processCount).toBe(2);
  });

  it('see no secrets of the server', async () => {
    vi.stubEnv('HEARTH_API_KEY', 'secret');
    const names = await openPool().run({ kind: 'environment' });
    vi.unstubAllEnvs();
    expect(names).not.toContain('HEARTH_API_KEY');
    expect(names).toContain('PATH');
  });

  it.runIf(process.platform === 'linux')('run where the system looks for memory first', async () => {
    const pid = await openPool().run({ kind: 'pid' });
    expect(readFileSync(`/proc/${String(pid)}/oom_score_adj`, 'utf8').trim()).toBe('1000');
  });
});

describe('a job that does harm', () => {
  it('is stopped at its deadline, and tells how far it came', async () => {
    const { run } = openPool();
    const pid = await run({ kind: 'pid' });
    const failure = await failureOf(run({ kind: 'spin' }, { limits: soon }));
    expect(failure).toBeInstanceOf(JobFailure);
    expect(failure).toMatchObject({ reason: 'processor-time', progress: 'spinning' });
    expect(isGone(pid)).toBe(true);
    expect(await run({ kind: 'echo', value: 1 })).toBe(1);
  });

  it.runIf(process.platform === 'linux')('is told from one for which the machine had no time', async () => {
    const { run } = openPool();
    const pid = Number(await run({ kind: 'pid' }));
    const job = failureOf(run({ kind: 'compute', ms: 200 }, { limits: { cpuMs: 10_000, wallMs: 1000 } }));
    process.kill(pid, 'SIGSTOP');
    expect(await job).toMatchObject({ reason: 'elapsed-time' });
  });

  it.runIf(process.platform === 'linux').for(['heap', 'system'] as const)(
    'is stopped before it takes all memory: %s',
    async (from) => {
      const { run } = openPool();
      expect(await failureOf(run({ kind: 'eat', from }))).toMatchObject({ reason: 'memory' });
      expect(await run({ kind: 'echo', value: 1 })).toBe(1);
    },
  );

  it('takes only its own process with it when it crashes', async () => {
    const { run } = openPool();
    expect(await failureOf(run({ kind: 'abort' }))).toMatchObject({ reason: 'crash' });
    expect(await run({ kind: 'echo', value: 1 })).toBe(1);
  });

  it('is not blamed for what ended its process from outside', async () => {
    const { run } = openPool();
    const pid = Number(await run({ kind: 'pid' }));
    const job = run({ kind: 'compute', ms: 400 });
    // The process used last is the one that is used next.
    process.kill(pid, 'SIGKILL');
    expect(await job).toBe(400);
  });

  it('does not stay behind in a process that worked long', async () => {
    const { run } = openPool();
    const before = await run({ kind: 'pid' });
    await run({ kind: 'compute', ms: 700 });
    await vi.waitUntil(() => isGone(before), 5000);
  });
});

describe('a key whose jobs never end', () => {
  it('leaves a process to others, whatever it sends', async () => {
    const { pool, run } = openPool();
    await run({ kind: 'echo', value: 0 });
    const limits = { cpuMs: 600, wallMs: 30_000 };
    const stuck = Array.from({ length: 4 }, () => failureOf(run({ kind: 'spin' }, { limits })));
    let longestMs = 0;
    const over = new AbortController();
    const others = (async () => {
      while (!over.signal.aborted) {
        const startedAt = performance.now();
        await run({ kind: 'echo', value: 0 }, { keyId: 'b' });
        longestMs = Math.max(longestMs, performance.now() - startedAt);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    })();
    for (const failure of await Promise.all(stuck))
      expect(failure).toMatchObject({ reason: 'processor-time' });
    over.abort();
    await others;
    // Nobody waited for one of these to end.
    expect(longestMs).toBeLessThan(limits.cpuMs);
    expect(pool.processCount).toBeLessThanOrEqual(3);
  });

  it('waits behind a key that took less', async () => {
    const { run } = openPool({ kept: 2, most: 2 });
    await run({ kind: 'echo', value: 0 });
    const order: string[] = [];
    const ask = async (keyId: string, ms: number) => {
      await run({ kind: 'compute', ms }, { keyId });
      order.push(keyId);
    };
    await Promise.all([
      ask('busy', 450),
      ask('greedy', 200),
      ask('greedy', 200),
      ask('greedy', 200),
      ask('modest', 20),
    ]);
    expect(order.slice(0, 2)).toEqual(['greedy', 'modest']);
  });

  it('cannot hide behind others: what they have in common gets no more than its share', async () => {
    const { run } = openPool();
    const stuck = ['a', 'b', 'c'].map((keyId) =>
      failureOf(run({ kind: 'spin' }, { keyId, subject: 'template', limits: soon })),
    );
    expect(await run({ kind: 'echo', value: 1 }, { keyId: 'd', subject: 'another' })).toBe(1);
    for (const failure of await Promise.all(stuck))
      expect(failure).toMatchObject({ reason: 'processor-time' });
  });
});

describe('waiting', () => {
  it('ends when nobody wants the job any more', async () => {
    const { run } = openPool({ kept: 2, most: 2 });
    const leaving = new AbortController();
    const spinning = failureOf(run({ kind: 'spin' }, { limits: soon, signal: leaving.signal }));
    const second = failureOf(run({ kind: 'echo', value: 1 }, { signal: leaving.signal }));
    await run({ kind: 'echo', value: 0 }, { keyId: 'b' });
    leaving.abort(new Error('left'));
    expect(await spinning).toMatchObject({ message: 'left' });
    expect(await second).toMatchObject({ message: 'left' });
    await expect(run({ kind: 'echo', value: 1 }, { signal: leaving.signal })).rejects.toThrow('left');
    expect(await run({ kind: 'echo', value: 2 })).toBe(2);
  });

  it('is refused where too many wait, and given up after a while', async () => {
    const { run } = openPool({ queueLimit: 2, queueTimeoutMs: 1500, kept: 2, most: 2 });
    // On a busy machine a process takes longer to start than a job waits.
    await expect.poll(() => run({ kind: 'echo', value: 0 }).catch(() => undefined)).toBe(0);
    const spinning = failureOf(run({ kind: 'spin' }, { limits: { cpuMs: 3000, wallMs: 60_000 } }));
    const waiting = failureOf(run({ kind: 'pid' }));
    await expect(run({ kind: 'pid' })).rejects.toMatchObject({ code: 'server_overloaded' });
    expect(await waiting).toMatchObject({ code: 'server_overloaded', retryAfterSeconds: 2 });
    expect(await spinning).toMatchObject({ reason: 'processor-time' });
  });

  it('ends at once where no process can be started, and is tried again later', async () => {
    const { run } = openPool({}, ['refuse']);
    expect(await failureOf(run({ kind: 'pid' }))).toMatchObject({ reason: 'no-process' });
    expect(await failureOf(run({ kind: 'pid' }))).toMatchObject({ reason: 'no-process' });
  });
});

describe('closing', () => {
  it('ends every process and every wait', async () => {
    const { pool, run } = openPool();
    const pid = await run({ kind: 'pid' });
    const jobs = [run({ kind: 'spin' }), run({ kind: 'spin' }), run({ kind: 'spin' })].map(failureOf);
    await pool.close();
    for (const failure of await Promise.all(jobs)) expect(failure).toMatchObject({ reason: 'interrupted' });
    expect(isGone(pid)).toBe(true);
    expect(await failureOf(run({ kind: 'pid' }))).toMatchObject({ reason: 'interrupted' });
    expect(pool.processCount).toBe(0);
  });
});
