import { useState } from 'preact/hooks';
import type { ListOf, Model, ModelStatus, ModelStatusList } from '../api/types.ts';
import { adminJson, asAdmin, canChat, userJson } from '../state/session.ts';
import { messageOf, usePolled } from '../state/polled.ts';
import { t } from '../texts.ts';
import { Bar, Problem, Progress } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { toCount, toSize } from '../words.ts';
import { PullPanel } from './pull-panel.tsx';

const pollMs = 2000;

/** What is served, what is in memory, and what could be got. */
export function ModelsView() {
  const statuses = usePolled((signal) => adminJson<ModelStatusList>('models', { signal }), [], pollMs);
  const facts = usePolled(
    (signal) =>
      canChat.value ? userJson<ListOf<Model>>('models', { signal }) : Promise.resolve({ data: [] }),
    [statuses.value?.data.length],
  );
  const [problem, setProblem] = useState<string>();
  const act = async (work: Promise<unknown>) => {
    setProblem(undefined);
    await work.catch((error: unknown) => setProblem(messageOf(error)));
    statuses.reload();
  };
  const { memory, data } = statuses.value ?? {};
  return (
    <div class="page">
      <h1>{t.views.models}</h1>
      <Problem text={problem} />
      <Progress of={statuses} />
      {memory !== undefined && (
        <section class="card">
          <Bar
            label={t.models.memory}
            value={memory.used.ram_bytes}
            max={memory.budget.ram_bytes}
            text={t.models.ofBudget(toSize(memory.used.ram_bytes), toSize(memory.budget.ram_bytes))}
          />
          {memory.budget.vram_bytes > 0 && (
            <Bar
              label={t.models.vram}
              value={memory.used.vram_bytes}
              max={memory.budget.vram_bytes}
              text={t.models.ofBudget(toSize(memory.used.vram_bytes), toSize(memory.budget.vram_bytes))}
            />
          )}
        </section>
      )}
      <ul class="cards">
        {data?.map((status) => (
          <ModelCard
            key={status.id}
            status={status}
            model={facts.value?.data.find(({ id }) => id === status.id)}
            act={act}
          />
        ))}
      </ul>
      <PullPanel onPulled={() => statuses.reload()} />
    </div>
  );
}

interface CardProps {
  readonly status: ModelStatus;
  readonly model: Model | undefined;
  readonly act: (work: Promise<unknown>) => Promise<void>;
}

function ModelCard({ status, model, act }: CardProps) {
  const [removing, setRemoving] = useState(false);
  const { id, state } = status;
  const path = `models/${encodeURIComponent(id)}`;
  const inMemory = state === 'loaded' || state === 'unloading';
  return (
    <li class="card model">
      <header>
        <h2>{id}</h2>
        <span class={`state ${state}`}>{t.models.state[state]}</span>
      </header>
      <p class="facts">{factsOf(status, model).join(' · ')}</p>
      <Problem text={status.error ?? undefined} />
      <div class="actions">
        {inMemory ? (
          <button
            type="button"
            disabled={state === 'unloading'}
            onClick={() => void act(asAdmin(`${path}/unload`, { method: 'POST' }))}
          >
            {t.models.unload}
          </button>
        ) : (
          <button
            type="button"
            disabled={state === 'loading'}
            onClick={() => void act(asAdmin(`${path}/load`, { method: 'POST' }))}
          >
            {t.models.load}
          </button>
        )}
        {status.deletable && (
          <button type="button" class="quiet" onClick={() => setRemoving(true)}>
            {t.models.remove}
          </button>
        )}
      </div>
      {removing && (
        <Confirm
          question={t.models.removeQuestion(id)}
          action={t.models.remove}
          onClose={() => setRemoving(false)}
          onConfirm={() => void act(asAdmin(path, { method: 'DELETE' }))}
        />
      )}
    </li>
  );
}

function factsOf(
  { kind, memory, context_window: loaded, parallel }: ModelStatus,
  model: Model | undefined,
): string[] {
  const context = loaded ?? model?.context_window ?? null;
  const {
    supports_function_calling: tools = false,
    supports_image: image = false,
    supports_audio: audio = false,
  } = model?.capabilities ?? {};
  return [
    t.models.abilities[kind],
    ...(model === undefined || model.parameters_number === 'unknown'
      ? []
      : [t.models.parameters(model.parameters_number)]),
    ...(model?.quantization ? [model.quantization] : []),
    ...(context === null || kind === 'speech' ? [] : [t.models.context(toCount(context))]),
    ...(parallel === null ? [] : [t.models.slots(parallel)]),
    ...(tools ? [t.models.abilities.tools] : []),
    ...(image ? [t.models.abilities.image] : []),
    ...(audio && kind === 'chat' ? [t.models.abilities.audio] : []),
    ...(memory === null ? [] : [t.models.inMemory(toSize(memory.ram_bytes + memory.vram_bytes))]),
  ];
}
