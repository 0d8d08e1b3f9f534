import { useEffect, useState } from 'preact/hooks';
import { isServerAway } from '../api/connection.ts';
import { ApiError } from '../api/request.ts';

export interface Polled<Value> {
  readonly value: Value | undefined;
  readonly error: string | undefined;
  reload(): void;
}

/**
 * The value of `load`, loaded again every `everyMs` while the tab is seen, and when `inputs` change. The last value
 * stays while a reload fails, beside the error; that the server is away is told for the whole page.
 */
export function usePolled<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[],
  everyMs?: number,
): Polled<Value> {
  const [state, setState] = useState<{ value?: Value; error?: string }>({});
  const [round, setRound] = useState(0);
  const isAway = isServerAway.value;
  useEffect(() => {
    const leaving = new AbortController();
    const run = async () => {
      if (document.hidden || isAway) return;
      try {
        const value = await load(leaving.signal);
        if (!leaving.signal.aborted) setState({ value });
      } catch (error) {
        const isTold = error instanceof ApiError && error.code === 'unreachable';
        if (!leaving.signal.aborted && !isTold) setState((old) => ({ ...old, error: messageOf(error) }));
      }
    };
    void run();
    const timer = everyMs === undefined ? undefined : setInterval(() => void run(), everyMs);
    return () => {
      leaving.abort();
      clearInterval(timer);
    };
  }, [...inputs, round, isAway]);
  return { value: state.value, error: state.error, reload: () => setRound((count) => count + 1) };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
