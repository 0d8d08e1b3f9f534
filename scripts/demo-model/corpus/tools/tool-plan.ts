import type { Tool, ToolParameter } from '../../conversation.ts';
import type { Choices } from '../text/choices.ts';
import { adjectives, colours, nouns } from '../data/name-pools.ts';
import { things } from '../data/more-names.ts';
import { heldOutTools } from '../data/names.ts';
import type { Slot } from '../data/tool-slots.ts';
import { slots } from '../data/tool-slots.ts';
import { drawComposition } from './tool-trades.ts';
import type { Composition } from './tool-trades.ts';
import { toolFamilies } from './tool-family.ts';
import { familiarTools } from '../data/familiar-tools.ts';
import type { FamiliarTool } from '../data/familiar-tools.ts';
import { withArticles } from '../text/inflect.ts';
import { describe, sayVerb, writeName } from './tool-naming.ts';
import { typeOfKind, writeNonsenseWord, writeValue } from '../text/values.ts';
import type { Value, ValueKind } from '../text/values.ts';
import { capitalize, vary } from '../text/wording.ts';

/** A tool together with what is needed to ask for it. */
export interface ToolPlan {
  readonly tool: Tool;
  readonly parameters: readonly PlannedParameter[];
  readonly wording: Wording;
  readonly results: readonly (readonly [string, ValueKind])[];
}

export interface PlannedParameter {
  readonly key: string;
  /** How the requests of a family call it. */
  readonly role?: string;
  readonly slot: Slot;
  readonly required: boolean;
  readonly values?: readonly string[];
}

export type Wording =
  | ({ readonly kind: 'composed'; /** The verb in the name. */ readonly verb: string } & Composition)
  | { readonly kind: 'familiar'; readonly clauses: readonly string[]; readonly questions: readonly string[] }
  | { readonly kind: 'family'; readonly clauses: readonly string[]; readonly questions: readonly string[] };

/** A random tool: composed from a verb and a noun, of a family, one that people often try, or a nonsense one. */
export function planTool(choices: Choices): ToolPlan {
  const plan = choices.weighted([
    [(one: Choices) => planComposedTool(one, drawComposition(one)), 52],
    [planFamilyTool, 26],
    [planFamiliarTool, 15],
    [planNonsenseTool, 7],
  ])(choices);
  return isHeldOut(plan) ? planTool(choices) : plan;
}

/** A tool that people try first: weather, timer, mail and the like. */
export function planUsualTool(choices: Choices): ToolPlan {
  const plan = (choices.chance(0.6) ? planFamiliarTool : planFamilyTool)(choices);
  return isHeldOut(plan) ? planUsualTool(choices) : plan;
}

/** True where the evaluation has a tool with the words of this name, in whatever style and order. */
const isHeldOut = ({ tool }: ToolPlan): boolean => heldOut.has(sortedWords(tool.name));
const sortedWords = (name: string): string =>
  (name.match(/[A-Z]?[a-z]+|\d+/gu) ?? [])
    .map((word) => word.toLowerCase())
    .toSorted()
    .join(' ');
const heldOut: ReadonlySet<string> = new Set(heldOutTools.map(sortedWords));

/** A tool for what this composition says. */
export function planComposedTool(choices: Choices, composition: Composition): ToolPlan {
  const verb = choices.pick(composition.verbs);
  const chosen = choices.sample(composition.slots, slotCount(choices)).map((name): Slot => slots[name]);
  const plan = composePlan(
    choices,
    { kind: 'composed', verb, ...composition },
    planParameters(choices, chosen),
  );
  return isHeldOut(plan) ? planComposedTool(choices, composition) : plan;
}

function planNonsenseTool(choices: Choices): ToolPlan {
  const { lookup, verbs } = drawComposition(choices);
  const isKnown = choices.chance(0.6);
  const verb = isKnown ? choices.pick(verbs) : writeNonsenseWord(choices);
  const noun = choices.weighted([
    [() => writeNonsenseWord(choices), 5],
    [() => choices.pick(things), 3],
    [() => `${choices.pick(things)} ${choices.pick(nouns)}`, 2],
  ])();
  const parameters = planParameters(choices, choices.sample(Object.values(slots), slotCount(choices)));
  return composePlan(
    choices,
    {
      kind: 'composed',
      verb,
      verbs: [verb],
      names: [noun],
      mass: false,
      lookup: lookup && isKnown,
      slots: [],
      results: [],
    },
    parameters,
  );
}

const slotCount = (choices: Choices): number =>
  choices.weighted([
    [0, 7],
    [1, 46],
    [2, 32],
    [3, 12],
    [4, 3],
  ]);

function planParameters(choices: Choices, chosen: readonly Slot[]): PlannedParameter[] {
  const parameters: PlannedParameter[] = [];
  for (const [index, known] of chosen.entries()) {
    // Two values said the same way could not be told apart.
    const clash = parameters.some(({ slot }) =>
      slot.phrases.some((phrase) => known.phrases.includes(phrase)),
    );
    const slot = clash || choices.chance(0.08) ? renameSlot(choices, known, clash) : known;
    const key = choices.pick(slot.keys);
    if (parameters.some((parameter) => parameter.key === key)) continue;
    const required = choices.chance(index === 0 ? 0.9 : 0.6);
    parameters.push({ key, slot, required, ...optionsOf(choices, slot) });
  }
  return parameters;
}

const namedPhrases = ['with {key} {}', 'with the {key} {}', '({key}: {})', 'and {key} {}', 'with {key} = {}'];

/** The slot with a key that says nothing of its kind; what is said names it, always so if `only`. */
function renameSlot(choices: Choices, slot: Slot, only: boolean): Slot {
  const key = choices.weighted([
    [() => choices.pick(nouns), 3],
    [() => choices.pick(things), 4],
    [() => writeNonsenseWord(choices), 2],
  ])();
  const lead = slot.described.split(' ', 1).join('');
  const phrases = only || choices.chance(0.6) ? namedPhrases : [...slot.phrases, ...namedPhrases];
  if (slot.kind === 'flag') return { ...slot, keys: [key], described: `with or without ${key}` };
  return { ...slot, keys: [key], phrases, described: `${lead} a ${key}` };
}

/** The values of an enum: usual ones or made-up ones. */
function optionsOf(choices: Choices, { enums }: Slot): { values?: readonly string[] } {
  if (enums === undefined) return {};
  if (choices.chance(0.6)) return { values: choices.pick(enums) };
  const pool = choices.pick([nouns, adjectives, colours, things]);
  const values = choices.sample(pool, choices.integer(2, 4));
  return { values: choices.chance(0.2) ? [...values, writeNonsenseWord(choices)] : values };
}

function composePlan(
  choices: Choices,
  wording: Extract<Wording, { kind: 'composed' }>,
  parameters: readonly PlannedParameter[],
): ToolPlan {
  const { verb, verbs, names, mass, lookup } = wording;
  const described = choices.chance(0.65) ? verb : choices.pick(verbs);
  const noun = names[0] ?? '';
  const saidNoun = choices.chance(0.8) ? noun : choices.pick(names);
  const gaps = parameters.map(({ slot }) => slot.described).filter((gap) => gap !== '');
  const gap = choices.weighted([
    [[], 45],
    [gaps.slice(0, 1), 40],
    [gaps, 15],
  ]);
  const article = choices.pick(
    lookup ? ['the', 'the', 'the current'] : mass ? ['the', 'some'] : ['a', 'the', 'a'],
  );
  return {
    tool: makeTool(
      writeName(choices, verb, noun),
      describe(choices, sayVerb(described), [`${article} ${saidNoun}`, ...gap].join(' ')),
      parameters,
    ),
    parameters,
    wording,
    results: wording.results,
  };
}

function planFamilyTool(choices: Choices): ToolPlan {
  const family = choices.pick(toolFamilies);
  const [verb, noun] = [vary(choices, family.verb), vary(choices, family.noun)];
  const say = (template: string): string =>
    template
      .replaceAll('{verb}', verb.replaceAll('_', ' '))
      .replaceAll('{noun}', noun === '' ? 'thing' : noun.replaceAll('_', ' '));
  const parameters: PlannedParameter[] = [];
  for (const { role, slot, required, values } of family.parameters) {
    const keys = slot.keys.filter((key) => !parameters.some((other) => other.key === key));
    parameters.push({ key: choices.pick(keys), role, slot, required, ...(values && { values }) });
  }
  const description = capitalize(withArticles(vary(choices, say(choices.pick(family.descriptions)))));
  return {
    tool: makeTool(
      writeName(choices, verb.replaceAll('_', ' '), noun.replaceAll('_', ' ')),
      `${description}${choices.pick(['', '.'])}`,
      parameters,
    ),
    parameters,
    wording: { kind: 'family', clauses: family.orders.map(say), questions: family.questions.map(say) },
    results: [],
  };
}

function planFamiliarTool(choices: Choices): ToolPlan {
  const familiar: FamiliarTool = choices.pick(familiarTools);
  const parameters = familiar.parameters.map(([key, name, optional]): PlannedParameter => {
    const slot: Slot = slots[name];
    return {
      key,
      slot,
      required: optional === undefined,
      ...(slot.enums && { values: choices.pick(slot.enums) }),
    };
  });
  return {
    tool: makeTool(choices.pick(familiar.names), choices.pick(familiar.descriptions), parameters),
    parameters,
    wording: { kind: 'familiar', clauses: familiar.clauses, questions: familiar.questions },
    results: familiar.results,
  };
}

function makeTool(name: string, description: string, parameters: readonly PlannedParameter[]): Tool {
  return {
    name,
    description,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(
        parameters.map(({ key, slot, values }): [string, ToolParameter] => [
          key,
          { type: typeOfKind(slot.kind), ...(values && { enum: values }) },
        ]),
      ),
      required: parameters.filter(({ required }) => required).map(({ key }) => key),
    },
  };
}

/** Values for the parameters, in their order, no two the same; of the optional ones only some, or those named. */
export function drawArguments(
  choices: Choices,
  plan: ToolPlan,
  named?: readonly string[],
): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const { key, role, slot, required, values: options } of plan.parameters) {
    const isLeft =
      named === undefined
        ? !required && choices.chance(plan.wording.kind === 'familiar' ? 0.7 : 0.4)
        : !named.includes(role ?? key);
    if (isLeft) continue;
    const draw = (): Value =>
      options === undefined ? writeValue(choices, slot.kind) : choices.pick(options);
    const value = draw();
    values[key] = Object.values(values).includes(value) ? draw() : value;
  }
  return values;
}
