import type { UsageList } from '../../api/types.ts';
import { toAddress } from '../../state/route.ts';
import { t } from '../../words/operator-texts.ts';
import { NumberCell } from '../../ui/tables/table.tsx';

/** The usage within the last day; undefined: none. */
type Usage = UsageList['data'][number] | undefined;

/** The columns of figures, which accounts and keys have. */
export const usageFigures = ['requests', 'tokens', 'unanswered'] as const;

export const usageOf = (usage: Usage) => ({
  requests: usage?.requests ?? 0,
  tokens: usage === undefined ? 0 : usage.prompt_tokens + usage.completion_tokens,
  unanswered: usage === undefined ? 0 : usage.refused_requests + usage.failed_requests,
});

const toldOf = ({ failed_requests: failed, refused_requests: refused }: NonNullable<Usage>) => ({
  unanswered: t.keys.unanswered(failed, refused),
});

/** The share of failures from which the figure is red. */
const mostFailures = 1 / 3;

/** Whether many requests were not answered; refused ones are not among `requests`. */
function failsOften(usage: Usage): boolean {
  const asked = (usage?.requests ?? 0) + (usage?.refused_requests ?? 0);
  return asked > 0 && usageOf(usage).unanswered / asked >= mostFailures;
}

/** The address of the unanswered requests of one key or account. */
const failuresOf = (of: 'key' | 'account', group: string): string =>
  toAddress('usage', '1d', 'model', 'unanswered_requests', of, group);

export function UsageCells({ usage, of }: { usage: Usage; of: 'key' | 'account' }) {
  const figures = usageOf(usage);
  const told: Partial<Record<keyof typeof figures, string>> = usage === undefined ? {} : toldOf(usage);
  return usageFigures.map((column) => (
    <NumberCell
      key={column}
      title={t.keys.figures[column]}
      value={figures[column]}
      more={told[column]}
      href={usage && column === 'unanswered' ? failuresOf(of, usage.group) : undefined}
      isBad={column === 'unanswered' && failsOften(usage)}
    />
  ));
}
