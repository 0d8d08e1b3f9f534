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
  readonly onTry: (id: string) => void;
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
            {tone === 'down' && models[0] && mayChange.value && (
              <Button class="plain-link" text={t.errors.tryNow} onClick={() => onTry(models[0]?.id ?? '')} />
            )}
          </>
        )}
      </th>
    </tr>
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
