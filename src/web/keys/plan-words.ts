import type { PlanList } from '../api/types.ts';
import { t } from '../operator-texts.ts';
import { toCount } from '../words.ts';

type Plan = PlanList['data'][number];

type Amounts = Readonly<Record<string, Readonly<Record<string, number | undefined>> | null>>;

/** What a plan allows each key, in a line: `60 requests per minute, 1M output tokens per day`. */
export const limitsOf = ({ limits }: Pick<Plan, 'limits'>): string =>
  amountsOf(limits).join(', ') || t.keys.unlimited;

/** What a plan allows each account over all its keys. */
export const budgetsOf = ({ account }: Plan): string => amountsOf(account).join(', ');

const amountsOf = (amounts: Amounts): string[] =>
  Object.entries(amounts).flatMap(([measure, windows]) =>
    Object.entries(windows ?? {}).map(
      ([window, amount]) =>
        `${toCount(Number(amount))} ${t.keys.perWindow(measure.replaceAll('_', ' '), window)}`,
    ),
  );
