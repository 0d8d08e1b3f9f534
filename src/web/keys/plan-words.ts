import type { PlanList } from '../api/types.ts';
import { t } from '../operator-texts.ts';
import { toCount } from '../words.ts';

type Plan = PlanList['data'][number];

/** What a plan allows, in a line: `60 requests per minute, 1M output tokens per day`. */
export function limitsOf({ limits }: Pick<Plan, 'limits'>): string {
  const parts = Object.entries(limits).flatMap(([measure, windows]) =>
    Object.entries(windows ?? {}).map(
      ([window, limit]) =>
        `${toCount(Number(limit))} ${t.keys.perWindow(measure.replaceAll('_', ' '), window)}`,
    ),
  );
  return parts.join(', ') || t.keys.unlimited;
}
