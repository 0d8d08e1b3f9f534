/** A line of the server's log that is looked at. */
interface LogLine {
  readonly time: string;
  readonly msg: string;
  readonly model?: string;
  readonly reason?: string;
  readonly ramBytes?: number;
  readonly inMemory?: readonly { readonly id: string; readonly users: number; readonly idleMs: number }[];
}

/** From when to when a model was in memory, Unix ms; Infinity: it still is. */
export interface Stay {
  readonly modelId: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface PoolHistory {
  readonly stays: readonly Stay[];
  /** Bytes of the largest model by the server's own account. */
  readonly largestBytes: number;
  readonly evictions: number;
  /** Evictions of another model than the one that was not used for longest, idle ones first. */
  readonly wrongEvictions: readonly string[];
}

/** The loads and evictions of models, as the server's log tells them. */
export function readPoolHistory(log: string): PoolHistory {
  const stays: { modelId: string; fromMs: number; untilMs: number }[] = [];
  const wrongEvictions: string[] = [];
  let evictions = 0;
  let largestBytes = 0;
  for (const { msg, model: modelId = '', time, ramBytes = 0, inMemory = [] } of parseLines(log)) {
    const atMs = Date.parse(time);
    if (msg === 'model loaded') {
      stays.push({ modelId, fromMs: atMs, untilMs: Number.POSITIVE_INFINITY });
      largestBytes = Math.max(largestBytes, ramBytes);
    }
    if (msg === 'model unloaded') {
      const stay = stays.findLast((candidate) => candidate.modelId === modelId);
      if (stay !== undefined) stay.untilMs = atMs;
    }
    if (msg === 'making room') {
      evictions++;
      const [expected] = inMemory.toSorted(
        (a, b) => Number(a.users > 0) - Number(b.users > 0) || b.idleMs - a.idleMs,
      );
      if (expected?.id !== modelId) wrongEvictions.push(`${modelId} of ${JSON.stringify(inMemory)}`);
    }
  }
  return { stays, largestBytes, evictions, wrongEvictions };
}

function parseLines(log: string): LogLine[] {
  return log.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : []));
}
