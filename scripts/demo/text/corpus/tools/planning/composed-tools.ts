import type { Choices } from '../../text/choices.ts';
import { draw, drawCount } from '../../text/forms.ts';
import { capitalize, gerund, thirdPerson, withArticles } from '../../text/inflect.ts';
import { planParameters, slotNames } from './parameters.ts';
import { type ComposedWording, isHeldOut, planOf, type ToolPlan } from './planned-tool.ts';
import { type Composition, drawComposition } from './tool-trades.ts';

/** A tool by this composition. */
export function planComposedTool(choices: Choices, composition: Composition): ToolPlan {
  const verb = choices.pick(composition.verbs);
  const plan = compose(choices, { kind: 'composed', verb, ...composition }, composition.slots);
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
  return compose(choices, { kind: 'composed', ...parts }, slotNames);
}

function compose(choices: Choices, wording: ComposedWording, possible: readonly string[]): ToolPlan {
  const parameters = planParameters(choices, possible);
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

/** A description, terse or long: the act (`verb`), its object (`subject`), and at times a remark. */
export function describe(choices: Choices, verb: string, subject: string): string {
  const slots = { verb, does: thirdPerson(verb), doing: gerund(verb), subject };
  const text = draw(choices, 'tool description', slots);
  const end = choices.chance(0.6) ? '.' : '';
  const remark = end === '.' && choices.chance(0.1) ? ` ${draw(choices, 'remarks')}` : '';
  return withArticles(`${capitalize(text)}${end}${remark}`);
}
