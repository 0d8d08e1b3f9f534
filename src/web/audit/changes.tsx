import type { AuditList } from '../api/types.ts';
import type { Amounts } from '../limits/amounts.ts';
import { amountsOf } from '../keys/plans/plans.tsx';
import { t } from '../words/operator-texts.ts';
import { InnerTable } from '../ui/tables/table.tsx';
import { toTime } from '../words/times.ts';

type Entry = AuditList['data'][number];

/** Each field that an act changed, as it was and as it became; of a new or gone thing, those that say something. */
export function Changes({ before, after }: Pick<Entry, 'before' | 'after'>) {
  const times = [
    ['before', fieldsOf(before)],
    ['after', fieldsOf(after)],
  ] as const;
  const told = times.filter(([, fields]) => fields.size > 0);
  const names = new Set(told.flatMap(([, fields]) => [...fields.keys()]).filter((name) => !ids.has(name)));
  const rows = [...names]
    .map((name) => ({ name, cells: differing(told.map(([, fields]) => linesOf(name, fields.get(name)))) }))
    .filter(({ cells }) => cells.some((lines) => lines.length > 0));
  if (rows.length === 0) return null;
  const { field } = t.audit.changes;
  return (
    <InnerTable
      class="wraps changes"
      titles={{ field, ...Object.fromEntries(told.map(([time]) => [time, t.audit.changes[time]])) }}
    >
      {rows.map(({ name, cells }) => (
        <tr key={name}>
          <th scope="row">{nameInWords(name)}</th>
          {told.map(([time], at) => (
            <td key={time} data-title={t.audit.changes[time]}>
              {cells[at]?.join(', ') || nothing}
            </td>
          ))}
        </tr>
      ))}
    </InnerTable>
  );
}

/** Fields that are left out: the names of the same things stand beside them. */
const ids = new Set(['id', 'accountId']);

export const fieldsOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);

const isTime = (name: string) => name.endsWith('AtMs');

/** One that has no words is told apart: such as `expires at` for `expiresAtMs`. */
const nameInWords = (name: string): string =>
  t.audit.fields[name] ?? wordsApart(name.replace(/Ms$/, ''), ' ');

const nothing = '–';

/** The parts of a field before and after an act that are not in both; all of them where there is only one. */
const differing = ([before = [], after]: readonly (readonly string[])[]) =>
  after === undefined
    ? [before]
    : [before.filter((line) => !after.includes(line)), after.filter((line) => !before.includes(line))];

/** The value of a field as a person would say it, in parts; none: it has no value. */
function linesOf(name: string, value: unknown): readonly string[] {
  if (value === null || value === undefined || value === '') return [];
  if (typeof value === 'number') return [isTime(name) ? toTime(value / 1000) : value.toLocaleString('en')];
  if (Array.isArray(value)) return value.flatMap((one) => linesOf(name, one));
  if (typeof value !== 'object') return [typeof value === 'string' ? value : JSON.stringify(value)];
  const { measure, period, limit } = value as Record<string, unknown>;
  if (typeof measure === 'string' && typeof period === 'string')
    return amountsOf({ [measure]: { [period]: Number(limit) } });
  const measures = Object.entries(value as Amounts).map(([key, amounts]) => [wordsApart(key, '_'), amounts]);
  return amountsOf(Object.fromEntries(measures) as Amounts);
}

/** Such as `input_tokens` for `inputTokens`, where `between` is `_`. */
const wordsApart = (name: string, between: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => between + letter.toLowerCase());
