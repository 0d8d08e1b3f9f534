import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { inOrder, toCount } from '../../words/formats.ts';
import { t } from '../../words/operator-texts.ts';
import { Button } from '../controls.tsx';
import { Choice, optionsOf } from '../forms/fields.tsx';
import './keep-focus.ts';
import './table.css';
import './stacked.css';

interface Sort<Name extends string> {
  readonly by: Name;
  readonly isDown: boolean;
  readonly onSort: (by: Name) => void;
}

/**
 * Sorts by the column `first`, and then by those that are pressed: the largest first where it is in `downFirst`, and
 * turned round by a second press. The order is in the address, such as `#/keys?sort=-requests`, so that it outlasts a
 * reload.
 */
export function useSort<Name extends string>(
  first: Name,
  downFirst: readonly Name[],
  titles: Readonly<Record<Name, string>>,
): Sort<Name> {
  const [order, setOrder] = useState(() => {
    const [, sign, name = ''] = /\?sort=(-?)(\w+)$/.exec(location.hash) ?? [];
    return Object.hasOwn(titles, name)
      ? { by: name as Name, isDown: sign === '-' }
      : { by: first, isDown: downFirst.includes(first) };
  });
  const onSort = (by: Name) => {
    const isDown = by === order.by ? !order.isDown : downFirst.includes(by);
    setOrder({ by, isDown });
    const [view = '#/'] = location.hash.split('?');
    history.replaceState(history.state, '', `${view}?sort=${isDown ? '-' : ''}${by}`);
  };
  return { ...order, onSort };
}

/** The order of rows by the text that `valueOf` has for each in the column of `sort`. */
export const orderedBy =
  <Row,>({ isDown }: Pick<Sort<string>, 'isDown'>, valueOf: (row: Row) => string) =>
  (one: Row, other: Row): number =>
    (isDown ? -1 : 1) * inOrder(valueOf(one), valueOf(other));

interface Props<Name extends string> {
  readonly class?: string;
  /** The titles of the columns, by their names; undefined: there are none. */
  readonly titles?: Readonly<Record<Name, string>>;
  /** The long form of a title, to who points at it. */
  readonly inFull?: Readonly<Partial<Record<NoInfer<Name>, string>>>;
  /** Columns with numbers, which end below each other. */
  readonly numbers?: readonly NoInfer<Name>[];
  /** How its rows are in order; its titles are buttons that order them otherwise. */
  readonly sort?: Sort<Name> | undefined;
  /** Whether a column without a title is the last one. */
  readonly hasActions?: boolean;
  /** The rows. */
  readonly children: ComponentChildren;
}

/** A table that `stacks` shows its rows as small cards where it is narrower, which is on phones. */
const leastPx = 576;

/** A table, which scrolls where it is too wide. */
export function Table<Name extends string>(table: Props<Name>) {
  const { titles, sort } = table;
  const box = useRef<HTMLDivElement>(null);
  const [isNarrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const look = () => setNarrow((box.current?.clientWidth ?? 0) < leastPx);
    const resized = new ResizeObserver(look);
    if (box.current !== null) resized.observe(box.current);
    look();
    return () => resized.disconnect();
  }, []);
  return (
    <div ref={box} class={isNarrow ? 'scroll stacked' : 'scroll'} tabindex={0}>
      {isNarrow && sort && titles && (
        <div class="sort-by">
          <span aria-hidden="true">{t.sort.by}</span>
          <Choice
            label={t.sort.by}
            value={sort.by}
            onChange={sort.onSort}
            options={optionsOf<Name>(titles)}
          />
          <Button
            text={sort.isDown ? '↓' : '↑'}
            aria-label={t.sort.turn}
            title={t.sort.turn}
            onClick={() => sort.onSort(sort.by)}
          />
        </div>
      )}
      <InnerTable {...table} />
    </div>
  );
}

interface NumberProps {
  readonly title: string;
  readonly value: number;
  /** The meaning of the number, to who points at it. */
  readonly more?: string | undefined;
  /** Where it leads, if anywhere. */
  readonly href?: string | undefined;
  /** Whether it is one to look after. */
  readonly isBad?: boolean;
}

/** A count in a column of them. */
export const NumberCell = ({ title, value, more, href, isBad = false }: NumberProps) => (
  <td
    class={`number${value === 0 ? ' none' : isBad ? ' failed' : ''}`}
    data-title={title}
    title={more || undefined}
  >
    {value === 0 ? '–' : href === undefined ? toCount(value) : <a href={href}>{toCount(value)}</a>}
  </td>
);

/** A table within another one. */
export const InnerTable = <Name extends string>({
  class: name,
  titles,
  inFull,
  numbers = [],
  sort,
  hasActions = false,
  children,
}: Props<Name>) => (
  <table class={sort === undefined ? name : `${name} sorts`}>
    {titles !== undefined && (
      <thead>
        <tr>
          {(Object.keys(titles) as Name[]).map((column) => (
            <th
              key={column}
              scope="col"
              title={inFull?.[column]}
              class={numbers.includes(column) ? 'number' : undefined}
              aria-sort={column === sort?.by ? (sort.isDown ? 'descending' : 'ascending') : undefined}
            >
              {sort === undefined ? (
                titles[column]
              ) : (
                <Button class="sort" text={titles[column]} onClick={() => sort.onSort(column)} />
              )}
            </th>
          ))}
          {hasActions && <td />}
        </tr>
      </thead>
    )}
    <tbody>{children}</tbody>
  </table>
);
