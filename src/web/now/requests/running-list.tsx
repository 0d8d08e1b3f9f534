import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../api/request.ts';
import type { ApiKey } from '../../api/types.ts';
import { t } from '../../words/operator-texts.ts';
import { asAdmin } from '../../state/session.ts';
import { mayChange } from '../../state/rights.ts';
import { Button } from '../../ui/controls.tsx';
import { AskingButton } from '../../ui/overlays/ask.tsx';
import { Table } from '../../ui/tables/table.tsx';
import { useServerClock } from '../../state/server-clock.ts';
import { toSpan } from '../../words/span.ts';
import { toAge } from '../../words/times.ts';
import { nameOfKey } from '../../words/formats.ts';
import type { ModelsEvent, RunningRequest } from '../server-events.ts';

/** Whether a request of this route has a text spoken. */
export const isSpeech = (route: string | null): boolean => route === '/v1/audio/speech';

/** undefined: they are still to come. */
export type Keys = readonly ApiKey[] | undefined;

interface Props {
  readonly running: readonly RunningRequest[];
  /** Those of them whose prompts are computed. */
  readonly readers: ReadonlySet<RunningRequest>;
  readonly models: ModelsEvent;
  readonly keys: Keys;
  /** When the last request ended; undefined: none has. */
  readonly lastEndedAt: number | undefined;
}

/** Rows before more are asked for. */
const shownAtFirst = 8;

/** The requests that are computed now, and those that wait, each with whose it is. */
export function RunningList({ running, readers, models, keys, lastEndedAt }: Props) {
  const [most, setMost] = useState(shownAtFirst);
  const rows = Math.min(most, running.length);
  const room = useRoom(rows);
  return (
    <section class="card running-now" style={{ '--room': room }}>
      <header>
        <h2>{t.now.running}</h2>
      </header>
      {running.length === 0 && <Idle lastEndedAt={lastEndedAt} />}
      {running.length > 0 && (
        <Table
          class="stacks wraps running"
          titles={t.now.runningColumns}
          numbers={['age', 'speed']}
          hasActions
        >
          {running.slice(0, rows).map((request) => (
            <tr key={request.id}>
              <td>{whose(request.key_id, keys)}</td>
              <td>
                {request.model} <small>{request.batch_id !== null && t.now.batchLine}</small>
              </td>
              <td class={request.state === 'waiting' && !readers.has(request) ? 'quiet' : undefined}>
                {readers.has(request) ? workOf(request.route) : stateOf(request, models)}
              </td>
              <td class="number">{toSpan(request.age_ms / 1000)}</td>
              <td class="number" data-title={t.now.runningColumns.speed}>
                {request.tokens_per_second > 0 && request.tokens_per_second.toFixed(1)}
              </td>
              <td>
                {mayChange.value && (
                  <AskingButton
                    class="plain-link"
                    action={t.now.stop}
                    question={t.now.stopQuestion(whose(request.key_id, keys), request.model)}
                    onConfirm={() => stop(request)}
                  />
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {running.length > rows && (
        <div class="actions">
          <Button
            class="plain-link"
            text={t.chat.showAll(running.length)}
            onClick={() => setMost(Infinity)}
          />
        </div>
      )}
    </section>
  );
}

/** One that has ended meanwhile needs no stop. */
async function stop({ id }: RunningRequest): Promise<void> {
  try {
    await asAdmin(`requests/${encodeURIComponent(id)}/cancel`, { method: 'POST' });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}

/** Room that stays without any request: what is below does not move with each one. */
const leastRows = 1;
const shrinkMs = 3000;

/** For how many rows there is room: as many as there are at once, and one less at a time where there are fewer. */
function useRoom(rows: number): number {
  const [kept, setKept] = useState(leastRows);
  const room = Math.max(kept, rows);
  const isTooMuch = room > Math.max(leastRows, rows);
  useEffect(() => {
    setKept(room);
    if (!isTooMuch) return;
    const timer = setTimeout(() => setKept(room - 1), shrinkMs);
    return () => clearTimeout(timer);
  }, [room, isTooMuch]);
  return room;
}

function Idle({ lastEndedAt }: Pick<Props, 'lastEndedAt'>) {
  const nowMs = useServerClock(1000);
  return <p class="quiet">{t.now.idle(lastEndedAt === undefined ? undefined : toAge(lastEndedAt, nowMs))}</p>;
}

/** The name of a key for people; '': nobody's. */
export function whose(id: string | null, keys: Keys): string {
  if (keys === undefined) return id === null ? '' : '…';
  const key = keys.find((one) => one.id === id);
  return key === undefined ? (id ?? '') : nameOfKey(key);
}

/** The work of a model that has written nothing yet, in words. */
const workOf = (route: string): string =>
  isSpeech(route) ? t.now.speaks : route.startsWith('/v1/audio/') ? t.now.listens : t.now.readsPrompt;

/** The progress of a request that writes, or the reason for its wait by the state of its model, as a line of text. */
function stateOf(request: RunningRequest, models: ModelsEvent): string {
  const { model: id, route, state, output_tokens: tokens } = request;
  if (state === 'computing') return tokens === 0 ? workOf(route) : t.now.writes(tokens);
  const model = models.data.find((one) => one.id === id);
  if (model === undefined) return t.now.waits;
  if (model.state !== 'loaded') return t.now.waitsForModel(t.models.state[model.state]);
  if (model.parallel !== null && model.busy >= model.parallel) return t.now.waitsForSlot(model.parallel);
  return t.now.waits;
}
