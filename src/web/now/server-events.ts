import { useEffect, useState } from 'preact/hooks';
import { isServerAway } from '../api/connection.ts';
import { ApiError, eventsOf } from '../api/request.ts';
import type { ServerEvent } from '../api/types.ts';
import { afterMs } from '../state/after-ms.ts';
import { asAdmin } from '../state/session.ts';
import { messageOf } from '../state/polled.ts';

export type ModelsEvent = Extract<ServerEvent, { type: 'models' }>;
export type EndedRequest = Extract<ServerEvent, { type: 'requests' }>['data'][number];
export type Notice = Extract<ServerEvent, { type: 'notices' }>['data'][number];
export type RunningRequest = Extract<ServerEvent, { type: 'running' }>['data'][number];

const shownRequests = 100;
const retryMs = 2000;

/**
 * The last state of the models, the requests that run, the last that ended and the last notices, the newest first.
 * Connects again when the server comes back.
 */
export function useServerEvents() {
  const [models, setModels] = useState<ModelsEvent>();
  const [running, setRunning] = useState<readonly RunningRequest[]>([]);
  const [requests, setRequests] = useState<readonly EndedRequest[]>([]);
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const [error, setError] = useState<string>();
  useEffect(() => {
    const leaving = new AbortController();
    const watch = async () => {
      const response = await asAdmin('events', { signal: leaving.signal });
      setError(undefined);
      // The server tells the last requests again at the beginning.
      setRequests([]);
      for await (const event of eventsOf<ServerEvent>(response)) {
        if (event.type === 'models') setModels(event);
        else if (event.type === 'running') setRunning(event.data);
        else if (event.type === 'notices') setNotices(event.data);
        else setRequests((old) => [...event.data.toReversed(), ...old].slice(0, shownRequests));
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
  return { models, running, requests, notices, error };
}
