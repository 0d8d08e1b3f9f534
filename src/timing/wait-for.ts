/** When waiting ends before the result is there. */
export interface WaitLimits {
  /** Its abort ends the wait, which throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Undefined: as long as it takes. */
  readonly timeoutMs?: number | undefined;
  /** The error of a wait whose time is up; undefined starts the same time anew. */
  readonly timeoutError?: () => Error | undefined;
  /**
   * Called before the wait ends early, to leave the queue that the result comes from. False: the result has been
   * handed out in the meantime, so it is waited for after all. Default: true.
   */
  readonly leave?: () => boolean;
}

/**
 * The value of `result`; throws its error, the reason of an aborted signal, or the error of a timeout. The work
 * behind `result` goes on when its wait ends early.
 */
export async function waitFor<Result>(result: Promise<Result>, limits: WaitLimits): Promise<Result> {
  const { signal, timeoutMs, timeoutError, leave = () => true } = limits;
  const { promise: endedEarly, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => {
    if (leave()) reject(signal?.reason);
  };
  const onTimeout = (): void => {
    const error = timeoutError?.();
    if (error === undefined) timer?.refresh();
    else if (leave()) reject(error);
  };
  const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, timeoutMs);
  if (signal?.aborted === true) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([result, endedEarly]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
