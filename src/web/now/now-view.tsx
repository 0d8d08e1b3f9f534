import { useRef } from 'preact/hooks';
import type { ApiKey, ListOf, UsageList } from '../api/types.ts';
import { useAdmin } from '../state/asked.ts';
import { useServerClock } from '../state/server-clock.ts';
import { downTimes, hostOf, outagesOf, whyDown } from '../models/outages.ts';
import { MemoryBars } from '../models/memory-bars.tsx';
import { t } from '../words/operator-texts.ts';
import { Bar } from '../ui/controls.tsx';
import { Progress } from '../ui/progress.tsx';
import { FigureRow } from '../ui/tables/figure-row.tsx';
import { toAge, toTime } from '../words/times.ts';
import { joined, toCount, toWait } from '../words/formats.ts';
import { Notices } from './notices.tsx';
import { LastRequests } from './requests/last-requests.tsx';
import { readersOf } from './requests/readers.ts';
import { RunningList, whose, type Keys } from './requests/running-list.tsx';
import {
  shownRequests,
  useServerEvents,
  type EndedRequest,
  type ModelsEvent,
  type RunningRequest,
} from './server-events.ts';
import './now.css';

const keysPollMs = 30_000;

/** The requests that run, wait and end, which the server tells of as it happens. */
export function NowView() {
  const { models, running, requests, error } = useServerEvents();
  const keyList = useKeys([...running, ...requests].map(({ key_id: id }) => id));
  const readers = readersOf(running, models?.data ?? []);
  return (
    <div class="page">
      <header class="page-header">
        <h1>{t.views.now}</h1>
        {models !== undefined && (
          <span class="quiet" title={toTime(models.server.started_at)}>
            {t.now.server(models.server.version, toAge(models.server.started_at))}
          </span>
        )}
      </header>
      <Progress of={{ value: models, error }} />
      {/* Nothing is put above parts that are read already. */}
      {models !== undefined && (
        <>
          <Trouble models={models} />
          <Notices />
          <Figures requests={requests} running={running} readers={readers} />
          <RunningList
            running={running}
            readers={readers}
            models={models}
            keys={keyList}
            lastEndedAt={requests[0]?.ended_at}
          />
          <LastRequests requests={requests} keys={keyList} />
          <Gauges models={models} />
          <CacheShares keys={keyList} />
        </>
      )}
    </div>
  );
}

/** All keys, asked for anew where one of `ids` is new. */
function useKeys(ids: readonly (string | null)[]): Keys {
  const known = useRef<readonly ApiKey[]>([]);
  const unknown = new Set(ids);
  for (const id of [null, ...known.current.map((key) => key.id)]) unknown.delete(id);
  const { value, error } = useAdmin<ListOf<ApiKey>>('keys', keysPollMs, [...unknown].join());
  known.current = value?.data ?? [];
  return value?.data ?? (error === undefined ? undefined : []);
}

type ModelRow = ModelsEvent['data'][number];

/** Which models cannot be used, and why; nothing where all can. */
function Trouble({ models: { data } }: { models: ModelsEvent }) {
  const { away, failed } = outagesOf(data);
  const isTrouble = away.length + failed.length > 0;
  const nowMs = useServerClock(1000, isTrouble);
  if (!isTrouble) return null;
  return (
    <section class="card trouble">
      <h2>{t.now.trouble}</h2>
      {away.map((models) => (
        <p key={models[0]?.id}>
          {t.now.down(
            listOf(models),
            joined(
              models[0]?.upstream_label,
              (models[0]?.addresses ?? []).map((address) => toLine(address, nowMs)).join('; '),
            ),
          )}{' '}
          <ToModels />
        </p>
      ))}
      {failed.length > 0 && (
        <p>
          {t.now.failed(listOf(failed))} <ToModels />
        </p>
      )}
    </section>
  );
}

type Address = NonNullable<ModelRow['addresses']>[number];

/** `127.0.0.1:8080 does not answer (down for 3 min, next try in 5 s)` */
const toLine = (address: Address, nowMs: number): string =>
  `${hostOf(address)} ${whyDown(address)} (${downTimes(address, nowMs)})`;

const ToModels = () => <a href="#/models">{t.now.seeModels}</a>;

/** Memory, and the slots of each model that has something to do. */
function Gauges({ models: { data, memory } }: { models: ModelsEvent }) {
  const shown = data.filter(({ busy, waiting }) => busy + waiting > 0);
  const idle = data.filter(
    (one) => one.state === 'loaded' && one.addresses === null && !shown.includes(one),
  ).length;
  return (
    <section class="card">
      <MemoryBars memory={memory} />
      {shown.map((one) => (
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
      ))}
      {idle > 0 && <p class="facts">{t.now.idleModels(idle)}</p>}
    </section>
  );
}

const mostNamed = 3;

/** `a, b, c and 4 more` */
function listOf(models: readonly ModelRow[]): string {
  const names = models.slice(0, mostNamed).map(({ id }) => id);
  const more = models.length - names.length;
  return more === 0 ? names.join(', ') : t.now.andMore(names.join(', '), more);
}

interface FiguresProps {
  readonly requests: readonly EndedRequest[];
  readonly running: readonly RunningRequest[];
  readonly readers: ReadonlySet<RunningRequest>;
}

/** Counts of running and waiting requests, their speed, and the waits of those that ended within the last minute. */
function Figures({ requests, running, readers }: FiguresProps) {
  const nowSeconds = useServerClock(1000) / 1000;
  const recent = requests.filter(({ ended_at: at }) => at > nowSeconds - 60);
  // There may have been more than are known.
  const isCut = recent.length >= shownRequests;
  const computing = running.filter(({ state }) => state === 'computing');
  const speed = computing.reduce((sum, { tokens_per_second: each }) => sum + each, 0);
  const waits = recent.flatMap(({ time_to_first_token_ms: ms }) => ms ?? []).toSorted((a, b) => a - b);
  const figures: [name: string, value: string][] = [
    [t.now.runs, String(computing.length + readers.size)],
    [t.now.waitsNow, String(running.length - computing.length - readers.size)],
    [t.now.tokensPerSecond, speed.toFixed(0 < speed && speed < 100 ? 1 : 0)],
    [t.now.requestsPerMinute, `${recent.length}${isCut ? '+' : ''}`],
    [t.now.firstToken, waits.length === 0 ? '–' : toWait(waits[Math.floor(waits.length / 2)] ?? 0)],
  ];
  return <FigureRow figures={figures} />;
}

const pollMs = 30_000;
const mostKeys = 5;

/** How much of their prompts the keys that sent most within a day found in the cache; nothing where none found any. */
function CacheShares({ keys: all }: { keys: Keys }) {
  const usage = useAdmin<UsageList>('usage?by=key&since=1d', pollMs);
  const keys = (usage.value?.data ?? [])
    .filter(({ prompt_tokens: tokens }) => tokens > 0)
    .toSorted((a, b) => b.prompt_tokens - a.prompt_tokens)
    .slice(0, mostKeys);
  if (keys.every(({ cached_tokens: cached }) => cached === 0)) return null;
  return (
    <section class="card">
      <h2>{t.now.cached}</h2>
      {keys.map(({ group, prompt_tokens: sent, cached_tokens: cached }) => (
        <Bar
          key={group}
          label={whose(group, all)}
          value={cached}
          max={sent}
          text={t.now.share(toCount(cached), toCount(sent))}
        />
      ))}
    </section>
  );
}
