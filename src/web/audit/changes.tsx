import type { AuditList } from '../api/types.ts';
import type { Amounts } from '../limits/amounts.ts';
import { amountsOf } from '../keys/plans/plans.tsx';
import { t } from '../words/operator-texts.ts';
import { InnerTable } from '../ui/tables/table.tsx';
import { toTime } from '../words/times.ts';

type Entry = AuditList['data'][number];

/** Each field that an act changed, as it was and as it became; nothing for an act that changed none. */
export function Changes({ act, before, after }: Told) {
  const [old, changed] = [fieldsOf(before), fieldsOf(after)];
  if (old.size === 0 || changed.size === 0) return null;
  const rows = namesIn(old, changed)
    .map((name) => ({
      name,
      cells: differing(linesOf(name, old.get(name)), linesOf(name, changed.get(name))),
    }))
    .filter(({ cells }) => cells.some((lines) => lines.length > 0));
  if (rows.length === 0) return null;
  const titles = t.audit.changes;
  return (
    <InnerTable class="wraps changes" titles={titles}>
      {rows.map(({ name, cells: [was, became] }) => (
        <tr key={name}>
          <th scope="row">{nameInWords(act, name)}</th>
          <td data-title={titles.before}>{was.join(', ') || nothing}</td>
          <td data-title={titles.after}>{became.join(', ') || nothing}</td>
        </tr>
      ))}
    </InnerTable>
  );
}

/** The fields of a new or deleted thing, or of an act that changed nothing, save for empty ones; none for a change. */
export function factsOf({ act, before, after }: Told): readonly (readonly [name: string, value: string])[] {
  const [old, changed] = [fieldsOf(before), fieldsOf(after)];
  if (old.size > 0 && changed.size > 0) return [];
  const fields = old.size > 0 ? old : changed;
  return namesIn(fields)
    .map((name) => [nameInWords(act, name), linesOf(name, fields.get(name)).join(', ')] as const)
    .filter(([, value]) => value !== '');
}

type Told = Pick<Entry, 'act' | 'before' | 'after'>;

const namesIn = (...all: readonly ReadonlyMap<string, unknown>[]): readonly string[] =>
  [...new Set(all.flatMap((fields) => [...fields.keys()]))].filter((name) => !ids.has(name));

/** Fields that are left out: the names of the same things stand beside them. */
const ids = new Set(['id', 'accountId']);

export const fieldsOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);

const isTime = (name: string) => name.endsWith('AtMs');

/** One that has no words is told apart: such as `expires at` for `expiresAtMs`. */
const nameInWords = (act: string, name: string): string =>
  t.audit.fields[`${act} ${name}`] ?? t.audit.fields[name] ?? wordsApart(name.replace(/Ms$/, ''), ' ');

const nothing = '–';

/** The parts of a field before and after an act that are not in both. */
const differing = (before: readonly string[], after: readonly string[]) =>
  [before.filter((line) => !after.includes(line)), after.filter((line) => !before.includes(line))] as const;

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
