import type { Choices } from '../text/choices.ts';
import { entries, lines, rows, words } from '../text/data.ts';
import { ask, drawIntent, type Exchange, exchangeOf } from '../text/exchanges.ts';
import { pickForm } from '../text/forms.ts';
import { capitalize, lowerFirst } from '../text/inflect.ts';
import type { Slots } from '../text/slots.ts';

/** One fact: the section with questions for it, and the slots of these and of the answer. */
type Fact = readonly [section: string, slots: Slots];

/** Facts to ask for, by relation, and the relation's weight. */
const relations = entries('relations').map((entry) => {
  const facts = entry.inOrder.flatMap(([key, text]): Fact[] => {
    const [what = '', list = '', slots = ''] = text.split(': ');
    if (key === 'ask') return readTable(what.split(', '), list, words(slots));
    if (key === 'circle') return neighbours(what, lines(list));
    // The first has none before it, the last none after it.
    return key === 'row' ? neighbours(what, lines(list)).toSpliced(-2, 1).toSpliced(1, 1) : [];
  });
  return [facts, Number(entry.get('weight'))] as const;
});

function readTable(sections: readonly string[], table: string, slots: readonly string[]): Fact[] {
  return rows(table).flatMap((cells) => {
    const filled = Object.fromEntries(slots.map((slot, index) => [slot, cells[index] ?? '']));
    return sections.map((section) => [section, filled] as const);
  });
}

function neighbours(kind: string, names: readonly string[]): Fact[] {
  return names.flatMap((name, index): Fact[] => [
    ['next questions', { kind, name, next: names[(index + 1) % names.length] ?? '' }],
    ['previous questions', { kind, name, previous: names.at(index - 1) ?? '' }],
  ]);
}

/** A question about something simple and settled. */
export function writeFactsExchange(choices: Choices): Exchange {
  return exchangeOf(choices, ...choices.pick(choices.weighted(relations)));
}

/** A question beyond the model's knowledge: about names that nobody knows, or about more than it has learned. */
export function writeUnknownExchange(choices: Choices): Exchange {
  const intent = drawIntent(choices, pickForm(choices, 'unknown matters'));
  const exchange = ask(choices, intent, { keepCase: true });
  const name = intent.slots?.name;
  if (name === undefined) return exchange;
  // The answer has the name as it is typed; so must the question, also where the name begins it.
  const typed = [capitalize, lowerFirst].map((change) => change(String(name)));
  const question = typed.reduce((text, form) => text.replaceAll(form, String(name)), exchange.question);
  return { ...exchange, question };
}
