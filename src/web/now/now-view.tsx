import { useRef, useState } from 'preact/hooks';
import { inWords } from '../../words/in-words.ts';
import type { ApiKey, ListOf, UsageList } from '../api/types.ts';
import { useAdmin } from '../state/asked.ts';
import { useServerClock } from '../state/server-clock.ts';
import { downTimes, hostOf, outagesOf, whyDown } from '../models/outages.ts';
import { MemoryBars } from '../models/memory-bars.tsx';
import { t } from '../words/operator-texts.ts';
import { Bar, Button } from '../ui/controls.tsx';
import { Progress } from '../ui/progress.tsx';
import { Check } from '../ui/forms/fields.tsx';
import { CopyableId, FactList, FigureRow } from '../ui/tables/figure-row.tsx';
import { Table } from '../ui/tables/table.tsx';
import { toAge, toClock, toExactTime, toTime } from '../words/times.ts';
import { joined, toCount, toWait } from '../words/formats.ts';
import { Notices } from './notices.tsx';
import { readersOf } from './readers.ts';
import { RunningList, whose, type Keys } from './running-list.tsx';
import {
  hasFailed,
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

interface TableProps {
  readonly requests: readonly EndedRequest[];
  readonly keys: Keys;
}

/** Requests that are shown before more are asked for. */
const shownAtFirst = 10;

/** The requests that ended last, or those of them that failed. */
function LastRequests({ requests, keys }: TableProps) {
  const [onlyFailed, setOnlyFailed] = useState(false);
  const [most, setMost] = useState(shownAtFirst);
  const wanted = onlyFailed ? requests.filter(hasFailed) : requests.slice(0, shownRequests);
  return (
    <section class="card">
      <header>
        <h2>{t.now.requests}</h2>
        {requests.some(hasFailed) && (
          <Check label={t.now.onlyFailed} isOn={onlyFailed} onChange={setOnlyFailed} />
        )}
      </header>
      {onlyFailed && <p class="quiet">{t.now.lastFailed(shownRequests)}</p>}
      {wanted.length === 0 ? (
        <p class="quiet">{t.now.noRequests}</p>
      ) : (
        <RequestTable requests={wanted.slice(0, most)} keys={keys} />
      )}
      {wanted.length > most && (
        <div class="actions">
          <Button class="plain-link" text={t.chat.showAll(wanted.length)} onClick={() => setMost(Infinity)} />
        </div>
      )}
    </section>
  );
}

const RequestTable = ({ requests, keys }: TableProps) => (
  <Table class="stacks wraps requests" titles={t.now.columns} numbers={['took', 'first', 'read', 'written']}>
    {requests.map((request) => (
      <RequestRow
        key={`${request.request_id} ${request.ended_at} ${request.duration_ms}`}
        request={request}
        whose={whose(request.key_id, keys)}
      />
    ))}
  </Table>
);

/** A request in one row, and unfolded all that is kept of it. */
function RequestRow({ request, whose: owner }: { request: EndedRequest; whose: string }) {
  const [isOpen, setOpen] = useState(false);
  const { ended_at: at, status, model, route, time_to_first_token_ms: firstMs } = request;
  const isFailed = hasFailed(request);
  return (
    <>
      <tr>
        <td class="nowrap">
          <Button
            class="plain"
            title={toTime(at)}
            aria-expanded={isOpen}
            text={toClock(at)}
            onClick={() => setOpen(!isOpen)}
          />
        </td>
        <td>{owner}</td>
        <td title={route ?? undefined}>
          {model ?? ''} <small>{joined(toWork(route), request.batch_id !== null && t.now.batchLine)}</small>
        </td>
        <td class={isFailed ? 'failed' : undefined}>
          {status} <small>{endOf(request)}</small>
        </td>
        <td class="number" data-title={t.now.columns.took}>
          {toWait(request.duration_ms)}
        </td>
        <td class="number" data-title={t.now.columns.first}>
          {firstMs === null ? '–' : toWait(firstMs)}
        </td>
        <td class="number" data-title={t.now.columns.read}>
          {request.prompt_tokens?.toLocaleString('en')}
        </td>
        <td class="number" data-title={t.now.columns.written}>
          {request.completion_tokens?.toLocaleString('en')}
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colspan={Object.keys(t.now.columns).length} class="details">
            {isFailed && <p>{t.now.causes[request.error_code ?? '']}</p>}
            <FactList
              facts={[
                [t.now.columns.time, toExactTime(at)],
                [t.now.route, route ?? t.now.noRoute],
                ...speedOf(request),
              ]}
              long={idsOf(request).map(([name, id]) => [name, <CopyableId key={name} id={id} />])}
            />
            {isFailed && <p class="quiet">{t.now.inLog}</p>}
          </td>
        </tr>
      )}
    </>
  );
}

type NamedId = readonly [name: string, id: string];

/** The ids under which more of a request is found: its own, and that of its batch. */
function idsOf({ request_id: id, batch_id: batchId }: EndedRequest): readonly NamedId[] {
  const own: NamedId = [t.now.requestId, id];
  return batchId === null ? [own] : [own, [t.now.batchId, batchId]];
}

/** How fast its answer was written, where it is known when that began. */
function speedOf(request: EndedRequest): readonly [name: string, value: string][] {
  const { completion_tokens: tokens, time_to_first_token_ms: firstMs, duration_ms: ms } = request;
  if (firstMs === null || tokens === null || tokens < 2 || ms <= firstMs) return [];
  return [[t.now.tokensPerSecond, (((tokens - 1) * 1000) / (ms - firstMs)).toFixed(1)]];
}

/** Why a request failed, where its status does not say it, or that nobody awaited its end. */
const endOf = ({ error_code: code, client_left: isLeft }: EndedRequest): string =>
  code !== null ? inWords(code) : isLeft ? t.now.left : '';

/** A route without the beginning of all routes. */
const toWork = (route: string | null): string => route?.replace(/^\/(?:v1|page)\//, '') ?? '';

const pollMs = 30_000;
const mostKeys = 5;

/** How much of their prompts the keys that sent most within a day found in the cache; nothing where none found any. */
function CacheShares({ keys: all }: Pick<TableProps, 'keys'>) {
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
