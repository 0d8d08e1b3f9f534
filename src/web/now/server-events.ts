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

/** So many of the last requests are known. */
export const shownRequests = 100;
const retryMs = 2000;

/** The models and requests that the server told last; they stay in sight while it is away. */
const models = signal<ModelsEvent | undefined>(undefined);
const requests = signal<readonly EndedRequest[]>([]);
/** To which sign-in: another one is not shown what its key may not see. */
const toldTo = signal<typeof secrets.value | undefined>(undefined);

/**
 * The last state of the models, the requests that run and the last that ended, the newest first; the last notices go where all views see them.
 * Connects again when the server comes back.
 */
export function useServerEvents() {
  const [running, setRunning] = useState<readonly RunningRequest[]>([]);
  const [error, setError] = useState<string>();
  useEffect(() => {
    const leaving = new AbortController();
    const watch = async () => {
      const response = await asAdmin('events', { signal: leaving.signal });
      setError(undefined);
      toldTo.value = secrets.value;
      // The server tells the last requests again at the beginning.
      requests.value = [];
      for await (const event of eventsOf<ServerEvent>(response)) {
        if (event.type === 'models') models.value = event;
        else if (event.type === 'running') setRunning(event.data);
        else if (event.type === 'notices') notices.value = event.data;
        else requests.value = [...event.data.toReversed(), ...requests.value].slice(0, shownRequests);
      }
    };
    const keepWatching = async () => {
      while (!leaving.signal.aborted) {
        await watch().catch((thrown: unknown) => {
          const isTold = thrown instanceof ApiError && thrown.code === 'unreachable';
          if (!isTold && !leaving.signal.aborted) setError(messageOf(thrown));
        });
        setRunning([]);
        await afterMs(isServerAway.value ? retryMs : 0);
      }
    };
    void keepWatching();
    return () => leaving.abort();
  }, []);
  const isOwn = toldTo.value === secrets.value;
  return {
    models: isOwn ? models.value : undefined,
    running,
    requests: isOwn ? requests.value : [],
    error,
  };
}
