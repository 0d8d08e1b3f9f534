import { useMemo } from 'preact/hooks';
import { inWords } from '../../words/in-words.ts';
import type { LimitList } from '../api/types.ts';
import { useNow } from '../state/polled.ts';
import { t } from '../operator-texts.ts';
import { Bar } from '../ui/controls.tsx';
import { joined, toCount, toSpan } from '../words.ts';

type Limit = LimitList['data'][number];

const tickMs = 500;

/** The limit that is spent furthest, as one bar. */
export function MostSpent({ limits }: { limits: LimitList['data'] }) {
  const [most] = limits.toSorted((one, other) => shareLeft(one) - shareLeft(other));
  return most === undefined ? <span class="facts bar">{t.keys.unlimited}</span> : <BalanceBar limit={most} />;
}

const shareLeft = ({ limit, remaining }: Limit) => (limit > 0 ? remaining / limit : 1);

/** A bar for each used limit, as full as the limit is. The bars refill between two answers of the server. */
export function Balances({ limits }: { limits: LimitList['data'] }) {
  const readAtMs = useMemo(() => Date.now(), [limits]);
  const nowMs = useNow(tickMs);
  if (limits.length === 0) return <p class="quiet">{t.keys.unlimited}</p>;
  const used = limits.filter(({ full_in_seconds: seconds }) => seconds > 0);
  const first = limits[0]?.model;
  // Of an unused key the limits of one model are enough to see.
  const shown = used.length > 0 ? used : limits.filter(({ model }) => model === first);
  const elapsedSeconds = Math.max(0, nowMs - readAtMs) / 1000;
  return (
    <div class="balances">
      {[...Map.groupBy(shown, ({ model }) => model)].map(([model, ofModel]) => (
        <section key={model}>
          <h3>{model}</h3>
          {ofModel.map((limit) => (
            <BalanceBar
              key={`${limit.measure} ${limit.window}`}
              limit={limit}
              elapsedSeconds={elapsedSeconds}
            />
          ))}
        </section>
      ))}
    </div>
  );
}

/** Without `elapsedSeconds` it does not tell when the limit is full again. */
function BalanceBar({ limit, elapsedSeconds }: { limit: Limit; elapsedSeconds?: number }) {
  const { measure, window, limit: all, remaining, full_in_seconds: fullIn } = limit;
  const elapsed = elapsedSeconds ?? 0;
  const refilled = fullIn > 0 ? ((all - remaining) * elapsed) / fullIn : 0;
  const left = Math.min(all, Math.max(0, remaining + refilled));
  const seconds = elapsedSeconds === undefined ? 0 : fullIn - elapsed;
  return (
    <Bar
      label={t.keys.perWindow(inWords(measure), window)}
      value={left}
      max={all}
      text={joined(
        t.keys.left(toCount(Math.floor(left)), toCount(all)),
        seconds > 0 && t.keys.fullIn(toSpan(seconds)),
      )}
      spent
    />
  );
}
