import { useState } from 'preact/hooks';
import type { Model, ModelStatus } from '../api/types.ts';
import { asAdmin } from '../state/session.ts';
import { t } from '../operator-texts.ts';
import { IconButton, Problem } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { toCount, toSize } from '../words.ts';

interface Props {
  readonly status: ModelStatus;
  readonly model: Model | undefined;
  readonly act: (work: Promise<unknown>) => Promise<void>;
}

/** A model in one line: what it is, whether it is there, and what can be done with it. */
export function ModelRow({ status, model, act }: Props) {
  const { id, state, addresses, error } = status;
  const isDown = addresses?.every((address) => address.state === 'down') === true;
  return (
    <li class="model">
      <div class="line">
        <h2>{id}</h2>
        <span class="facts">{factsOf(status, model).join(' · ')}</span>
        <span class={`state ${isDown ? 'failed' : state}`}>
          {isDown ? t.models.down : addresses === null ? t.models.state[state] : t.models.elsewhere}
        </span>
        <Actions status={status} act={act} />
      </div>
      {addresses?.map(({ url, reason }) => (
        <p key={url} class="facts">
          {[t.models.runsAt(url), ...(reason === null ? [] : [reason])].join(' · ')}
        </p>
      ))}
      {/* Of a model elsewhere the line of its address says it. */}
      {addresses === null && <Problem text={error ?? undefined} />}
      {addresses === null && state === 'failed' && (
        <p class="facts">{t.models.failedHint(status.deletable)}</p>
      )}
    </li>
  );
}

function Actions({ status: { id, state, addresses, deletable }, act }: Omit<Props, 'model'>) {
  const [removing, setRemoving] = useState(false);
  const path = `models/${encodeURIComponent(id)}`;
  const inMemory = state === 'loaded' || state === 'unloading';
  return (
    <span class="row-actions">
      {addresses === null && (
        <button
          type="button"
          disabled={state === 'unloading' || state === 'loading'}
          onClick={() => void act(asAdmin(`${path}/${inMemory ? 'unload' : 'load'}`, { method: 'POST' }))}
        >
          {inMemory ? t.models.unload : t.models.load}
        </button>
      )}
      {deletable && (
        <IconButton icon="trash" label={`${t.models.remove} ${id}`} onClick={() => setRemoving(true)} />
      )}
      {removing && (
        <Confirm
          question={t.models.removeQuestion(id)}
          action={t.models.remove}
          onClose={() => setRemoving(false)}
          onConfirm={() => void act(asAdmin(path, { method: 'DELETE' }))}
        />
      )}
    </span>
  );
}

function factsOf(
  { kind, memory, addresses, context_window: loaded, parallel }: ModelStatus,
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
    ...(model === undefined || model.parameters_number === 'unknown' ? [] : [model.parameters_number]),
    ...(model?.quantization ? [model.quantization] : []),
    ...(context === null || kind === 'speech' ? [] : [t.models.context(toCount(context))]),
    ...(parallel === null ? [] : [t.models.slots(parallel)]),
    ...(tools ? [t.models.abilities.tools] : []),
    ...(image ? [t.models.abilities.image] : []),
    ...(audio && kind === 'chat' ? [t.models.abilities.audio] : []),
    ...(memory === null || addresses !== null
      ? []
      : [t.models.inMemory(toSize(memory.ram_bytes + memory.vram_bytes))]),
  ];
}
