import { useState } from 'preact/hooks';
import { inWords } from '../../../words/in-words.ts';
import { t } from '../../words/operator-texts.ts';
import { Button } from '../../ui/controls.tsx';
import { Check } from '../../ui/forms/fields.tsx';
import { CopyableId, FactList } from '../../ui/tables/figure-row.tsx';
import { Table } from '../../ui/tables/table.tsx';
import { toClock, toExactTime, toTime } from '../../words/times.ts';
import { joined, toCount, toWait } from '../../words/formats.ts';
import { isSpeech, whose, type Keys } from './running-list.tsx';
import { hasFailed, shownRequests, type EndedRequest } from '../server-events.ts';

interface TableProps {
  readonly requests: readonly EndedRequest[];
  readonly keys: Keys;
}

/** Requests that are shown before more are asked for. */
const shownAtFirst = 10;

/** The requests that ended last, or those of them that failed. */
export function LastRequests({ requests, keys }: TableProps) {
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
      <tr class={isOpen ? 'opened' : undefined}>
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
        {amountsOf(request).map(([title, amount]) => (
          <td key={title} class="number" data-title={title}>
            {amount}
          </td>
        ))}
      </tr>
      {isOpen && (
        <tr>
          <td colspan={Object.keys(t.now.columns).length} class="details">
            {isFailed && <p>{t.now.causes[request.error_code ?? '']}</p>}
            {isStoppedByClient(request) && <p>{t.now.stoppedWhy}</p>}
            <FactList
              facts={[
                [t.now.columns.time, toExactTime(at)],
                [t.now.route, route ?? t.now.noRoute],
                ...tokensOf(request),
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

/** The amounts under In and Out, short: tokens, or the seconds of audio that the model heard or spoke. */
function amountsOf(request: EndedRequest): readonly (readonly [title: string, amount: string])[] {
  const { prompt_tokens: read, completion_tokens: written, audio_seconds: seconds } = request;
  const audio = seconds === null ? undefined : toWait(seconds * 1000);
  const isSpoken = isSpeech(request.route);
  return [
    [t.now.columns.read, audio !== undefined && !isSpoken ? audio : toTokens(read)],
    [t.now.columns.written, audio !== undefined && isSpoken ? audio : toTokens(written)],
  ];
}

/** Nothing is written by what computes vectors, and nothing was where it failed. */
const toTokens = (count: number | null): string => (count === null ? '' : count === 0 ? '–' : toCount(count));

/** The exact counts of tokens of which the row has the short ones. */
const tokensOf = ({ prompt_tokens: read, completion_tokens: written }: EndedRequest) =>
  [[t.now.promptTokens, read ?? 0] as const, [t.now.outputTokens, written ?? 0] as const].flatMap(
    ([name, count]): NamedId[] => (count === 0 ? [] : [[name, count.toLocaleString('en')]]),
  );

/** How fast its answer was written, where it is known when that began. */
function speedOf(request: EndedRequest): readonly [name: string, value: string][] {
  const { completion_tokens: tokens, time_to_first_token_ms: firstMs, duration_ms: ms } = request;
  if (firstMs === null || tokens === null || tokens < 2 || ms <= firstMs) return [];
  return [[t.now.tokensPerSecond, (((tokens - 1) * 1000) / (ms - firstMs)).toFixed(1)]];
}

/** Why a request failed, where its status does not say it, that it was stopped, or that nobody awaited its end. */
function endOf(request: EndedRequest): string {
  const { error_code: code, client_left: isLeft } = request;
  if (code === 'request_cancelled') return t.now.stoppedByOperator;
  if (code !== null) return inWords(code);
  return isStoppedByClient(request) ? t.now.stopped : isLeft ? t.now.left : '';
}

const isStoppedByClient = ({ stopped, error_code: code }: EndedRequest): boolean => stopped && code === null;

/** A route without the beginning of all routes. */
const toWork = (route: string | null): string => route?.replace(/^\/(?:v1|page)\//, '') ?? '';
