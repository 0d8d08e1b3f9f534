import type { Choices } from '../../text/choices.ts';
import { lines } from '../../text/data.ts';
import { draw, drawCount } from '../../text/forms.ts';
import {
  type ComposedWording,
  isHeldOut,
  makeTool,
  type PlannedParameter,
  type ToolPlan,
} from './planned-tool.ts';
import { describe, sayVerb, writeName } from './tool-naming.ts';
import { type Slot, slotOf, slots } from './tool-slots.ts';
import { type Composition, drawComposition } from './tool-trades.ts';

/** A tool for what this composition says. */
export function planComposedTool(choices: Choices, composition: Composition): ToolPlan {
  const verb = choices.pick(composition.verbs);
  const chosen = choices.sample(composition.slots, slotCount(choices)).map(slotOf);
  const wording: ComposedWording = { kind: 'composed', verb, ...composition };
  const plan = composePlan(choices, wording, planParameters(choices, chosen));
  return isHeldOut(plan) ? planComposedTool(choices, composition) : plan;
}

/** A tool whose noun means nothing, and at times its verb neither. */
export function planNonsenseTool(choices: Choices): ToolPlan {
  const { lookup, verbs } = drawComposition(choices);
  const isKnown = choices.chance(0.6);
  const verb = isKnown ? choices.pick(verbs) : draw(choices, 'nonsense word');
  const noun = draw(choices, 'nonsense noun');
  const parameters = planParameters(choices, choices.sample([...slots.values()], slotCount(choices)));
  const wording: ComposedWording = {
    kind: 'composed',
    verb,
    verbs: [verb],
    names: [noun],
    mass: false,
    lookup: lookup && isKnown,
    slots: [],
    results: [],
  };
  return composePlan(choices, wording, parameters);
}

const slotCount = (choices: Choices): number => drawCount(choices, 'parameters of a tool');

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

/** The slot with a key that says nothing of its kind; what is said names it, always so if `only`. */
function renameSlot(choices: Choices, slot: Slot, only: boolean): Slot {
  const key = draw(choices, 'any option name');
  const lead = slot.described.split(' ', 1).join('');
  const named = lines('phrases that name the key');
  const phrases = only || choices.chance(0.6) ? named : [...slot.phrases, ...named];
  if (slot.kind === 'flag') return { ...slot, keys: [key], described: `with or without ${key}` };
  return { ...slot, keys: [key], phrases, described: `${lead} a ${key}` };
}

/** The values of an enum: usual ones or made-up ones. */
function optionsOf(choices: Choices, { enums }: Slot): { values?: readonly string[] } {
  if (enums === undefined) return {};
  if (choices.chance(0.6)) return { values: choices.pick(enums) };
  const pool = lines(choices.pick(['nouns', 'adjectives', 'colours', 'things']));
  const values = choices.sample(pool, choices.integer(2, 4));
  return { values: choices.chance(0.2) ? [...values, draw(choices, 'nonsense word')] : values };
}

function composePlan(
  choices: Choices,
  wording: ComposedWording,
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
  const name = writeName(choices, verb, noun);
  const description = describe(choices, sayVerb(described), [`${article} ${saidNoun}`, ...gap].join(' '));
  return { tool: makeTool(name, description, parameters), parameters, wording, results: wording.results };
}
