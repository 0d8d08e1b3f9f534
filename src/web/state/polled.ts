import { useEffect, useState } from 'preact/hooks';

export interface Polled<Value> {
  readonly value: Value | undefined;
  readonly error: string | undefined;
  reload(): void;
}

/**
 * What `load` gives, loaded again every `everyMs` while the tab is seen, and when `inputs` change. The last value
 * stays while a reload fails, beside the error.
 */
export function usePolled<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[],
  everyMs?: number,
): Polled<Value> {
  const [state, setState] = useState<{ value?: Value; error?: string }>({});
  const [round, setRound] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    const run = async () => {
      if (document.hidden) return;
      try {
        const value = await load(leaving.signal);
        if (!leaving.signal.aborted) setState({ value });
      } catch (error) {
        if (!leaving.signal.aborted) setState((old) => ({ ...old, error: messageOf(error) }));
      }
    };
    void run();
    const timer = everyMs === undefined ? undefined : setInterval(() => void run(), everyMs);
    return () => {
      leaving.abort();
      clearInterval(timer);
    };
  }, [...inputs, round]);
  return { value: state.value, error: state.error, reload: () => setRound((count) => count + 1) };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
