import { ApiError } from '../api/request.ts';
import type { ListOf, Model, ModelStatus, ModelStatusList } from '../api/types.ts';
import { canChat, userJson } from '../state/session.ts';
import { useAdmin, usePolled, useWork } from '../state/polled.ts';
import { t } from '../operator-texts.ts';
import { Problem, Progress } from '../ui/controls.tsx';
import { RowFilter, useFilter } from '../ui/row-filter.tsx';
import { Table } from '../ui/table.tsx';
import { HubSearch } from './hub-search.tsx';
import { MemoryBars } from './memory-bars.tsx';
import { ModelRow } from './model-row.tsx';
import { PullPanel } from './pull-panel.tsx';

const pollMs = 2000;

/** Models that can be pulled, models that are served, and which of these are in memory. */
export function ModelsView() {
  const statuses = useAdmin<ModelStatusList>('models', pollMs);
  const facts = usePolled(
    (signal) =>
      canChat.value ? userJson<ListOf<Model>>('models', { signal }) : Promise.resolve({ data: [] }),
    [statuses.value?.data.length],
  );
  const { problem, act } = useWork(statuses.reload);
  const { memory, data = [], unserved = [] } = statuses.value ?? {};
  const { shown, filter } = useFilter(data, ({ id, kind }) => `${id} ${t.models.kinds[kind]}`);
  return (
    <div class="page">
      <h1>{t.views.models}</h1>
      <Problem text={problem} />
      <Progress of={statuses} />
      {memory !== undefined && (
        <section class="card">
          <MemoryBars memory={memory} />
        </section>
      )}
      {data.length > 0 && (
        <section class="card">
          <RowFilter filter={filter} count={data.length} />
          <Table
            class="wraps stacks"
            titles={t.models.columns}
            numbers={['size', 'memory', 'context']}
            hasActions
          >
            {shown.toSorted(byUse).map((status) => (
              <ModelRow
                key={status.id}
                status={status}
                model={facts.value?.data.find(({ id }) => id === status.id)}
                act={(work) => act(work.catch(unlessTold))}
              />
            ))}
          </Table>
        </section>
      )}
      {unserved.length > 0 && <Unserved files={unserved} />}
      <PullPanel onPulled={() => statuses.reload()}>
        <HubSearch />
      </PullPanel>
    </div>
  );
}

/** What was meant to be a model, and why it is none. */
const Unserved = ({ files }: { files: ModelStatusList['unserved'] }) => (
  <section class="card">
    <h2>{t.models.unserved}</h2>
    <ul class="suggestions">
      {files.map(({ name, reason }) => (
        <li key={name}>
          <div>
            <span class="path">{name}</span>
            <span class="facts">{reason}</span>
          </div>
        </li>
      ))}
    </ul>
  </section>
);

/** A model that fails says so in its own row. */
function unlessTold(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'model_load_failed')) throw error;
}

const order = ['failed', 'loading', 'loaded', 'unloading', 'available'];

/** Failed models first, then those that load, are in memory or leave it, then the others; by id within a state. */
const byUse = (one: ModelStatus, other: ModelStatus) =>
  order.indexOf(one.state) - order.indexOf(other.state) || one.id.localeCompare(other.id);
