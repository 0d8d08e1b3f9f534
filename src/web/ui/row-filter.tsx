import { useState } from 'preact/hooks';
import { routeParts } from '../state/route.ts';
import { t } from '../texts.ts';
import { SearchBox } from './fields.tsx';

interface Filter {
  readonly text: string;
  readonly set: (text: string) => void;
}

/** Fewer rows are seen at once. */
const leastToFilter = 8;

/** The `rows` whose words, which `wordsOf` gives, have all that was typed, or what the address has behind the view. */
export function useFilter<Row>(rows: readonly Row[], wordsOf: (row: Row) => string) {
  const [text, set] = useState(routeParts.value[1] ?? '');
  const wanted = text.trim().toLowerCase().split(/\s+/);
  const shown = rows.filter((row) => {
    const words = wordsOf(row).toLowerCase();
    return wanted.every((word) => words.includes(word));
  });
  return { shown, filter: { text, set } };
}

/** Where a long list is searched. `count`: of all rows. */
export function RowFilter({ filter: { text, set }, count }: { filter: Filter; count: number }) {
  if (count < leastToFilter && text === '') return null;
  return <SearchBox class="row-filter" label={t.shell.filter} value={text} onChange={set} />;
}
