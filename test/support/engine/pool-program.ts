/** A program for a ProcessPool whose jobs behave as no honest job does. */
import { serveJobs } from '../../../src/engine/processes/serve-jobs.ts';

export type TestJob =
  | { readonly kind: 'echo'; readonly value: unknown }
  /** The id of the process that does it. */
  | { readonly kind: 'pid' }
  | { readonly kind: 'environment' }
  | { readonly kind: 'compute'; readonly ms: number }
  /** Tells its progress, and never ends. */
  | { readonly kind: 'spin' }
  /** Takes memory outside of V8's heap, or in it, until it is stopped. */
  | { readonly kind: 'eat'; readonly from: 'heap' | 'system' }
  | { readonly kind: 'abort' };

function doTestJob(job: TestJob, tellProgress: (progress: unknown) => void): unknown {
  switch (job.kind) {
    case 'echo':
      return job.value;
    case 'pid':
      return process.pid;
    case 'environment':
      return Object.keys(process.env);
    case 'compute':
      return compute(job.ms);
    case 'spin':
      tellProgress('spinning');
      return compute(Number.POSITIVE_INFINITY);
    case 'eat':
      return eat(job.from);
    case 'abort':
      return process.abort();
  }
}

function compute(ms: number): number {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt);
  return ms;
}

function eat(from: 'heap' | 'system'): never {
  const eaten: unknown[] = [];
  while (true)
    eaten.push(
      from === 'heap' ? Array.from({ length: 100_000 }, (_, index) => index) : Buffer.alloc(2 ** 22, 1),
    );
}

if (process.argv[2] === 'refuse') process.exit(3);
serveJobs((job, tellProgress) => doTestJob(job as TestJob, tellProgress));
