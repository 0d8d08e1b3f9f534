import type { ComponentProps } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../words/operator-texts.ts';
import { Input } from '../ui/forms/fields.tsx';
import { isTime, toAmountText, toNumber } from './amounts.ts';

/** Measures that have fractions, with the least of them. */
const least: Readonly<Record<string, number>> = { audio_seconds: 0.001, units: 0.000001 };

/** The server takes no more: `greatestUnits` and `greatestLimit` there. */
const mostUnits = 1e9;
const mostOfOthers = 1e12;

interface Props extends Omit<ComponentProps<typeof Input>, 'type' | 'aria-label'> {
  readonly 'aria-label': string;
  readonly measure: string;
}

/** An amount of a measure, written as in tables or in figures; figures become the former when the field is left. */
export function AmountInput({ measure, value, onChange, ...input }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const problem = problemOf(measure, value);
  useLayoutEffect(() => field.current?.setCustomValidity(problem), [problem]);
  return (
    <Input
      ref={field}
      value={value}
      onChange={onChange}
      onBlur={() =>
        value !== '' && problem === '' && onChange(toAmountText(measure, toNumber(measure, value)))
      }
      {...input}
    />
  );
}

/** Why the server would not take `text` as an amount; '': it takes it, or it is none. */
export function problemOf(measure: string, text: string): string {
  if (text === '') return '';
  const amount = toNumber(measure, text);
  if (Number.isNaN(amount)) return t.plans.wrong[isTime(measure) ? 'time' : 'number'];
  if (amount <= 0) return t.plans.wrong.positive;
  const smallest = least[measure];
  if (amount < (smallest ?? 1)) return t.plans.wrong.least(String(smallest ?? 1));
  const most = measure === 'units' ? mostUnits : mostOfOthers;
  if (amount > most) return t.plans.wrong.most(most.toLocaleString('en'));
  return smallest === undefined && !Number.isInteger(amount) ? t.plans.wrong.whole : '';
}
