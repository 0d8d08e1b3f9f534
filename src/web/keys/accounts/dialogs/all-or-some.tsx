import { useState } from 'preact/hooks';
import type { ModelStatusList } from '../../../api/types.ts';
import { useAdmin } from '../../../state/asked.ts';
import { t } from '../../../words/operator-texts.ts';
import { Check, optionsOf, SearchBox, Segments } from '../../../ui/forms/fields.tsx';
import './all-or-some.css';

/** The values that may be used; null: all, also those to come. */
export type Chosen = readonly string[] | null;

interface Props {
  readonly title: string;
  /** The name of the choice of all. */
  readonly all: string;
  /** The problem where nothing is chosen. */
  readonly missing: string;
  /** Values with their texts. */
  readonly options: readonly (readonly [string, string])[];
  readonly chosen: Chosen;
  readonly onChange: (chosen: Chosen) => void;
}

/** More are searched. */
const mostUnsearched = 10;

/** All, or only some, which are listed then. */
export function AllOrSome({ title, all, missing, options, chosen, onChange }: Props) {
  const [sought, setSought] = useState('');
  const shown = options.filter(([, text]) => text.toLowerCase().includes(sought.trim().toLowerCase()));
  return (
    <fieldset>
      <legend>{title}</legend>
      <Segments
        label={title}
        options={optionsOf({ all, some: t.keys.onlyThese })}
        value={chosen === null ? 'all' : 'some'}
        onChange={(which) => onChange(which === 'all' ? null : (chosen ?? []))}
      />
      {chosen !== null && (
        <div class="checks">
          {options.length > mostUnsearched && (
            <SearchBox label={t.shell.filter} value={sought} onChange={setSought} />
          )}
          {shown.map(([value, text], index) => (
            <Check
              key={value}
              label={<span>{text}</span>}
              isOn={chosen.includes(value)}
              required={index === 0 && chosen.length === 0}
              missing={missing}
              onChange={(isOn) =>
                onChange(isOn ? [...chosen, value] : chosen.filter((other) => other !== value))
              }
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}

/** Which models a key may use. */
export function ModelChoice(props: Pick<Props, 'chosen' | 'onChange'>) {
  const models = useAdmin<ModelStatusList>('models');
  const ids = new Set([
    ...(models.value?.data.map(({ id }) => id.replace(/-r$/, '')) ?? []),
    // A key may name models that are not here now.
    ...(props.chosen ?? []),
  ]);
  return (
    <AllOrSome
      title={t.keys.models}
      all={t.keys.allModels}
      missing={t.keys.chooseModel}
      options={[...ids].map((id) => [id, id])}
      {...props}
    />
  );
}
