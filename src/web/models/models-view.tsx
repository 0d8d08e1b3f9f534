import { ApiError } from '../api/request.ts';
import type { ListOf, Model, ModelStatus, ModelStatusList } from '../api/types.ts';
import { canChat, userJson } from '../state/session.ts';
import { useAdmin, usePolled, useWork } from '../state/polled.ts';
import { t } from '../operator-texts.ts';
import { Bar, Problem, Progress } from '../ui/controls.tsx';
import { RowFilter, useFilter } from '../ui/row-filter.tsx';
import { Table } from '../ui/table.tsx';
import { formatBytes } from '../../words/format-bytes.ts';
import { HubSearch } from './hub-search.tsx';
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
  const { memory, data = [] } = statuses.value ?? {};
  const { shown, filter } = useFilter(data, ({ id, kind }) => `${id} ${t.models.abilities[kind]}`);
  return (
    <div class="page">
      <h1>{t.views.models}</h1>
      <Problem text={problem} />
      <Progress of={statuses} />
      {memory !== undefined && <MemoryBars memory={memory} />}
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
      <PullPanel onPulled={() => statuses.reload()}>
        <HubSearch />
      </PullPanel>
    </div>
  );
}

/** A model that fails says so in its own row. */
function unlessTold(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'model_load_failed')) throw error;
}

const order = ['failed', 'loading', 'loaded', 'unloading', 'available'];

/** Failed models first, then those that load, are in memory or leave it, then the others; by id within a state. */
const byUse = (one: ModelStatus, other: ModelStatus) =>
  order.indexOf(one.state) - order.indexOf(other.state) || one.id.localeCompare(other.id);

function MemoryBars({ memory: { used, budget } }: Pick<ModelStatusList, 'memory'>) {
  return (
    <section class="card">
      <Bar
        label={t.models.memory}
        value={used.ram_bytes}
        max={budget.ram_bytes}
        text={t.models.ofBudget(formatBytes(used.ram_bytes), formatBytes(budget.ram_bytes))}
      />
      {budget.vram_bytes > 0 && (
        <Bar
          label={t.models.vram}
          value={used.vram_bytes}
          max={budget.vram_bytes}
          text={t.models.ofBudget(formatBytes(used.vram_bytes), formatBytes(budget.vram_bytes))}
        />
      )}
    </section>
  );
}
