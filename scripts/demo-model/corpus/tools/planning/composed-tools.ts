import type { Choices } from '../../text/choices.ts';
import { lines } from '../../text/data.ts';
import { draw, drawCount } from '../../text/forms.ts';
import {
  type ComposedWording,
  isHeldOut,
  type PlannedParameter,
  planOf,
  type Slot,
  slotOf,
  slots,
  type ToolPlan,
} from './planned-tool.ts';
import { type Composition, drawComposition } from './tool-trades.ts';
import { capitalize, gerund, thirdPerson, withArticles } from '../../text/inflect.ts';

/** A tool for what this composition says. */
export function planComposedTool(choices: Choices, composition: Composition): ToolPlan {
  const verb = choices.pick(composition.verbs);
  const plan = compose(choices, { kind: 'composed', verb, ...composition }, composition.slots.map(slotOf));
  return isHeldOut(plan) ? planComposedTool(choices, composition) : plan;
}

/** A tool whose noun means nothing, and at times its verb neither. */
export function planNonsenseTool(choices: Choices): ToolPlan {
  const known = drawComposition(choices);
  const isKnown = choices.chance(0.6);
  const verb = isKnown ? choices.pick(known.verbs) : draw(choices, 'nonsense word');
  const names = [draw(choices, 'nonsense noun')];
  const lookup = known.lookup && isKnown;
  const parts = { verb, verbs: [verb], names, mass: false, lookup, slots: [], results: [] };
  return compose(choices, { kind: 'composed', ...parts }, slots);
}

function compose(choices: Choices, wording: ComposedWording, possible: readonly Slot[]): ToolPlan {
  const count = drawCount(choices, 'parameters of a tool');
  const parameters = planParameters(choices, choices.sample(possible, count));
  const { verb, verbs, names, mass, lookup, results } = wording;
  const described = choices.chance(0.65) ? verb : choices.pick(verbs);
  const noun = names[0] ?? '';
  const saidNoun = choices.chance(0.8) ? noun : choices.pick(names);
  const gaps = parameters.map(({ slot }) => slot.described).filter((gap) => gap !== '');
  const told = gaps.slice(0, drawCount(choices, 'parameters in a description'));
  const usual = mass ? ['the', 'some'] : ['a', 'the', 'a'];
  const article = choices.pick(lookup ? ['the', 'the', 'the current'] : usual);
  const name = writeName(choices, verb, noun);
  const description = describe(choices, sayVerb(described), [`${article} ${saidNoun}`, ...told].join(' '));
  return planOf(name, description, { parameters, wording, results });
}

function planParameters(choices: Choices, chosen: readonly Slot[]): PlannedParameter[] {
  const parameters: PlannedParameter[] = [];
  for (const [index, known] of chosen.entries()) {
    // Two values said the same way could not be told apart.
    const said = parameters.flatMap(({ slot }) => slot.phrases);
    const clash = said.some((phrase) => known.phrases.includes(phrase));
    const slot = clash || choices.chance(0.08) ? renameSlot(choices, known, clash) : known;
    const key = choices.pick(slot.keys);
    if (parameters.some((parameter) => parameter.key === key)) continue;
    const required = choices.chance(index === 0 ? 0.9 : 0.6);
    const values = slot.enums && drawOptions(choices, slot.enums);
    parameters.push({ key, slot, required, ...(values && { values }) });
  }
  return parameters;
}

/** The slot with a key that says nothing of its kind; what is said names it, always so if `only`. */
function renameSlot(choices: Choices, slot: Slot, only: boolean): Slot {
  const key = draw(choices, 'any option name');
  const [lead = ''] = slot.described.split(' ', 1);
  const named = lines('phrases that name the key');
  const phrases = only || choices.chance(0.6) ? [...named] : [...slot.phrases, ...named];
  if (slot.kind === 'flag') return { ...slot, keys: [key], described: `with or without ${key}` };
  return { ...slot, keys: [key], phrases, described: `${lead} a ${key}` };
}

/** The values of an enum: usual ones or made-up ones. */
function drawOptions(choices: Choices, usual: readonly (readonly string[])[]): readonly string[] {
  if (choices.chance(0.6)) return choices.pick(usual);
  const pool = lines(choices.pick(['nouns', 'adjectives', 'colours', 'things']));
  const values = choices.sample(pool, choices.integer(2, 4));
  return choices.chance(0.2) ? [...values, draw(choices, 'nonsense word')] : values;
}

/** The verb as people write it. */
export const sayVerb = (verb: string): string => (verb === 'lookup' ? 'look up' : verb);

/** The name of a tool that does this with that, in one of the styles that programs use. */
export function writeName(choices: Choices, verb: string, noun: string): string {
  const parts = `${verb} ${noun}`.toLowerCase().trim().split(/[ -]/u);
  const [first = '', ...rest] = parts;
  const joined = parts.join('_');
  return draw(choices, 'tool name', {
    joined,
    camel: first + rest.map(capitalize).join(''),
    pascal: parts.map(capitalize).join(''),
    turned: [...rest, first].join('_'),
    dashed: parts.join('-'),
    first,
    rest: rest.length > 0 ? rest.join('_') : joined,
  });
}

/** A description, terse or long: what is done (`verb`), with what (`subject`), and at times a remark. */
export function describe(choices: Choices, verb: string, subject: string): string {
  const slots = { verb, does: thirdPerson(verb), doing: gerund(verb), subject };
  const text = draw(choices, 'tool description', slots);
  const end = choices.chance(0.6) ? '.' : '';
  const remark = end === '.' && choices.chance(0.1) ? ` ${draw(choices, 'remarks')}` : '';
  return withArticles(`${capitalize(text)}${end}${remark}`);
}
