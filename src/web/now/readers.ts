import type { ModelsEvent, RunningRequest } from './server-events.ts';

/**
 * The requests whose prompts are computed: the oldest of those that write nothing yet, as many as there are slots for. A
 * model tells up to a second late how many it uses, but it leaves one free only where that has no memory.
 */
export function readersOf(
  running: readonly RunningRequest[],
  models: ModelsEvent['data'],
): ReadonlySet<RunningRequest> {
  return new Set(
    models.flatMap(({ id, state, parallel, busy, waiting }) => {
      const slots = waiting > 0 ? busy : (parallel ?? 1);
      const own = running.filter(({ model }) => model === id);
      const unbegun = own.filter((request) => request.state === 'waiting');
      return state === 'loaded' ? unbegun.slice(0, Math.max(0, slots - (own.length - unbegun.length))) : [];
    }),
  );
}
