import { Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import { ApiError } from '../api/request.ts';
import type { ModelStatus, ModelStatusList } from '../api/types.ts';
import { adminJson, asAdmin } from '../state/session.ts';
import { useAdmin } from '../state/asked.ts';
import { doHere, useWork, type Act } from '../state/polled.ts';
import { mayChange } from '../state/rights.ts';
import { t } from '../words/operator-texts.ts';
import { Button, Problem } from '../ui/controls.tsx';
import { Progress } from '../ui/progress.tsx';
import { AskingButton } from '../ui/overlays/ask.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { NoMatch } from '../ui/tables/no-match.tsx';
import { RowFilter, useFilter } from '../ui/tables/row-filter.tsx';
import { inOrder, joined } from '../words/formats.ts';
import { orderedBy, Table, useSort } from '../ui/tables/table.tsx';
import { MemoryBars } from './memory-bars.tsx';
import { hostsOf, isDown } from './outages.ts';
import { amounts, ModelRow } from './model-row.tsx';
import { PlaceRow } from './place-row.tsx';
import { focusPull, PullPanel } from './pull/pull-panel.tsx';
import { pull, startPull } from './pull/pull.tsx';
import './models.css';

const pollMs = 2000;

type Column = keyof typeof t.models.columns;

/** Models that can be pulled, models that are served, and which of these are in memory. */
export function ModelsView() {
  const statuses = useAdmin<ModelStatusList>('models', pollMs);
  const { problem, act } = useWork(statuses.reload);
  const { memory, data = [], unserved = [] } = statuses.value ?? {};
  return (
    <div class="page">
      <PageHeader title={t.views.models}>
        {mayChange.value && <Button class="primary" icon="plus" text={t.models.pull} onClick={focusPull} />}
      </PageHeader>
      <Problem text={problem} />
      <Progress of={statuses} />
      {memory !== undefined && (
        <section class="card">
          <MemoryBars memory={memory} />
        </section>
      )}
      {data.length > 0 && <Served models={data} act={act} />}
      {unserved.length > 0 && <Unserved files={unserved} act={act} />}
      {mayChange.value && <PullPanel served={data.length} onPulled={() => statuses.reload()} />}
    </div>
  );
}

interface ServedProps {
  readonly models: readonly ModelStatus[];
  readonly act: Act;
}

function Served({ models, act }: ServedProps) {
  // A model that is loaded stays where it was pressed.
  const places = useMemo(
    () => models.toSorted(byUse).map(({ id }) => id),
    [models.map(({ id }) => id).join('\n')],
  );
  const placeIn = ({ id }: ModelStatus) => places.indexOf(id);
  const sort = useSort<Column>('state', amounts, t.models.columns);
  const sortedBy = (one: ModelStatus) =>
    sort.by === 'state' ? String(placeIn(one)) : toSortBy[sort.by](one);
  const { shown, filter } = useFilter(models, (one) =>
    joined(one.id, t.models.kinds[one.kind], hostsOf(one)),
  );
  const inSort = orderedBy(sort, sortedBy);
  const sorted = shown.toSorted((one, other) => inSort(one, other) || placeIn(one) - placeIn(other));
  return (
    <section class="card">
      <RowFilter filter={filter} count={models.length} />
      {shown.length === 0 ? (
        <NoMatch onClear={() => filter.set('')} />
      ) : (
        <Table class="wraps stacks models" titles={t.models.columns} numbers={amounts} sort={sort} hasActions>
          {inPlaces(sorted).map(([hosts, there], _, { length }) => (
            <Fragment key={hosts}>
              {(hosts !== '' || length > 1) && (
                <PlaceRow
                  hosts={hosts}
                  models={there}
                  onTry={async (id) => {
                    const asked = adminJson<ModelStatus>(`models/${encodeURIComponent(id)}/load`, {
                      method: 'POST',
                    });
                    await act(asked);
                    return await asked;
                  }}
                />
              )}
              {there.map((status) => (
                <ModelRow
                  key={status.id}
                  status={status}
                  isTold={there.every(isDown)}
                  act={(work) => act(work.catch(unlessTold))}
                />
              ))}
            </Fragment>
          ))}
        </Table>
      )}
    </section>
  );
}

const remove = (id: string) => asAdmin(`models/${encodeURIComponent(id)}`, { method: 'DELETE' });

interface UnservedProps {
  readonly files: ModelStatusList['unserved'];
  readonly act: Act;
}

/** Files that were meant to be models, why they are none, and acts on those that were got here. */
const Unserved = ({ files, act }: UnservedProps) => (
  <section class="card">
    <h2>{t.models.unserved}</h2>
    <p class="quiet">{t.models.unservedHint}</p>
    <ul class="suggestions">
      {files.map(({ name, reason, deletable, source }) => (
        <li key={name}>
          <div>
            <span class="path">{name}</span>
            <span class="facts">{reason}</span>
          </div>
          {deletable && mayChange.value && (
            <span class="row-actions">
              {source !== null && (
                <Button
                  disabled={pull.value?.state === 'running'}
                  text={t.models.getAgain}
                  onClick={() => void act(remove(name).then(() => void startPull(source)))}
                />
              )}
              <AskingButton
                icon="trash"
                label={`${t.models.remove}: ${name}`}
                action={t.models.remove}
                question={t.models.removeQuestion(name)}
                onConfirm={() => doHere(act, remove(name))}
              />
            </span>
          )}
        </li>
      ))}
    </ul>
  </section>
);

/** The text that each column sorts by, except that of the state, which has an order of its own. */
const toSortBy = {
  model: ({ id }: ModelStatus) => id,
  kind: ({ kind }: ModelStatus) => t.models.kinds[kind],
  size: ({ size_bytes: size }: ModelStatus) => String(size),
  memory: ({ memory }: ModelStatus) => String((memory?.ram_bytes ?? 0) + (memory?.vram_bytes ?? 0)),
  context: ({ context_window: context }: ModelStatus) => String(context ?? 0),
};

/** A model that fails says so in its own row. */
function unlessTold(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'model_load_failed')) throw error;
}

const order = ['failed', 'loading', 'loaded', 'unloading', 'available'];

/** Those in trouble first, those in memory before the others, and by id where nothing else tells. */
const byUse = (one: ModelStatus, other: ModelStatus) =>
  order.indexOf(one.state) - order.indexOf(other.state) || one.id.localeCompare(other.id);

/** Models by where they run: those of this machine first, then those of servers that do not answer. */
const inPlaces = (models: readonly ModelStatus[]) =>
  [...Map.groupBy(models, hostsOf)].toSorted(
    ([here, one], [there, other]) =>
      Number(there === '') - Number(here === '') ||
      Number(other.every(isDown)) - Number(one.every(isDown)) ||
      inOrder(here, there),
  );
