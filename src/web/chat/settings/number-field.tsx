import { useEffect, useState } from 'preact/hooks';
import { t } from '../../texts.ts';
import { CheckedField } from '../../ui/controls.tsx';
import { isInRange, type NumberParameter } from './parameters.ts';

interface Props {
  readonly parameter: NumberParameter;
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}

/** A number with its default and its range. One out of it is told at once, and is not used. */
export function NumberField({ parameter, value, onChange }: Props) {
  const { name, min, max, step, byDefault } = parameter;
  const [text, setText] = useState(value === undefined ? '' : String(value));
  const [isWrong, setIsWrong] = useState(false);
  useEffect(() => {
    // A preset, or the way back to the defaults, puts another value here.
    if (value !== undefined || !isWrong) setText(value === undefined ? '' : String(value));
  }, [value]);
  const range = t.settings.range(min, max);
  return (
    <CheckedField label={t.settings[name]} hint={range} problem={isWrong ? range : undefined}>
      <input
        type="number"
        min={min}
        max={max}
        step={step}
        placeholder={byDefault === undefined ? t.settings.byDefault[name] : String(byDefault)}
        aria-invalid={isWrong}
        value={text}
        onInput={({ currentTarget: { value: next, valueAsNumber, validity } }) => {
          setText(next);
          const isFine = next === '' ? !validity.badInput : isInRange(parameter, valueAsNumber);
          setIsWrong(!isFine);
          onChange(isFine && next !== '' ? valueAsNumber : undefined);
        }}
      />
    </CheckedField>
  );
}
