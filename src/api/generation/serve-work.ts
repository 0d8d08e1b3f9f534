import { nothingComputed } from '../../engine/generation/generation.ts';
import type { AppContext, AppDeps } from '../env.ts';
import { clientLeft } from './leaving.ts';
import type { MeteredEnd } from './meter.ts';
import { runMetered, type MeteredJob } from './metering.ts';
import { toWireError, type ParameterPlace } from './wire/to-wire-error.ts';

export interface WorkJob<End extends MeteredEnd> extends Pick<MeteredJob<End, Response>, 'route' | 'model'> {
  readonly work: (signal: AbortSignal) => Promise<End>;
  /** Where the request has the parameters that the engine's errors name. */
  readonly places: readonly ParameterPlace[];
}

type Finished<End> = Extract<End, { outcome: 'finished' }>;

/** The response to one request for work without events: `answer` makes it of its end. Throws AppError. */
export function serveWork<End extends MeteredEnd>(
  c: AppContext,
  deps: AppDeps,
  { route, model, work, places }: WorkJob<End>,
  answer: (end: Finished<End>) => Response | Promise<Response>,
): Promise<Response> {
  return runMetered(c, deps, {
    route,
    model,
    start: (signal) => ({ ended: work(signal) }),
    use: async ({ ended }) => {
      const end = await ended;
      if (end.outcome === 'failed') throw toWireError(end.error, places);
      return end.outcome === 'aborted' ? clientLeft(c) : await answer(end as Finished<End>);
    },
  });
}

/** How `work` ended, for which nothing is computed; never rejects. */
export async function uncomputed<Result>(work: Promise<Result>, signal: AbortSignal) {
  const usage = nothingComputed;
  try {
    return { outcome: 'finished' as const, result: await work, usage };
  } catch (error) {
    if (signal.aborted) return { outcome: 'aborted' as const, usage };
    return { outcome: 'failed' as const, error: error as Error, usage };
  }
}
