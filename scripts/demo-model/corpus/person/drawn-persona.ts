import type { Choices } from '../text/choices.ts';
import { line, lines } from '../text/data.ts';
import { entries } from '../text/entries.ts';
import { compose, draw, drawCount } from '../text/forms.ts';
import { fill } from '../text/slots.ts';
import { vary } from '../text/wording.ts';

export interface Persona {
  readonly name: string;
  /** "a helpful librarian". */
  readonly role: string | undefined;
  readonly traits: readonly Trait[];
}

/** Something that the system prompt says of the persona: its home, age, employer, hobby or liking. */
export interface Trait {
  readonly topic: string;
  /** Template for `vary`: "(You live in|Your home is) Oslo." */
  readonly said: string;
  readonly answer: string;
}

/** How a trait is said and asked for, by what it is about. */
export const traitTopics = new Map(entries('traits').map((entry) => [entry.get('topic'), entry]));

export function drawPersona(choices: Choices): Persona {
  const topics = new Set(choices.shuffle(lines('topics of traits')));
  const count = drawCount(choices, 'traits of a persona');
  return {
    name: draw(choices, choices.chance(0.88) ? 'given name' : 'full name'),
    role: choices.chance(0.65) ? drawRole(choices) : undefined,
    traits: [...topics].slice(0, count).flatMap((topic) => drawTrait(choices, topic)),
  };
}

/** "a helpful librarian". */
export function drawRole(choices: Choices): string {
  const role = draw(choices, 'role with a quality');
  return `${/^(?:[aeio]|hon)/u.test(role) ? 'an' : 'a'} ${role}`;
}

function drawTrait(choices: Choices, topic: string): Trait[] {
  const entry = traitTopics.get(topic);
  if (entry === undefined) throw new RangeError(`no trait ${topic}`);
  const slots = { value: compose(choices, entry.get('value')) };
  return [{ topic, said: fill(entry.get('said'), slots), answer: fill(entry.get('answer'), slots) }];
}

/** The system prompt that introduces the persona. */
export function introduction(choices: Choices, { name, role = '', traits }: Persona): string {
  const start = fill(line(role === '' ? 'introductions without a role' : 'introductions'), { name, role });
  const said = traits.map((trait) => trait.said).join(' ');
  return vary(choices, `${start} ${said} ${line('additions')}`);
}
