interface Request {
  readonly model: string;
  readonly state: 'waiting' | 'computing';
}

interface Model {
  readonly id: string;
  readonly state: string;
  /** Its slots; null: one. */
  readonly parallel: number | null;
  readonly busy: number;
  readonly waiting: number;
}

/**
 * The requests whose prompts are computed: the oldest of those that write nothing yet, as many as there are slots for. A
 * model tells up to a second late how many it uses, but it leaves one free only where that has no memory.
 */
export function readersOf<Running extends Request>(
  running: readonly Running[],
  models: readonly Model[],
): ReadonlySet<Running> {
  return new Set(
    models.flatMap(({ id, state, parallel, busy, waiting }) => {
      const slots = waiting > 0 ? busy : (parallel ?? 1);
      const own = running.filter(({ model }) => model === id);
      const unbegun = own.filter((request) => request.state === 'waiting');
      return state === 'loaded' ? unbegun.slice(0, Math.max(0, slots - (own.length - unbegun.length))) : [];
    }),
  );
}
