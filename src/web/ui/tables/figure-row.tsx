import type { ComponentChildren } from 'preact';
import { toCount } from '../../words/formats.ts';
import { t } from '../../words/operator-texts.ts';
import { CopyButton } from '../controls.tsx';
import './facts.css';

/** Figures with their names, side by side. */
export const FigureRow = ({
  figures,
}: {
  readonly figures: readonly (readonly [name: string, value: string])[];
}) => (
  <dl class={`figures-row${figures.length > 4 ? ' many' : ''}`}>
    {figures.map(([name, value]) => (
      <div key={name}>
        <dt class="quiet">{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** The sum of all values of `rows` under `names`, as a figure. */
export const sumOf = <Name extends string>(
  rows: readonly Readonly<Record<Name, number>>[],
  ...names: readonly Name[]
): string => toCount(rows.reduce((all, row) => names.reduce((sum, name) => sum + row[name], all), 0));

type Fact = readonly [name: string, value: ComponentChildren];

/** Facts with their names, in columns where there is room. The `long` ones have a line of their own. */
export const FactList = ({ facts, long = [] }: { facts: readonly Fact[]; long?: readonly Fact[] }) => (
  <dl class="known">
    {[...facts, ...long].map(([name, value], index) => (
      <div key={index} class={index < facts.length ? undefined : 'wide'}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** An id among facts, to be copied. */
export const CopyableId = ({ id }: { id: string }) => (
  <span class="copyable">
    <span title={id}>{id}</span> <CopyButton label={t.copyId} text={id} />
  </span>
);
