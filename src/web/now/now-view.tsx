import type { ApiKey, ListOf, UsageList } from '../api/types.ts';
import { useAdmin, useNow } from '../state/polled.ts';
import { MemoryBars } from '../models/memory-bars.tsx';
import { t } from '../operator-texts.ts';
import { Bar, Problem } from '../ui/controls.tsx';
import { FigureRow } from '../ui/figure-row.tsx';
import { Table } from '../ui/table.tsx';
import { joined, toAge, toClock, toTime, toCount, toWait } from '../words.ts';
import { RunningList, whose } from './running-list.tsx';
import {
  useServerEvents,
  type EndedRequest,
  type ModelsEvent,
  type RunningRequest,
} from './server-events.ts';

const keysPollMs = 30_000;
const streamRoute = '/v1/stream/{id}';

/** The requests that run, wait and end, which the server tells of as it happens. */
export function NowView() {
  const { models, running, requests: all, notices, error } = useServerEvents();
  // Pages that ask for an answer which the server no longer has are no work of anybody's.
  const requests = all.filter(({ route, status }) => status !== 404 || route !== streamRoute);
  const keys = useAdmin<ListOf<ApiKey>>('keys', keysPollMs);
  const keyList = keys.value?.data ?? [];
  return (
    <div class="page">
      <h1>{t.views.now}</h1>
      <Problem text={error} />
      <Figures requests={requests} running={running} />
      {notices.length > 0 && (
        <section class="card">
          <h2>{t.now.notices}</h2>
          {notices.map(({ id, at, message }) => (
            <p key={id}>
              <span class="quiet">{toAge(at)}</span> {message}
            </p>
          ))}
        </section>
      )}
      {models !== undefined && <Gauges models={models} />}
      <RunningList running={running} models={models} keys={keyList} />
      <section class="card">
        <h2>{t.now.requests}</h2>
        {requests.length === 0 ? (
          <p class="quiet">{t.now.noRequests}</p>
        ) : (
          <RequestTable requests={requests} keys={keyList} />
        )}
      </section>
      <CacheShares />
    </div>
  );
}

type ModelRow = ModelsEvent['data'][number];

/** Memory, and the slots of each model that is in it or works elsewhere. */
function Gauges({ models: { data, memory } }: { models: ModelsEvent }) {
  const isDown = ({ addresses }: ModelRow) => addresses?.every(({ state }) => state === 'down') === true;
  // Models of this machine show what they have; others show when they have something to do, or cannot.
  const shown = data.filter(
    (one) =>
      (one.state !== 'available' && one.addresses === null) || one.busy + one.waiting > 0 || isDown(one),
  );
  const idle = data.filter((one) => one.addresses !== null && !shown.includes(one)).length;
  return (
    <section class="card">
      <MemoryBars memory={memory} />
      {shown.map((one) =>
        isDown(one) ? (
          <p key={one.id} class="failed">
            {one.id}: {t.now.down(one.addresses?.[0]?.reason ?? '')}
          </p>
        ) : (
          <Bar
            key={one.id}
            label={one.id}
            value={one.busy}
            max={one.parallel ?? 1}
            text={joined(
              t.now.slots(one.busy, one.parallel ?? 1),
              one.waiting > 0 && t.now.waiting(one.waiting),
            )}
          />
        ),
      )}
      {idle > 0 && <p class="quiet">{t.now.idleModels(idle)}</p>}
    </section>
  );
}

interface FiguresProps {
  readonly requests: readonly EndedRequest[];
  readonly running: readonly RunningRequest[];
}

/** Counts of running and waiting requests, their speed, and the waits of those that ended within the last minute. */
function Figures({ requests, running }: FiguresProps) {
  const nowSeconds = useNow(1000) / 1000;
  const recent = requests.filter(({ ended_at: at }) => at > nowSeconds - 60);
  const computing = running.filter(({ state }) => state === 'computing');
  const speed = computing.reduce((sum, { tokens_per_second: each }) => sum + each, 0);
  const waits = recent.flatMap(({ time_to_first_token_ms: ms }) => ms ?? []).toSorted((a, b) => a - b);
  const figures: readonly [string, string][] = [
    [t.now.runs, String(computing.length)],
    [t.now.waitsNow, String(running.length - computing.length)],
    [t.now.tokensPerSecond, speed.toFixed(speed < 100 ? 1 : 0)],
    [t.now.requestsPerMinute, String(recent.length)],
    [t.now.firstToken, waits.length === 0 ? '–' : toWait(waits[Math.floor(waits.length / 2)] ?? 0)],
  ];
  return <FigureRow figures={figures} />;
}

interface TableProps {
  readonly requests: readonly EndedRequest[];
  readonly keys: readonly ApiKey[];
}

const RequestTable = ({ requests, keys }: TableProps) => (
  <Table class="dense stacks" titles={t.now.columns} numbers={['took', 'first', 'read', 'written']}>
    {requests.map((request, index) => (
      <tr key={requests.length - index}>
        <td title={toTime(request.ended_at)}>{toClock(request.ended_at)}</td>
        <td>{whose(request.key_id, keys)}</td>
        <td>{request.route ?? '–'}</td>
        <td>{request.model ?? ''}</td>
        <td class={request.status >= 400 || request.error_code !== null ? 'failed' : undefined}>
          {request.status} {request.error_code ?? ''}
        </td>
        <td class="number" data-title={t.now.columns.took}>
          {toWait(request.duration_ms)}
        </td>
        <td class="number" data-title={t.now.columns.first}>
          {request.time_to_first_token_ms !== null && toWait(request.time_to_first_token_ms)}
        </td>
        <td class="number" data-title={t.now.columns.read}>
          {request.prompt_tokens?.toLocaleString('en')}
        </td>
        <td class="number" data-title={t.now.columns.written}>
          {request.completion_tokens?.toLocaleString('en')}
        </td>
      </tr>
    ))}
  </Table>
);

const pollMs = 30_000;
const mostKeys = 5;

/** How much of their prompts the keys that sent most within a day found in the cache; nothing where none sent any. */
function CacheShares() {
  const usage = useAdmin<UsageList>('usage?by=key&since=1d', pollMs);
  const keys = (usage.value?.data ?? [])
    .filter(({ prompt_tokens: tokens }) => tokens > 0)
    .toSorted((a, b) => b.prompt_tokens - a.prompt_tokens)
    .slice(0, mostKeys);
  if (keys.length === 0) return null;
  return (
    <section class="card">
      <h2>{t.now.cached}</h2>
      {keys.map(({ group, label, prompt_tokens: all, cached_tokens: cached }) => (
        <Bar
          key={group}
          label={label}
          value={cached}
          max={all}
          text={t.now.share(toCount(cached), toCount(all))}
        />
      ))}
    </section>
  );
}
