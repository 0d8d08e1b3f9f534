import type { ApiKey } from '../api/types.ts';
import { t } from '../words/operator-texts.ts';
import { Table } from '../ui/tables/table.tsx';
import { useServerClock } from '../state/server-clock.ts';
import { toSpan } from '../words/span.ts';
import { toAge } from '../words/times.ts';
import { nameOfKey } from '../words/formats.ts';
import type { ModelsEvent, RunningRequest } from './server-events.ts';

interface Props {
  readonly running: readonly RunningRequest[];
  /** Those of them whose prompts are computed. */
  readonly readers: ReadonlySet<RunningRequest>;
  readonly models: ModelsEvent;
  readonly keys: readonly ApiKey[];
  /** When the last request ended; undefined: none has. */
  readonly lastEndedAt: number | undefined;
}

/**
 * The requests that are computed now, and those that wait, each with whose it is. It is as high with none of them as with
 * many, so that what stands below keeps its place.
 */
export const RunningList = ({ running, readers, models, keys, lastEndedAt }: Props) => (
  <section class="card running-now">
    <h2>{t.now.running}</h2>
    {running.length === 0 ? (
      <Idle lastEndedAt={lastEndedAt} />
    ) : (
      <Table class="stacks wraps running" titles={t.now.runningColumns} numbers={['age', 'speed']}>
        {running.map((request) => (
          <tr key={request.id}>
            <td>{whose(request.key_id, keys)}</td>
            <td>{request.model}</td>
            <td class={request.state === 'waiting' && !readers.has(request) ? 'quiet' : undefined}>
              {readers.has(request) ? t.now.readsPrompt : stateOf(request, models)}
            </td>
            <td class="number">{toSpan(request.age_ms / 1000)}</td>
            <td class="number" data-title={t.now.runningColumns.speed}>
              {request.tokens_per_second > 0 && request.tokens_per_second.toFixed(1)}
            </td>
          </tr>
        ))}
      </Table>
    )}
  </section>
);

function Idle({ lastEndedAt }: Pick<Props, 'lastEndedAt'>) {
  const nowMs = useServerClock(1000);
  return <p class="quiet">{t.now.idle(lastEndedAt === undefined ? undefined : toAge(lastEndedAt, nowMs))}</p>;
}

/** What people call a key; '': nobody's. */
export function whose(id: string | null, keys: readonly ApiKey[]): string {
  const key = keys.find((one) => one.id === id);
  return key === undefined ? (id ?? '') : nameOfKey(key);
}

/** The progress of a request that writes, or the reason for its wait by the state of its model, as a line of text. */
function stateOf({ model: id, state, output_tokens: tokens }: RunningRequest, models: ModelsEvent): string {
  if (state === 'computing') return tokens === 0 ? t.now.readsPrompt : t.now.writes(tokens);
  const model = models.data.find((one) => one.id === id);
  if (model === undefined) return t.now.waits;
  if (model.state !== 'loaded') return t.now.waitsForModel(t.models.state[model.state]);
  if (model.parallel !== null && model.busy >= model.parallel) return t.now.waitsForSlot(model.parallel);
  return t.now.waits;
}
