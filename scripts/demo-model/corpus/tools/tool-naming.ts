import type { Choices } from '../text/choices.ts';
import { nouns } from '../data/name-pools.ts';
import { gerund, thirdPerson, withArticles } from '../text/inflect.ts';
import { writeNonsenseWord } from '../text/values.ts';
import { capitalize } from '../text/wording.ts';

/** The verb as people write it. */
export const sayVerb = (verb: string): string => (verb === 'lookup' ? 'look up' : verb);

/** The name of a tool that does this with that, in one of the styles that programs use. */
export function writeName(choices: Choices, verb: string, noun: string): string {
  const parts = `${verb} ${noun}`.toLowerCase().trim().split(/[ -]/u);
  const joined = parts.join('_');
  const prefix = (): string =>
    choices.chance(0.5)
      ? choices.pick(['my', 'api', 'tool', 'do', 'home', 'app', 'svc', 'v2', 'fn', 'user', 'admin', 'bot'])
      : choices.pick(nouns);
  return choices.weighted([
    [() => joined, 60],
    [() => parts.map((part, index) => (index === 0 ? part : capitalize(part))).join(''), 16],
    [() => parts.map(capitalize).join(''), 2],
    [() => [...parts.slice(1), parts[0]].join('_'), 6],
    [() => parts.join('-'), 4],
    [() => `${prefix()}_${joined}`, 4],
    [() => `${joined}_${choices.pick(['v2', 'now', 'tool', 'api', 'service', 'action', 'request'])}`, 2],
    // One word only: the description says the rest.
    [() => parts[0] ?? joined, 2],
    [() => (parts.length > 1 ? parts.slice(1).join('_') : joined), 3],
    // Nothing but the description says what it does.
    [() => `${writeNonsenseWord(choices)}_${choices.integer(1, 99)}`, 3],
    [() => `${choices.pick(['tool', 'fn', 'action', 'cmd', 'f', 'op'])}_${choices.integer(1, 99)}`, 2],
  ])();
}

/** A description, terse or long: what is done (`verb`), with what (`subject`), and at times a remark. */
export function describe(choices: Choices, verb: string, subject: string): string {
  const text = choices.weighted([
    [() => `${verb} ${subject}`, 60],
    [() => `${thirdPerson(verb)} ${subject}`, 16],
    [() => `use this to ${verb} ${subject}`, 3],
    [() => `this tool can ${verb} ${subject}`, 2],
    [() => `a tool to ${verb} ${subject}`, 2],
    [() => `a tool that ${thirdPerson(verb)} ${subject}`, 2],
    [
      () =>
        `lets (you|the user) ${verb} ${subject}`.replace('(you|the user)', choices.pick(['you', 'users'])),
      3,
    ],
    [() => `for ${gerund(verb)} ${subject}`, 2],
    [() => `${gerund(verb)} ${subject}`, 2],
    [() => `helps to ${verb} ${subject}`, 2],
    [() => `call this to ${verb} ${subject}`, 2],
    [() => subject, 4],
  ])();
  const end = choices.chance(0.6) ? '.' : '';
  const remark = end === '.' && choices.chance(0.1) ? ` ${choices.pick(remarks)}` : '';
  return withArticles(`${capitalize(text)}${end}${remark}`);
}

const remarks = [
  'Returns an id.',
  'Takes a moment.',
  'Only for members.',
  'Use it when the user asks for it.',
  'Ask first if unsure.',
  'Free of charge.',
  'Returns JSON.',
  'Works day and night.',
  'Cannot be undone.',
  'Needs no account.',
];
