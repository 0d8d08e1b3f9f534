import type { Choices } from '../../text/choices.ts';
import { entries, type Entry, words } from '../../text/data.ts';
import { capitalize, withArticles } from '../../text/inflect.ts';
import { fill } from '../../text/slots.ts';
import { vary } from '../../text/wording.ts';
import { writeName } from './composed-tools.ts';
import { type PlannedParameter, slotOf } from './parameters.ts';
import { planOf, type ToolPlan } from './planned-tool.ts';
import { readResults } from './tool-trades.ts';

/** "parameter: name = text" and "optional parameter: name = text". */
const readParameters = (entry: Entry) =>
  entry.inOrder.flatMap(([key, line]) => {
    const [name = '', text = ''] = line.split(' = ');
    return key.endsWith('parameter') ? [{ key: name, text, required: key === 'parameter' }] : [];
  });

/** The parameters of a family are known in its requests by their roles; their keys are drawn. */
const families = ['everyday tool families', 'odd tool families'].flatMap(entries).map((entry) => ({
  entry,
  parameters: readParameters(entry).map(({ key, text, required }): Omit<PlannedParameter, 'key'> => {
    const [kind = '', keys = ''] = text.split(': ');
    const values = kind.includes('/') ? kind.split('/') : undefined;
    const said = { phrases: ['with {key} {}'], negated: undefined, described: '', enums: undefined };
    const slot = { ...said, keys: words(keys), kind: values === undefined ? kind : 'word' };
    return { role: key, required, slot, ...(values && { values }) };
  }),
}));

const familiarTools = entries('familiar tools').map((entry) => ({
  entry,
  names: words(entry.get('names')),
  parameters: readParameters(entry).map(({ text, ...known }) => ({ ...known, slot: slotOf(text) })),
  results: readResults(entry.get('results')),
}));

/** A tool of some purpose under one of many names. */
export function planFamilyTool(choices: Choices): ToolPlan {
  const { entry, parameters: known } = choices.pick(families);
  const [verb = '', noun = ''] = ['verb', 'noun'].map((part) =>
    vary(choices, entry.get(part)).replaceAll('_', ' '),
  );
  const say = (template: string): string => fill(template, { verb, noun: noun === '' ? 'thing' : noun });
  const parameters: PlannedParameter[] = [];
  for (const parameter of known) {
    const keys = parameter.slot.keys.filter((key) => !parameters.some((other) => other.key === key));
    parameters.push({ key: choices.pick(keys), ...parameter });
  }
  const described = vary(choices, say(choices.pick(entry.all('description'))));
  const name = writeName(choices, verb, noun);
  const description = `${capitalize(withArticles(described))}${choices.pick(['', '.'])}`;
  const [clauses, questions] = [entry.all('order').map(say), entry.all('question').map(say)];
  const wording = { kind: 'family', clauses, questions } as const;
  return planOf(name, description, { parameters, wording, results: [] });
}

/** A tool that people try first: weather, timer, mail and the like. */
export function planFamiliarTool(choices: Choices): ToolPlan {
  const { entry, names, parameters: known, results } = choices.pick(familiarTools);
  const parameters = known.map((parameter): PlannedParameter => {
    const { enums } = parameter.slot;
    return { ...parameter, ...(enums && { values: choices.pick(enums) }) };
  });
  const name = choices.pick(names);
  const [clauses, questions] = [entry.all('clause'), entry.all('question')];
  const wording = { kind: 'familiar', clauses, questions } as const;
  return planOf(name, choices.pick(entry.all('description')), { parameters, wording, results });
}
