import type { Choices } from '../../text/choices.ts';
import { entries, type Entry } from '../../text/entries.ts';
import { capitalize, withArticles } from '../../text/inflect.ts';
import { vary } from '../../text/wording.ts';
import { makeTool, type PlannedParameter, type ToolPlan } from './planned-tool.ts';
import { writeName } from './tool-naming.ts';
import { slotOf } from './tool-slots.ts';
import { readResults } from './tool-trades.ts';

/** A parameter of a family, known in its requests by its role; its key is drawn. */
type FamilyParameter = Omit<PlannedParameter, 'key'>;

const families = ['everyday tool families', 'odd tool families'].flatMap(entries).map((entry) => ({
  entry,
  parameters: readParameters(entry).map(([role, text, required]): FamilyParameter => {
    const [kind = '', keys = ''] = text.split(': ');
    const values = kind.includes('/') ? kind.split('/') : undefined;
    const slot = { keys: keys.split(' '), kind: values === undefined ? kind : 'word' };
    return {
      role,
      required,
      slot: { ...slot, described: '', phrases: ['with {key} {}'] },
      ...(values && { values }),
    };
  }),
}));

const familiarTools = entries('familiar tools').map((entry) => ({
  entry,
  names: entry.get('names').split(' '),
  parameters: readParameters(entry).map(([key, slot, required]) => ({ key, slot: slotOf(slot), required })),
  results: readResults(entry.get('results')),
}));

/** "parameter: name = text" and "optional parameter: name = text". */
function readParameters(entry: Entry): (readonly [name: string, text: string, required: boolean])[] {
  return entry.inOrder().flatMap(([key, text]) => {
    if (!key.endsWith('parameter')) return [];
    const [name = '', rest = ''] = text.split(' = ');
    return [[name, rest, key === 'parameter'] as const];
  });
}

/** A tool of some purpose under one of many names. */
export function planFamilyTool(choices: Choices): ToolPlan {
  const { entry, parameters: known } = choices.pick(families);
  const [verb, noun] = [vary(choices, entry.get('verb')), vary(choices, entry.get('noun'))];
  const say = (template: string): string =>
    template
      .replaceAll('{verb}', verb.replaceAll('_', ' '))
      .replaceAll('{noun}', noun === '' ? 'thing' : noun.replaceAll('_', ' '));
  const parameters: PlannedParameter[] = [];
  for (const { slot, ...parameter } of known) {
    const keys = slot.keys.filter((key) => !parameters.some((other) => other.key === key));
    parameters.push({ key: choices.pick(keys), slot, ...parameter });
  }
  const described = vary(choices, say(choices.pick(entry.all('description'))));
  const name = writeName(choices, verb.replaceAll('_', ' '), noun.replaceAll('_', ' '));
  const description = `${capitalize(withArticles(described))}${choices.pick(['', '.'])}`;
  return {
    tool: makeTool(name, description, parameters),
    parameters,
    wording: {
      kind: 'family',
      clauses: entry.all('order').map(say),
      questions: entry.all('question').map(say),
    },
    results: [],
  };
}

/** A tool that people try first: weather, timer, mail and the like. */
export function planFamiliarTool(choices: Choices): ToolPlan {
  const { entry, names, parameters: known, results } = choices.pick(familiarTools);
  const parameters = known.map((parameter): PlannedParameter => {
    const { enums } = parameter.slot;
    return { ...parameter, ...(enums && { values: choices.pick(enums) }) };
  });
  const name = choices.pick(names);
  return {
    tool: makeTool(name, choices.pick(entry.all('description')), parameters),
    parameters,
    wording: { kind: 'familiar', clauses: entry.all('clause'), questions: entry.all('question') },
    results,
  };
}
