import { useEffect, useState } from 'preact/hooks';
import { eventsOf } from '../api/request.ts';
import type { ServerEvent } from '../api/types.ts';
import { asAdmin } from '../state/session.ts';
import { messageOf } from '../state/polled.ts';
import { t } from '../texts.ts';
import { Bar, Problem } from '../ui/controls.tsx';
import { toSize } from '../words.ts';

type ModelsEvent = Extract<ServerEvent, { type: 'models' }>;
type EndedRequest = Extract<ServerEvent, { type: 'requests' }>['data'][number];

const shownRequests = 100;
const retryMs = 2000;

/** What the server does at this moment, told by the server as it happens. */
export function NowView() {
  const { models, requests, error } = useServerEvents();
  const inMemory = models?.data.filter(({ state }) => state !== 'available') ?? [];
  const { memory } = models ?? {};
  return (
    <div class="page">
      <h1>{t.views.now}</h1>
      <Problem text={error} />
      {memory !== undefined && (
        <section class="card">
          <Bar
            label={t.models.memory}
            value={memory.used.ram_bytes}
            max={memory.budget.ram_bytes}
            text={t.models.ofBudget(toSize(memory.used.ram_bytes), toSize(memory.budget.ram_bytes))}
          />
          {inMemory.length === 0 && <p class="quiet">{t.now.idle}</p>}
          {inMemory.map(({ id, parallel, busy, waiting }) => (
            <Bar
              key={id}
              label={id}
              value={busy}
              max={parallel ?? 1}
              text={[t.now.slots(busy, parallel ?? 1), ...(waiting > 0 ? [t.now.waiting(waiting)] : [])].join(
                ' · ',
              )}
            />
          ))}
        </section>
      )}
      <LastMinute requests={requests} />
      <section class="card">
        <h2>{t.now.requests}</h2>
        {requests.length === 0 ? (
          <p class="quiet">{t.now.noRequests}</p>
        ) : (
          <RequestTable requests={requests} />
        )}
      </section>
    </div>
  );
}

/** Speed and waits of the requests that ended within the last minute. */
function LastMinute({ requests }: { requests: readonly EndedRequest[] }) {
  const [nowSeconds, setNowSeconds] = useState(Date.now() / 1000);
  useEffect(() => {
    const timer = setInterval(() => setNowSeconds(Date.now() / 1000), 1000);
    return () => clearInterval(timer);
  }, []);
  const recent = requests.filter(({ ended_at: at }) => at > nowSeconds - 60);
  const tokens = recent.reduce((sum, { completion_tokens: count }) => sum + (count ?? 0), 0);
  const waits = recent.flatMap(({ time_to_first_token_ms: ms }) => ms ?? []).toSorted((a, b) => a - b);
  const figures: readonly [string, string][] = [
    [t.now.requestsPerMinute, String(recent.length)],
    [t.now.tokensPerSecond, (tokens / 60).toFixed(1)],
    [t.now.firstToken, waits.length === 0 ? '–' : toMs(waits[Math.floor(waits.length / 2)] ?? 0)],
  ];
  return (
    <dl class="figures-row">
      {figures.map(([name, value]) => (
        <div key={name} class="card">
          <dt class="quiet">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function RequestTable({ requests }: { requests: readonly EndedRequest[] }) {
  const { columns } = t.now;
  return (
    <div class="scroll" tabindex={0}>
      <table>
        <thead>
          <tr>
            {Object.entries(columns).map(([name, text]) => (
              <th
                key={name}
                scope="col"
                class={['took', 'first', 'tokens'].includes(name) ? 'number' : undefined}
              >
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {requests.map((request, index) => (
            <tr key={requests.length - index}>
              <td>{new Date(request.ended_at * 1000).toLocaleTimeString()}</td>
              <td>{request.route ?? '–'}</td>
              <td>{request.model ?? ''}</td>
              <td class={request.status >= 400 ? 'failed' : undefined}>
                {request.status} {request.error_code ?? ''}
              </td>
              <td class="number">{toMs(request.duration_ms)}</td>
              <td class="number">{toMs(request.time_to_first_token_ms)}</td>
              <td class="number">
                {request.prompt_tokens === null
                  ? ''
                  : `${request.prompt_tokens} / ${request.completion_tokens ?? 0}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const toMs = (ms: number | null) =>
  ms === null ? '' : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;

/** The last state of the models and the last requests, the newest first. Connects again when the server comes back. */
function useServerEvents() {
  const [models, setModels] = useState<ModelsEvent>();
  const [requests, setRequests] = useState<readonly EndedRequest[]>([]);
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
        else setRequests((old) => [...event.data.toReversed(), ...old].slice(0, shownRequests));
      }
    };
    const keepWatching = async () => {
      while (!leaving.signal.aborted) {
        await watch().catch((thrown: unknown) => setError(messageOf(thrown)));
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    };
    void keepWatching();
    return () => leaving.abort();
  }, []);
  return { models, requests, error };
}
