import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { isServerAway } from '../api/connection.ts';
import { ApiError, eventsOf } from '../api/request.ts';
import type { ServerEvent } from '../api/types.ts';
import { afterMs } from '../state/after-ms.ts';
import { asAdmin, secrets } from '../state/session.ts';
import { messageOf } from '../state/polled.ts';
import { notices } from './standing.ts';

export type ModelsEvent = Extract<ServerEvent, { type: 'models' }>;
export type EndedRequest = Extract<ServerEvent, { type: 'requests' }>['data'][number];
export type RunningRequest = Extract<ServerEvent, { type: 'running' }>['data'][number];

/** So many of the last requests are known, and of those that failed. */
export const shownRequests = 100;
const retryMs = 2000;

/** The models and requests that the server told last; they stay in sight while it is away. */
const models = signal<ModelsEvent | undefined>(undefined);
const requests = signal<readonly EndedRequest[]>([]);
/** To which sign-in: another one is not shown more than its key may see. */
const toldTo = signal<typeof secrets.value | undefined>(undefined);

/** A request that its client or an operator stopped has not failed. */
export const hasFailed = ({ status, error_code: code, stopped }: EndedRequest): boolean =>
  !stopped && (status >= 400 || code !== null);

/** Those of `all` that are shown, the newest first. */
function kept(all: readonly EndedRequest[]): readonly EndedRequest[] {
  const failed = new Set(all.filter(hasFailed).slice(0, shownRequests));
  return all.filter((request, index) => index < shownRequests || failed.has(request));
}

/**
 * The last state of the models, the requests that run and the last that ended, the newest first; the last notices go where all views see them.
 * Connects again when the server comes back.
 */
export function useServerEvents() {
  const [running, setRunning] = useState<readonly RunningRequest[]>([]);
  const [error, setError] = useState<string>();
  const isAway = isServerAway.value;
  useEffect(() => {
    if (isAway) return;
    const leaving = new AbortController();
    const watch = async () => {
      const response = await asAdmin('events', { signal: leaving.signal });
      setError(undefined);
      toldTo.value = secrets.value;
      // The server tells the last requests again at the beginning, and of those that run where there are any.
      requests.value = [];
      setRunning([]);
      for await (const event of eventsOf<ServerEvent>(response)) {
        if (event.type === 'models') models.value = event;
        else if (event.type === 'running') setRunning(event.data);
        else if (event.type === 'notices') notices.value = event.data;
        else requests.value = kept([...event.data.toReversed(), ...requests.value]);
      }
    };
    const keepWatching = async () => {
      while (!leaving.signal.aborted) {
        await watch().catch((thrown: unknown) => {
          const isTold = thrown instanceof ApiError && thrown.code === 'unreachable';
          if (!isTold && !leaving.signal.aborted) setError(messageOf(thrown));
        });
        await afterMs(retryMs);
      }
    };
    void keepWatching();
    return () => leaving.abort();
  }, [isAway]);
  const isOwn = toldTo.value === secrets.value;
  return {
    models: isOwn ? models.value : undefined,
    running,
    requests: isOwn ? requests.value : [],
    error,
  };
}
