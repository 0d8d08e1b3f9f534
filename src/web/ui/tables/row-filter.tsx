import { useEffect, useState } from 'preact/hooks';
import { routeParts } from '../../state/route.ts';
import { t } from '../../words/operator-texts.ts';
import { SearchBox } from '../forms/fields.tsx';

interface Filter {
  readonly text: string;
  readonly set: (text: string) => void;
}

/** Fewer rows are seen at once. */
const leastToFilter = 8;

/**
 * The `rows` whose words, which `wordsOf` gives, have all typed `words`, at first those in the address behind the view.
 */
export function useFilter<Row>(rows: readonly Row[], wordsOf: (row: Row) => string) {
  const [view = '', first = ''] = routeParts.value;
  const [text, setText] = useState(first);
  // A link to the view that is open already gives new words, or none.
  useEffect(() => {
    const follow = () => location.hash !== '#main' && setText(routeParts.value[1] ?? '');
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const set = (next: string) => {
    setText(next);
    const [, order] = location.hash.split('?');
    const place = next === '' ? view : `${view}/${encodeURIComponent(next)}`;
    history.replaceState(history.state, '', `#/${place}${order === undefined ? '' : `?${order}`}`);
  };
  const words = wordsIn(text);
  const shown = rows.filter((row) => hasWords(wordsOf(row), words));
  return { shown, words, filter: { text, set } };
}

/** Matches `word`, a number only where one begins: 2 is not in 12, and not in the secret of a key. */
const patternOf = (word: string): string =>
  (/^\d+$/.test(word) ? '(?<![a-z\\d_…]|hk-)' : '') + word.replaceAll(/[^\w\s]/g, String.raw`\$&`);

/** Whether `text` has the sought `word`. */
export const hasWord = (text: string, word: string): boolean => new RegExp(patternOf(word), 'i').test(text);

export const wordsIn = (text: string): readonly string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

export const hasWords = (text: string, words: readonly string[]): boolean =>
  words.every((word) => hasWord(text, word));

/** A long name breaks where a part of it ends, before it breaks anywhere else. */
const breakable = (text: string) =>
  text.split(/(?<=[.@_])/).flatMap((part, index) => (index === 0 ? [part] : [<wbr key={index} />, part]));

interface MarkedProps {
  readonly text: string;
  readonly words: readonly string[];
  /** Whether a table shows as much of it as two lines hold. */
  readonly isName?: boolean;
}

/** A text in which `words` are marked. */
export function Marked({ text, words, isName = false }: MarkedProps) {
  const pattern = words.map(patternOf).join('|');
  const parts = pattern === '' ? [text] : text.split(new RegExp(`(${pattern})`, 'i'));
  return (
    <span title={isName ? text : undefined} class={isName ? 'name' : undefined}>
      {parts.map((part, index) => {
        const shown = isName ? breakable(part) : part;
        return index % 2 === 0 ? shown : <mark key={index}>{shown}</mark>;
      })}
    </span>
  );
}

interface FilterProps {
  readonly filter: Filter;
  /** Of all rows. */
  readonly count: number;
  readonly label?: string;
}

/** Where a long list is searched. */
export function RowFilter({ filter: { text, set }, count, label = t.shell.filter }: FilterProps) {
  if (count < leastToFilter && text === '') return null;
  return <SearchBox class="row-filter" label={label} value={text} onChange={set} />;
}
