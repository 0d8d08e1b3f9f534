import type { ModelStatus } from '../api/types.ts';
import { toldUntilMs } from '../state/server-clock.ts';
import { joined } from '../words/formats.ts';
import { t } from '../words/operator-texts.ts';
import { toSpan } from '../words/span.ts';

type Address = NonNullable<ModelStatus['addresses']>[number];

/** Whether no server that has it answers. */
export const isDown = ({ addresses }: Pick<ModelStatus, 'addresses'>): boolean =>
  addresses?.every(({ state }) => state === 'down') === true;

export const hostOf = ({ url }: Pick<Address, 'url'>): string => new URL(url).host;

/** The servers that run a model, after their names; empty: this machine does. */
export const hostsOf = ({ addresses, upstream_label: label }: ModelStatus): string =>
  joined(label, (addresses ?? []).map(hostOf).join(', '));

/** Why a server is down, after its name: without the code that the system gave to the error. */
export const whyDown = ({ reason }: Pick<Address, 'reason'>): string =>
  reason?.replace(/ \([A-Z]+\)$/, '').replace(/^it /, '') || t.models.down;

/** The same with its code in words; a code that has none stays. */
export const whyDownExactly = ({ reason }: Pick<Address, 'reason'>): string | undefined =>
  reason?.replace(/\(([A-Z]+)\)$/, (shown, code: string) => {
    const words = t.models.codes[code];
    return words === undefined ? shown : `(${words})`;
  });

/** For how long a server is down, and when it is asked again. */
export function downTimes(
  { down_since: since, retries_at: retriesAt }: Address,
  nowMs = toldUntilMs(),
): string {
  if (since === null) return '';
  const now = nowMs / 1000;
  const isDue = retriesAt === null || retriesAt <= now;
  return t.models.downFor(toSpan(now - since), isDue ? undefined : toSpan(retriesAt - now));
}

interface Outages<Model> {
  /** The models that no server answers for, by the addresses of these: one server may have many models. */
  readonly away: readonly (readonly Model[])[];
  /** Those that could not be loaded. */
  readonly failed: readonly Model[];
}

/** Which models cannot be used. */
export function outagesOf<Model extends ModelStatus>(models: readonly Model[]): Outages<Model> {
  const byPlace = Map.groupBy(models.filter(isDown), ({ addresses }) =>
    addresses?.map((address) => `${hostOf(address)} ${address.reason}`).join(' '),
  );
  return {
    away: [...byPlace.values()],
    failed: models.filter((one) => one.state === 'failed' && !isDown(one)),
  };
}
