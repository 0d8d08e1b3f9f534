import type { ComponentChildren } from 'preact';
import './table.css';

interface Props<Name extends string> {
  readonly class?: string;
  /** The titles of the columns, by their names; undefined: there are none. */
  readonly titles?: Readonly<Record<Name, string>>;
  /** Columns with numbers, which end below each other. */
  readonly numbers?: readonly NoInfer<Name>[];
  /** Whether a column without a title is the last one. */
  readonly hasActions?: boolean;
  /** The rows. */
  readonly children: ComponentChildren;
}

/** A table, which scrolls where it is too wide. */
export const Table = <Name extends string>(props: Props<Name>) => (
  <div class="scroll" tabindex={0}>
    <InnerTable {...props} />
  </div>
);

/** A table within another one. */
export const InnerTable = <Name extends string>({
  class: name,
  titles,
  numbers = [],
  hasActions = false,
  children,
}: Props<Name>) => (
  <table class={name}>
    {titles !== undefined && (
      <thead>
        <tr>
          {(Object.keys(titles) as Name[]).map((column) => (
            <th key={column} scope="col" class={numbers.includes(column) ? 'number' : undefined}>
              {titles[column]}
            </th>
          ))}
          {hasActions && <td />}
        </tr>
      </thead>
    )}
    <tbody>{children}</tbody>
  </table>
);
