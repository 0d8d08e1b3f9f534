import { useState } from 'preact/hooks';
import type { Model, ModelStatus } from '../api/types.ts';
import { asAdmin } from '../state/session.ts';
import { abilitiesOf, chooseModel } from '../state/models.ts';
import { go } from '../state/route.ts';
import type { Act } from '../state/polled.ts';
import { t } from '../operator-texts.ts';
import { Button, IconButton, Problem } from '../ui/controls.tsx';
import { AskingButton } from '../ui/dialog.tsx';
import { formatBytes } from '../../words/format-bytes.ts';
import { joined, toContext } from '../words.ts';
import { ModelSettingsDialog } from './settings-dialog.tsx';

interface Props {
  readonly status: ModelStatus;
  readonly model: Model | undefined;
  readonly act: Act;
}

/** A model in one row: what it is, whether it is there, and what can be done with it. */
export function ModelRow({ status, model, act }: Props) {
  const { id, kind, state, memory, addresses, error } = status;
  const isDown = addresses?.every((address) => address.state === 'down') === true;
  const context = status.context_window ?? model?.context_window ?? null;
  const trouble = addresses === null && state === 'failed';
  const away = (addresses ?? []).filter(({ reason }) => reason !== null);
  return (
    <>
      <tr class="model">
        <th scope="row">
          <span>{id}</span> <small>{factsOf(model)}</small>
        </th>
        <td>
          {t.models.kinds[kind]} <small>{workOf(status, model)}</small>
        </td>
        <td class={isDown || state === 'failed' ? 'nowrap failed' : 'nowrap'}>
          {isDown ? t.models.down : addresses === null ? t.models.state[state] : t.models.elsewhere}{' '}
          <small>{addresses?.map(({ url }) => new URL(url).host).join(', ')}</small>
        </td>
        <td class="number" data-title={t.models.columns.size}>
          {model === undefined || model.size_bytes === 0 ? '' : formatBytes(model.size_bytes)}
        </td>
        <td class="number" data-title={t.models.columns.memory}>
          {memory === null || addresses !== null ? '' : formatBytes(memory.ram_bytes + memory.vram_bytes)}
        </td>
        <td class="number" data-title={t.models.columns.context}>
          {context === null || kind === 'speech' ? '' : toContext(context)}
        </td>
        <td>
          <Actions status={status} act={act} />
        </td>
      </tr>
      {(away.length > 0 || trouble) && (
        <tr>
          <td colspan={Object.keys(t.models.columns).length + 1} class="details">
            {away.map(({ url, reason }) => (
              <p key={url} class="facts">
                {joined(url, reason)}
              </p>
            ))}
            {trouble && (
              <>
                <Problem text={error ?? undefined} />
                <p class="facts">{t.models.failedHint(status.deletable)}</p>
              </>
            )}
          </td>
        </tr>
      )}
    </>
  );
}

function Actions({ status, act }: Omit<Props, 'model'>) {
  const { id, kind, state, addresses, deletable } = status;
  const [isEditing, setEditing] = useState(false);
  const path = `models/${encodeURIComponent(id)}`;
  const inMemory = state === 'loaded' || state === 'unloading';
  return (
    <span class="row-actions">
      {deletable && (
        <AskingButton
          icon="trash"
          label={`${t.models.remove} ${id}`}
          action={t.models.remove}
          question={t.models.removeQuestion(id)}
          onConfirm={() => void act(asAdmin(path, { method: 'DELETE' }))}
        />
      )}
      {kind === 'chat' && state !== 'failed' && (
        <IconButton
          icon="chat"
          label={`${t.models.chatWith} ${id}`}
          onClick={() => {
            chooseModel(id);
            go('chat');
          }}
        />
      )}
      {addresses === null && (
        <Button
          disabled={state === 'unloading' || state === 'loading'}
          text={inMemory ? t.models.unload : t.models.load}
          onClick={() => void act(asAdmin(`${path}/${inMemory ? 'unload' : 'load'}`, { method: 'POST' }))}
        />
      )}
      <IconButton icon="settings" label={t.models.settings.open(id)} onClick={() => setEditing(true)} />
      {isEditing && (
        <ModelSettingsDialog
          status={status}
          onClose={() => setEditing(false)}
          onSaved={() => void act(Promise.resolve())}
        />
      )}
    </span>
  );
}

const factsOf = (model: Model | undefined): string =>
  joined(
    model !== undefined &&
      model.parameters_number !== 'unknown' &&
      t.models.parameters(model.parameters_number),
    model?.quantization,
  );

const workOf = ({ kind, parallel }: ModelStatus, model: Model | undefined): string =>
  joined(
    ...(model === undefined || kind !== 'chat' ? [] : abilitiesOf(model, t.chat.abilities)),
    parallel !== null && t.models.slots(parallel),
  );
