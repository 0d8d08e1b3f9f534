import type { AuditList } from '../api/types.ts';
import type { Amounts } from '../keys/amounts.ts';
import { amountsOf } from '../keys/plans.tsx';
import { t } from '../operator-texts.ts';
import { InnerTable } from '../ui/table.tsx';
import { toTime } from '../times.ts';

type Entry = AuditList['data'][number];

/** Each field that an act changed, as it was and as it became; of what was made or is gone, those that say something. */
export function Changes({ before, after }: Pick<Entry, 'before' | 'after'>) {
  const times = [
    ['before', fieldsOf(before)],
    ['after', fieldsOf(after)],
  ] as const;
  const told = times.filter(([, fields]) => fields.size > 0);
  const names = [...new Set(told.flatMap(([, fields]) => [...fields.keys()]))].filter((name) =>
    told.some(([, fields]) => inWords(name, fields.get(name)) !== nothing),
  );
  if (names.length === 0) return null;
  const { field } = t.audit.changes;
  return (
    <InnerTable
      class="wraps"
      titles={{ field, ...Object.fromEntries(told.map(([time]) => [time, t.audit.changes[time]])) }}
    >
      {names.map((name) => (
        <tr key={name}>
          <th scope="row">{nameInWords(name)}</th>
          {told.map(([time, fields]) => (
            <td key={time}>{inWords(name, fields.get(name))}</td>
          ))}
        </tr>
      ))}
    </InnerTable>
  );
}

export const fieldsOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);

const isTime = (name: string) => name.endsWith('AtMs');

/** Such as `expires at` for `expiresAtMs`. */
const nameInWords = (name: string): string =>
  name.replace(/Ms$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const nothing = '–';

/** The value of a field as a person would say it. */
function inWords(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return nothing;
  if (typeof value === 'number') return isTime(name) ? toTime(value / 1000) : value.toLocaleString('en');
  if (Array.isArray(value)) return value.map((one) => inWords(name, one)).join(', ') || nothing;
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value);
  const { measure, period, limit } = value as Record<string, unknown>;
  if (typeof measure === 'string' && typeof period === 'string')
    return amountsOf({ [measure]: { [period]: Number(limit) } }).join();
  return amountsOf(value as Amounts).join(', ') || nothing;
}
