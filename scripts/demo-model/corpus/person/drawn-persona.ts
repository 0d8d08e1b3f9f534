import type { Choices } from '../text/choices.ts';
import { line } from '../text/data.ts';
import { entries, type Entry } from '../text/entries.ts';
import { compose, draw, drawCount, fill } from '../text/forms.ts';
import { vary } from '../text/wording.ts';

export interface Persona {
  readonly name: string;
  /** "a helpful librarian". */
  readonly role: string | undefined;
  readonly traits: readonly Trait[];
}

/** Something that the system prompt says of the persona: its home, age, employer, hobby or liking. */
interface Trait {
  readonly topic: string;
  /** Template for `vary`: "(You live in|Your home is) Oslo." */
  readonly said: string;
  readonly answer: string;
}

const topics = new Map(entries('traits').map((entry) => [entry.get('topic'), entry]));

/** How a trait of this topic is said and asked for. */
export function traitTopic(topic: string): Entry {
  const entry = topics.get(topic);
  if (entry === undefined) throw new RangeError(`no trait ${topic}`);
  return entry;
}

/** What a trait may be about. */
export const traitTopics: readonly string[] = [...topics.keys()];

export function drawPersona(choices: Choices): Persona {
  const shuffled = choices.shuffle(['home', 'home', 'age', 'employer', 'hobby', 'colour', 'food']);
  const count = drawCount(choices, 'traits of a persona');
  return {
    name: draw(choices, choices.chance(0.88) ? 'given name' : 'full name'),
    role: choices.chance(0.65) ? drawRole(choices) : undefined,
    traits: [...new Set(shuffled)].slice(0, count).map((topic) => drawTrait(choices, topic)),
  };
}

/** "a helpful librarian". */
export function drawRole(choices: Choices): string {
  const role = draw(choices, choices.chance(0.82) ? 'roles' : 'long roles');
  const phrase = choices.chance(0.45) ? `${draw(choices, 'adjectives of roles')} ${role}` : role;
  return `${/^(?:[aeio]|hon)/u.test(phrase) ? 'an' : 'a'} ${phrase}`;
}

function drawTrait(choices: Choices, topic: string): Trait {
  const entry = traitTopic(topic);
  const slots = { value: compose(choices, entry.get('value')) };
  return { topic, said: fill(entry.get('said'), slots), answer: fill(entry.get('answer'), slots) };
}

/** The system prompt that introduces the persona. */
export function introduction(choices: Choices, { name, role, traits }: Persona): string {
  const start =
    role === undefined
      ? fill(line('introductions without a role'), { name })
      : fill(line('introductions'), { name, role });
  const said = traits.map((trait) => trait.said).join(' ');
  return vary(choices, `${start} ${said} ${line('additions')}`);
}
