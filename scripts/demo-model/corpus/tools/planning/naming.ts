import type { Choices } from '../../text/choices.ts';
import { draw } from '../../text/forms.ts';
import { capitalize, gerund, thirdPerson, withArticles } from '../../text/inflect.ts';

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
