import { useState } from 'preact/hooks';
import type { ModelStatus } from '../api/types.ts';
import { asAdmin } from '../state/session.ts';
import { chooseModel } from '../state/models.ts';
import { mayChange } from '../state/rights.ts';
import { go, routeParts } from '../state/route.ts';
import { useNow, type Act } from '../state/polled.ts';
import { t } from '../words/operator-texts.ts';
import { Button, IconButton } from '../ui/controls.tsx';
import { formatBytes } from '../../words/format-bytes.ts';
import { joined, toAmount, toContext } from '../words/formats.ts';
import { LoadFailure } from './load-failure.tsx';
import { Details } from './model-details.tsx';
import { downTimes, isDown, whyDown } from './outages.ts';

interface Props {
  readonly status: ModelStatus;
  /** Whether it is told above it that its server is away. */
  readonly isTold: boolean;
  readonly act: Act;
}

/** The columns with figures, of which a model that is away has none to tell. */
export const amounts = ['size', 'memory', 'context'] as const;

/** A model in one row: its kind, whether it is there, and its usual acts; its name opens all else. */
export function ModelRow({ status, isTold, act }: Props) {
  const { id, kind, state, addresses } = status;
  const isAway = isDown(status) && !isTold;
  const [isOpen, setOpen] = useState(routeParts.value[1] === id);
  const facts = factsOf(status);
  const trouble = addresses === null && state === 'failed';
  return (
    <>
      <tr class={`model${trouble || isOpen ? ' opened' : ''}`}>
        <th scope="row">
          <Button class="plain" aria-expanded={isOpen} text={id} onClick={() => setOpen(!isOpen)} />{' '}
          <small>
            <span class="kind-too">
              {t.models.kinds[kind]}
              {facts !== '' && ' · '}
            </span>
            {facts}
          </small>
        </th>
        <td>
          {t.models.kinds[kind]} <small>{abilitiesOf(status)}</small>
        </td>
        {isAway ? (
          <td class="failed" colspan={1 + amounts.length}>
            <i class="dot down" /> {addresses?.[0] && whyDown(addresses[0])}{' '}
            <small class="quiet">{addresses?.[0] && downTimes(addresses[0])}</small>
          </td>
        ) : (
          <Amounts status={status} />
        )}
        <td>
          <Actions status={status} act={act} />
        </td>
      </tr>
      {(trouble || isOpen) && (
        <tr>
          <td colspan={Object.keys(t.models.columns).length + 1} class="details">
            {trouble && <Trouble status={status} />}
            {isOpen && <Details status={status} act={act} />}
          </td>
        </tr>
      )}
    </>
  );
}

/** Whether it is there, and its figures. */
function Amounts({ status }: Pick<Props, 'status'>) {
  const { kind, state, memory, addresses, size_bytes: size, context_window: context } = status;
  return (
    <>
      <td class={isInTrouble(status) ? 'nowrap failed' : 'nowrap'}>
        {addresses === null ? (
          <>
            <i class={`dot ${state}`} /> {t.models.state[state]}
          </>
        ) : (
          stateElsewhere(status)
        )}
      </td>
      <td class="number" data-title={t.models.columns.size}>
        {size > 0 ? formatBytes(size) : none}
      </td>
      <td class="number" data-title={t.models.columns.memory}>
        {memory === null || addresses !== null ? none : formatBytes(memory.ram_bytes + memory.vram_bytes)}
      </td>
      <td class="number" data-title={t.models.columns.context}>
        {context !== null && kind !== 'speech' ? toContext(context) : none}
      </td>
    </>
  );
}

const stateElsewhere = (status: ModelStatus): string => {
  if (isDown(status)) return t.models.away;
  return status.last_answer_failed ? t.models.failedLast : t.models.details.addressStates.up;
};

/** In place of a figure: there is none. */
const none = <span class="none">–</span>;

const isInTrouble = (status: ModelStatus) =>
  status.state === 'failed' || status.last_answer_failed || isDown(status);

/** Why it could not be loaded, and the ways out. */
const Trouble = ({ status: { error, deletable } }: Pick<Props, 'status'>) => (
  <>
    <div class="problem" role="alert">
      <LoadFailure text={error ?? ''} />
    </div>
    <p class="facts">{t.models.failedHint(deletable)}</p>
  </>
);

function Actions({ status, act }: Pick<Props, 'status' | 'act'>) {
  const { id, kind, state, addresses } = status;
  const inMemory = state === 'loaded' || state === 'unloading';
  const change = inMemory ? 'unload' : 'load';
  const [askedMs, setAskedMs] = useState<number>();
  const waitedMs = useNow(1000, askedMs !== undefined) - (askedMs ?? 0);
  const ask = async () => {
    setAskedMs(Date.now());
    await act(asAdmin(`models/${encodeURIComponent(id)}/${change}`, { method: 'POST' }));
    setAskedMs(undefined);
  };
  return (
    <span class="row-actions">
      {kind === 'chat' && state !== 'failed' && !isDown(status) && (
        <IconButton
          icon="chat"
          label={`${t.models.chatWith} ${id}`}
          onClick={() => {
            chooseModel(id);
            go('chat');
          }}
        />
      )}
      {addresses === null && mayChange.value && (
        <Button
          disabled={askedMs !== undefined || state === 'unloading' || state === 'loading'}
          text={askedMs === undefined ? t.models[change] : t.models.waited(waitedMs)}
          onClick={() => void ask()}
        />
      )}
    </span>
  );
}

const factsOf = ({ parameters, quantization }: ModelStatus): string =>
  joined(parameters > 0 && t.models.parameters(toAmount(parameters)), quantization);

/** The abilities of a chat model besides writing, in a word each. */
const abilitiesOf = ({ kind, capabilities }: ModelStatus): string =>
  kind === 'chat' ? capabilities.flatMap((one) => t.models.abilities[one] ?? []).join(', ') : '';
