import { pairs } from '../text/data.ts';
import type { Slots } from '../text/forms.ts';

/** "a dog", "an owl". */
export function withArticle(noun: string): string {
  return `${/^[aeio]/u.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** True for the places whose names are plural. */
function isPluralPlace(place: string): boolean {
  return /^the (Neth|Phil|United S|United A|Mald|Sey|Bah)/u.test(place);
}

/** What questions about a country and its answers are filled with. */
export function placeSlots(place: string, others: Slots = {}): Slots {
  const [be, does, lie, belong] = isPluralPlace(place)
    ? ['are', 'do', 'lie', 'belong']
    : ['is', 'does', 'lies', 'belongs'];
  const owner = place.endsWith('s') ? `${place}'` : `${place}'s`;
  return { place, city: place, owner, be, does, lie, belong, ...others };
}

const irregularPlurals = new Map(pairs('irregular plurals of animals'));

/** What questions about an animal and their answers are filled with. */
export function animalSlots(animal: string, others: Slots = {}): Slots {
  const animals = irregularPlurals.get(animal) ?? `${animal}s`;
  return { animal, animals, 'an animal': withArticle(animal), ...others };
}

/** The templates with "an" before this noun where it starts with a vowel. */
export function withRightArticle(noun: string, templates: readonly string[]): string[] {
  if (!/^[aeio]/u.test(noun)) return [...templates];
  return templates.map((template) =>
    template
      .replaceAll(`a ${noun}`, `an ${noun}`)
      .replaceAll(new RegExp(`\\(a\\|([a-z|]+)\\) (?=${noun})`, 'gu'), '(an|$1) '),
  );
}
