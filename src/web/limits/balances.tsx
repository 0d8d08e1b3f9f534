import { useMemo } from 'preact/hooks';
import { inWords, measureInWords } from '../../words/in-words.ts';
import type { LimitList } from '../api/types.ts';
import { useServerClock } from '../state/server-clock.ts';
import { t } from '../words/operator-texts.ts';
import { Bar } from '../ui/controls.tsx';
import { Fold } from '../ui/fold.tsx';
import { toSpan } from '../words/span.ts';
import { joined } from '../words/formats.ts';
import { toAmountText, toRest, toRestTime } from './amounts.ts';
import './balances.css';

type Limit = LimitList['data'][number];

const tickMs = 500;

/** The limit that is spent furthest, as one bar; in place of none, `none`. */
export function MostSpent({ limits, none }: { limits: LimitList['data']; none: string }) {
  const [most] = limits.toSorted(byRest);
  if (most === undefined) return <span class="facts bar">{none}</span>;
  return isSpent(most) ? (
    <BalanceBar limit={most} />
  ) : (
    <AllLeft of={limits.map((one) => ({ ...one, name: nameOfLimit(one) }))} />
  );
}

type Whole = Pick<RestProps, 'name' | 'measure' | 'limit'>;

/** In place of bars that are all full. Up to `most` amounts are told, more of them to who points there. */
export function AllLeft({ of, most = 1 }: { of: readonly Whole[]; most?: number }) {
  const amounts = [...new Set(of.map(inWhole))];
  const told = amounts.join(', ');
  return (
    <span class="facts bar" title={told}>
      {amounts.length > most ? t.keys.allLeft : t.keys.allLeftOf(told)}
    </span>
  );
}

/** All of a limit: such as `1 request per day`. */
function inWhole({ name, measure, limit }: Whole): string {
  const amount = toAmountText(measure, limit);
  if (measure === 'audio_seconds') return `${amount} ${name}`;
  return `${amount} ${name.replace(inWords(measure), measureInWords(limit, measure))}`;
}

const shareLeft = ({ limit, remaining }: Limit) => (limit > 0 ? remaining / limit : 1);
const byRest = (one: Limit, other: Limit) => shareLeft(one) - shareLeft(other);

interface BalancesProps {
  readonly limits: LimitList['data'];
  readonly isSecond?: boolean;
  readonly none?: string;
}

/**
 * A bar for each limit of the models that were used, those first of which least is left; then a line for the other
 * models, which unfolds. `isSecond`: the budgets above have more weight. `none` is told where there is no limit. The
 * bars refill between two answers of the server.
 */
export function Balances({ limits, isSecond = false, none = '' }: BalancesProps) {
  const readAtMs = useMemo(() => Date.now(), [limits]);
  const nowMs = useServerClock(tickMs);
  if (limits.length === 0) return <p class="quiet">{none}</p>;
  const elapsedSeconds = Math.max(0, nowMs - readAtMs) / 1000;
  const byModel = [...Map.groupBy(limits.toSorted(byRest), ({ model }) => model)];
  const used = byModel.filter(([, ofModel]) => ofModel.some(isSpent));
  const unused = byModel.filter(([, ofModel]) => !ofModel.some(isSpent));
  const toSection = ([title, shown]: OfModel) => (
    <section key={title}>
      <h2>{title}</h2>
      {shown.map((limit) => (
        <BalanceBar key={`${limit.measure} ${limit.window}`} limit={limit} elapsedSeconds={elapsedSeconds} />
      ))}
    </section>
  );
  return (
    <div class="balances">
      {used.length > 0 && <p class="quiet">{t.keys.refills}</p>}
      {used.map(toSection)}
      {unused.length > 0 && (
        <Fold title={t.keys.unused(unused.length, used.length > 0)} isOpen={used.length === 0 && !isSecond}>
          {alike(unused).map(([title, ofModel]) => (
            <section key={title}>
              <h2>{title}</h2>
              <p>{joined(...ofModel.map((one) => inWhole({ ...one, name: nameOfLimit(one) })))}</p>
            </section>
          ))}
        </Fold>
      )}
    </div>
  );
}

type OfModel = readonly [id: string, limits: readonly Limit[]];

/** Models that have the same limits stand together under their names. */
function alike(models: readonly OfModel[]): OfModel[] {
  const textOf = ([, limits]: OfModel) =>
    limits.map(({ measure, window, limit }) => `${measure} ${window} ${limit}`).join();
  return [...Map.groupBy(models, textOf).values()].map((group) => [
    inShort(group.map(([id]) => id)),
    group[0]?.[1] ?? [],
  ]);
}

/** A heading names at most so many models. */
const mostNames = 4;

export const inShort = (names: readonly string[]): string =>
  names.length <= mostNames
    ? names.join(', ')
    : t.keys.andMore(names.slice(0, mostNames - 1).join(', '), names.length - mostNames + 1);

export const isSpent = ({ full_in_seconds: seconds }: Limit) => seconds > 0;

export const nameOfLimit = ({ measure, window }: Pick<Limit, 'measure' | 'window'>): string =>
  t.keys.perWindow(
    measure === 'audio_seconds' ? t.keys.sound : inWords(measure),
    t.plans.times[window] ?? window,
  );

/** Without `elapsedSeconds` it is short: it does not tell when the limit is full again. */
function BalanceBar({ limit, elapsedSeconds }: { limit: Limit; elapsedSeconds?: number }) {
  const { measure, limit: all, remaining, full_in_seconds: fullIn } = limit;
  const elapsed = elapsedSeconds ?? 0;
  const refilled = fullIn > 0 ? ((all - remaining) * elapsed) / fullIn : 0;
  const seconds = fullIn - elapsed;
  return (
    <RestBar
      name={nameOfLimit(limit)}
      measure={measure}
      left={Math.floor(remaining + refilled)}
      limit={all}
      again={elapsedSeconds === undefined ? undefined : seconds > 0 && t.keys.fullIn(toSpan(seconds))}
    />
  );
}

interface RestProps {
  readonly name: string;
  readonly measure: string;
  readonly left: number;
  readonly limit: number;
  /** When there is more again; undefined: the bar is short, and its name has its figures. */
  readonly again: string | false | undefined;
}

/** A limit: the share that was used as a bar, and the amount that is left as a text. */
export function RestBar({ name, measure, left: rest, limit, again }: RestProps) {
  const left = Math.min(limit, Math.max(0, rest));
  const leftInWords = measure === 'audio_seconds' ? toRestTime(left) : toRest(left);
  const isShort = again === undefined;
  // A limit of 0 counts as used up.
  const [used, all] = limit > 0 ? [limit - left, limit] : [1, 1];
  return (
    <div class="rest">
      <Bar
        label={isShort ? t.keys.usedOf(toPercent(used / all), inWhole({ name, measure, limit })) : name}
        value={used}
        max={all}
        text={isShort ? '' : t.keys.usedUp(toPercent(used / all))}
        isUse
      />
      {!isShort && <small>{joined(t.keys.left(leftInWords, toAmountText(measure, limit)), again)}</small>}
    </div>
  );
}

/** A share; only nothing is 0%, and only all of it is 100%. */
const toPercent = (share: number): string =>
  share > 0 && share < 0.01 ? '<1%' : `${share < 1 ? Math.min(99, Math.round(share * 100)) : 100}%`;
