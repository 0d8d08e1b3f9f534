import { useEffect, useRef, useState } from 'preact/hooks';
import { isServerAway } from '../api/connection.ts';
import { ApiError } from '../api/request.ts';

export interface Polled<Value> {
  readonly value: Value | undefined;
  readonly error: string | undefined;
  readonly reload: () => void;
}

/**
 * The value of `load`, loaded again every `everyMs` while the tab is seen, and when `inputs` change. The last value
 * stays while a reload fails, beside the error; that the server is away is told for the whole page.
 */
export function usePolled<Value>(
  load: (signal: AbortSignal) => Promise<Value | undefined>,
  inputs: readonly unknown[],
  everyMs?: number,
): Polled<Value> {
  const [state, setState] = useState<{ value?: Value | undefined; error?: string }>({});
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
  const reload = () => {
    // The same failure is told again: in between one sees that it was tried.
    setState(({ value }) => ({ value }));
    setRound((count) => count + 1);
  };
  return { value: state.value, error: state.error, reload };
}

/**
 * Does work for a person: tells whether some is under way, and why the last of it failed. Work that was given up is no
 * longer waited for; the server may still do it.
 */
export function useWork(onEnd?: () => void) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const awaited = useRef<Promise<unknown>>(undefined);
  const end = (why: string | undefined) => {
    awaited.current = undefined;
    setProblem(why);
    setBusy(false);
  };
  const act: Act = async (work) => {
    awaited.current = work;
    setBusy(true);
    setProblem(undefined);
    const why = await work.then(() => undefined, messageOf);
    if (awaited.current === work) end(why);
    onEnd?.();
  };
  return { problem, isBusy, act, giveUp: end, forget: () => setProblem(undefined) };
}

/** Does work whose failure is told where it was asked for, and not by the view. */
export async function doHere(act: Act, work: Promise<unknown>): Promise<void> {
  await act(work.catch(() => undefined));
  await work;
}

/** Resolves when the work has ended, also where it has failed. */
export type Act = (work: Promise<unknown>) => Promise<void>;

/** The time, told anew every `everyMs` while `isOn`. */
export function useNow(everyMs: number, isOn = true): number {
  const [nowMs, setNowMs] = useState(Date.now());
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [isOn]);
  return nowMs;
}

/** From this wait on the server is said to take long. */
export const longSeconds = 5;

/** How many seconds it has been shown. */
export function useSeconds(): number {
  const [beganMs] = useState(Date.now());
  return Math.round((useNow(1000) - beganMs) / 1000);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
