import { useEffect, useState } from 'preact/hooks';
import type { ModelStatus } from '../api/types.ts';
import { t } from '../words/operator-texts.ts';
import { mayChange } from '../state/rights.ts';
import { Button } from '../ui/controls.tsx';
import { joined } from '../words/formats.ts';
import { downTimes, isDown, whyDown } from './outages.ts';

interface Props {
  /** Empty: this machine. */
  readonly hosts: string;
  readonly models: readonly ModelStatus[];
  /** Has the server of a model asked now. */
  readonly onTry: (id: string) => Promise<ModelStatus>;
}

/** Where the models below it run, and whether it answers: said once for all of them. */
export function PlaceRow({ hosts, models, onTry }: Props) {
  const tone = models.every(isDown) ? 'down' : models.some(isAnswering) ? 'loaded' : '';
  return (
    <tr class="place">
      <th scope="rowgroup" colspan={Object.keys(t.models.columns).length + 1}>
        {hosts === '' ? (
          t.models.thisMachine
        ) : (
          <>
            <i class={`dot ${tone}`} /> {hosts}{' '}
            <small class={tone === 'down' ? 'failed' : undefined}>{stateOf(models)}</small>{' '}
            {models[0] && mayChange.value && (
              <TryNow isOffered={tone === 'down'} onTry={() => onTry(models[0]?.id ?? '')} />
            )}
          </>
        )}
      </th>
    </tr>
  );
}

/** How long the outcome is told beside the button. */
const toldMs = 10_000;

function TryNow({ isOffered, onTry }: { isOffered: boolean; onTry: () => Promise<ModelStatus> }) {
  const [isBusy, setBusy] = useState(false);
  const [told, setTold] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setTold(''), toldMs);
    return () => clearTimeout(timer);
  }, [told]);
  const ask = async () => {
    setBusy(true);
    setTold('');
    // The view tells why it could not be asked.
    const status = await onTry().catch(() => undefined);
    setBusy(false);
    if (status !== undefined) setTold(isDown(status) ? t.models.stillAway : t.models.isBack);
  };
  return (
    <>
      {isOffered && (
        <Button
          class="plain-link"
          disabled={isBusy}
          text={isBusy ? t.models.asking : t.errors.tryNow}
          onClick={() => void ask()}
        />
      )}{' '}
      <small role="status">{told}</small>
    </>
  );
}

const isAnswering = ({ addresses }: ModelStatus) => addresses?.some(({ state }) => state === 'up') === true;

function stateOf(models: readonly ModelStatus[]): string {
  const all = models[0]?.addresses ?? [];
  const away = all.filter(({ state }) => state === 'down');
  const [first] = away;
  if (first !== undefined && models.every(isDown)) return joined(whyDown(first), downTimes(first));
  if (away.length > 0) return t.models.someDown(away.length, all.length);
  return t.models.details.addressStates[models.some(isAnswering) ? 'up' : 'unknown'];
}
