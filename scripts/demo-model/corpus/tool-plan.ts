import type { Tool, ToolParameter } from '../conversation.ts';
import type { Choices } from './choices.ts';
import { adjectives, colours, nouns } from './data/name-pools.ts';
import { domains } from './data/tool-domains.ts';
import { familiarTools } from './data/familiar-tools.ts';
import type { FamiliarTool } from './data/familiar-tools.ts';
import { slots } from './data/tool-slots.ts';
import type { Slot } from './data/tool-slots.ts';
import { typeOfKind, writeNonsenseWord, writeValue } from './values.ts';
import type { Value, ValueKind } from './values.ts';
import { capitalize } from './wording.ts';

/** A tool together with what is needed to ask for it. */
export interface ToolPlan {
  readonly tool: Tool;
  /** What it is about; two tools of one conversation differ in it. */
  readonly topic: string;
  readonly parameters: readonly PlannedParameter[];
  readonly wording: Wording;
  readonly results: readonly (readonly [string, ValueKind])[];
}

export interface PlannedParameter {
  readonly key: string;
  readonly slot: Slot;
  readonly required: boolean;
  readonly values?: readonly string[];
}

export type Wording =
  | {
      readonly kind: 'composed';
      readonly verbs: readonly string[];
      readonly noun: string;
      readonly lookup: boolean;
    }
  | { readonly kind: 'familiar'; readonly clauses: readonly string[]; readonly questions: readonly string[] };

/** The verb as people write it. */
export const sayVerb = (verb: string): string => (verb === 'lookup' ? 'look up' : verb);

/** A random tool: composed from a verb and a noun, one that people often try, or a nonsense one. */
export function planTool(choices: Choices): ToolPlan {
  return choices.weighted([
    [planComposedTool, 62],
    [planFamiliarTool, 20],
    [planNonsenseTool, 18],
  ])(choices);
}

/** This many tools, no two about the same thing or with the same name. */
export function planTools(choices: Choices, count: number): [ToolPlan, ...ToolPlan[]] {
  const plans: [ToolPlan, ...ToolPlan[]] = [planTool(choices)];
  while (plans.length < count) {
    const plan = planTool(choices);
    if (!plans.some((other) => other.topic === plan.topic || other.tool.name === plan.tool.name))
      plans.push(plan);
  }
  return plans;
}

function planComposedTool(choices: Choices): ToolPlan {
  const domain = choices.pick(domains);
  const verbs = choices.pick(domain.verbs);
  const noun = choices.pick(domain.nouns);
  const parameters = planParameters(
    choices,
    choices.sample(domain.slots, slotCount(choices)).map((name) => slots[name]),
  );
  return composePlan(
    choices,
    { kind: 'composed', verbs, noun, lookup: domain.lookup },
    parameters,
    domain.results,
  );
}

function planNonsenseTool(choices: Choices): ToolPlan {
  const verbs = [
    choices.chance(0.5) ? writeNonsenseWord(choices) : choices.pick(choices.pick(domains).verbs.flat()),
  ];
  const noun = writeNonsenseWord(choices);
  const pool: readonly Slot[] = Object.values(slots);
  const parameters = planParameters(choices, choices.sample(pool, slotCount(choices)));
  const results = [['result', 'word'] as const, [writeNonsenseWord(choices), 'count'] as const];
  return composePlan(choices, { kind: 'composed', verbs, noun, lookup: false }, parameters, results);
}

const slotCount = (choices: Choices): number =>
  choices.weighted([
    [0, 5],
    [1, 50],
    [2, 32],
    [3, 13],
  ]);

function planParameters(choices: Choices, chosen: readonly Slot[]): PlannedParameter[] {
  const parameters: PlannedParameter[] = [];
  for (const [index, known] of chosen.entries()) {
    const slot = choices.chance(0.25) ? renameSlot(choices, known) : known;
    const key = choices.pick(slot.keys);
    if (parameters.some((parameter) => parameter.key === key)) continue;
    const required = choices.chance(index === 0 ? 0.9 : 0.6);
    parameters.push({ key, slot, required, ...optionsOf(choices, slot) });
  }
  return parameters;
}

/** The slot with a key that says nothing of its kind; description and question name it. */
function renameSlot(choices: Choices, slot: Slot): Slot {
  const key = choices.chance(0.6) ? choices.pick(nouns) : writeNonsenseWord(choices);
  const lead = slot.described.split(' ', 1).join('');
  const named =
    typeOfKind(slot.kind) === 'integer'
      ? ['for {} {key}', 'with {} {key}', 'at {} {key}']
      : ['with {key} {}'];
  return { ...slot, keys: [key], phrases: [...slot.phrases, ...named], described: `${lead} a ${key}` };
}

/** The values of an enum: usual ones or made-up ones. */
function optionsOf(choices: Choices, { enums }: Slot): { values?: readonly string[] } {
  if (enums === undefined) return {};
  if (choices.chance(0.6)) return { values: choices.pick(enums) };
  const pool = choices.pick([nouns, adjectives, colours]);
  const values = choices.sample(pool, choices.integer(2, 4));
  return { values: choices.chance(0.2) ? [...values, writeNonsenseWord(choices)] : values };
}

function composePlan(
  choices: Choices,
  wording: Extract<Wording, { kind: 'composed' }>,
  parameters: readonly PlannedParameter[],
  results: ToolPlan['results'],
): ToolPlan {
  const verb = choices.pick(wording.verbs);
  const described = choices.chance(0.6) ? verb : choices.pick(wording.verbs);
  const gaps = parameters.map(({ slot }) => slot.described);
  const gap = choices.chance(0.55) ? ` ${gaps[0] ?? ''}`.trimEnd() : '';
  const article = choices.pick(wording.lookup ? ['the', 'the', 'the current'] : ['a', 'the', 'a']);
  return {
    tool: makeTool(
      writeName(choices, verb, wording.noun),
      describe(choices, sayVerb(described), `${article} ${wording.noun}${gap}`),
      parameters,
    ),
    topic: wording.noun,
    parameters,
    wording,
    results,
  };
}

function describe(choices: Choices, verb: string, subject: string): string {
  const text = choices.weighted([
    [() => `${verb} ${subject}`, 70],
    [() => `${verb.replace(/^\w+/u, thirdPerson)} ${subject}`, 14],
    [() => `use this to ${verb} ${subject}`, 5],
    [() => `this tool can ${verb} ${subject}`, 4],
    [() => subject, 7],
  ])();
  const end = choices.chance(0.6) ? '.' : '';
  return `${capitalize(text)}${end}`.replace(/\b([Aa]) ([aeiou])/gu, '$1n $2');
}

const thirdPerson = (verb: string): string => `${verb}${/(?:s|sh|ch|x)$/u.test(verb) ? 'es' : 's'}`;

function writeName(choices: Choices, verb: string, noun: string): string {
  const parts = `${verb} ${noun}`.split(/[ -]/u);
  return choices.weighted([
    [() => parts.join('_'), 75],
    [() => parts.map((part, index) => (index === 0 ? part : capitalize(part))).join(''), 18],
    [() => [...parts.slice(1), parts[0]].join('_'), 7],
    [() => parts.join('-'), 3],
    [() => `${choices.pick(['my', 'api', 'tool', 'do', 'home', 'app'])}_${parts.join('_')}`, 4],
    // Nothing but the description says what it does.
    [() => `${writeNonsenseWord(choices)}_${choices.integer(1, 99)}`, 5],
  ])();
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
    topic: familiar.names[0] ?? '',
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

/** Values for the parameters, in their order; optional ones are left out now and then. */
export function drawArguments(choices: Choices, plan: ToolPlan): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const { key, slot, required, values: options } of plan.parameters) {
    const left = !required && (plan.wording.kind === 'familiar' ? choices.chance(0.7) : choices.chance(0.4));
    if (!left) values[key] = options === undefined ? writeValue(choices, slot.kind) : choices.pick(options);
  }
  return values;
}
