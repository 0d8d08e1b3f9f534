import { go, routeParts, toAddress } from '../state/route.ts';
import type { UsageList } from '../api/types.ts';
import { isAdmin } from '../state/session.ts';
import { useAdmin } from '../state/asked.ts';
import { t } from '../words/operator-texts.ts';
import { Button } from '../ui/controls.tsx';
import { Choice, optionsOf } from '../ui/forms/fields.tsx';
import type { UsageMeasure } from './stacked-plot.tsx';
import { namesIn, shortLabel, type Titles } from './usage-table.tsx';

type Span = keyof typeof t.usage.spans;
type Group = keyof typeof t.usage.groups;

/** The choices, which are in the address: `usage/7d/key/requests/model/one`, of the use of one model alone. */
export function useChoices() {
  const [, span, by, measure, ...only] = routeParts.value;
  const choices = {
    span: oneOf<Span>(t.usage.spans, span, '1d'),
    by: oneOf<Group>(t.usage.groups, by, 'model'),
    measure: oneOf<UsageMeasure>(t.usage.measures, measure, 'requests'),
    only: isAdmin.value ? groupsIn(only) : [],
  };
  const partsOf = (other: Partial<typeof choices>) => {
    const all = { ...choices, ...other };
    return ['usage', all.span, all.by, all.measure, ...all.only.flat()];
  };
  return {
    ...choices,
    choose: (other: Partial<typeof choices>) => go(...partsOf(other)),
    /** Where there is only the usage of one group in sight, split by a kind that is not chosen yet. */
    addressOf: (group: string) => {
      const chosen = [...choices.only.filter(([kind]) => kind !== choices.by), [choices.by, group] as const];
      const open = (['model', 'key'] as const).find((kind) => chosen.every(([one]) => one !== kind));
      return toAddress(...partsOf({ only: chosen, by: open ?? choices.by }));
    },
  };
}

type Only = readonly (readonly [kind: Group, group: string])[];

const groupsIn = ([kind = '', group, ...rest]: readonly string[]): Only =>
  group !== undefined && Object.hasOwn(t.usage.groups, kind)
    ? [[kind as Group, group], ...groupsIn(rest)]
    : [];

const oneOf = <Name extends string>(all: Readonly<Record<Name, string>>, name = '', usual: Name): Name =>
  Object.hasOwn(all, name) ? (name as Name) : usual;

export const queryOf = (only: Only): string =>
  only.map((one) => `&${one.map(encodeURIComponent).join('=')}`).join('');

export const OnlyChips = ({ only, span, choose }: ReturnType<typeof useChoices>) =>
  only.length > 0 && (
    <div class="choices">
      {only.map((one) => (
        <OnlyChip
          key={one.join()}
          one={one}
          span={span}
          onEnd={() => choose({ only: only.filter((other) => other !== one) })}
        />
      ))}
    </div>
  );

interface OnlyProps {
  readonly one: Only[number];
  readonly span: Span;
  readonly onEnd: () => void;
}

/** That only the use of one account, key or model is in sight, by the name that its usage has. */
function OnlyChip({ one, span, onEnd }: OnlyProps) {
  const [kind, group] = one;
  const own = useAdmin<UsageList>(`usage?by=${kind}&since=${span}${queryOf([one])}`);
  const name = shortLabel(own.value?.data[0]?.label ?? group);
  return (
    <Button
      class="only"
      icon="close"
      aria-label={t.usage.showAll(name)}
      text={t.usage.only(name)}
      onClick={onEnd}
    />
  );
}

/** The time, the groups that an operator may choose, and the measure of the plot. */
export const Choices = ({
  span,
  by,
  measure,
  choose,
  titles,
}: ReturnType<typeof useChoices> & { titles: Titles }) => (
  <div class="choices">
    <Choice
      label={t.usage.span}
      options={optionsOf(t.usage.spans)}
      value={span}
      onChange={(next) => choose({ span: next })}
    />
    {isAdmin.value && (
      <Choice
        label={t.usage.by}
        options={optionsOf(t.usage.groups)}
        value={by}
        onChange={(next) => choose({ by: next })}
      />
    )}
    <Choice
      label={t.usage.measure}
      // Also one that nothing in sight has, as long as it is chosen.
      options={namesIn({ ...titles, [measure]: '' }).map((name) => [name, t.usage.measures[name]])}
      value={measure}
      onChange={(next) => choose({ measure: next })}
    />
  </div>
);
