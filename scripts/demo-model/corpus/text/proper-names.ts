import type { Choices } from './choices.ts';
import { adjectives, nouns, people, products, surnames } from '../data/name-pools.ts';
import { heldOutNames, madeUpName } from '../data/names.ts';
import { familyNames, givenNames, nameEnds, nameStarts, places } from '../data/rare-names.ts';
import { writeNonsenseWord } from './values.ts';
import { capitalize } from './wording.ts';

/** A given name, from the usual to the made-up, of one word or two. */
export function writeGivenName(choices: Choices): string {
  const name = choices.weighted([
    [() => choices.pick(people), 20],
    [() => choices.pick(givenNames), 44],
    [() => choices.pick(nameStarts) + choices.pick(nameEnds), 18],
    [() => madeUpName(choices), 13],
    [() => `${choices.pick(givenNames)} ${choices.pick(givenNames)}`, 3],
    [() => `${choices.pick(people)}-${choices.pick(people)}`, 2],
  ])();
  return name.split(/\W/).some((part) => heldOutNames.includes(part)) ? writeGivenName(choices) : name;
}

/** A family name of one word, of two with a hyphen, or with a particle: "van der Berg". */
export function writeFamilyName(choices: Choices): string {
  const name = choices.weighted([
    [() => choices.pick(surnames), 16],
    [() => choices.pick(familyNames), 48],
    [() => choices.pick(nameStarts) + choices.pick(familyEnds), 14],
    [() => madeUpName(choices), 12],
    [() => `${choices.pick(surnames)}-${choices.pick(familyNames)}`, 4],
    [() => `${choices.pick(particles)} ${choices.pick(familyNames)}`, 6],
  ])();
  return heldOutNames.includes(name) ? writeFamilyName(choices) : name;
}

const familyEnds = [
  'son',
  'sen',
  'berg',
  'man',
  'mann',
  'ley',
  'ton',
  'well',
  'ski',
  'ov',
  'ini',
  'ez',
  'wood',
  'ford',
];
const particles = ['van', 'de', 'von', 'van der', 'de la', 'di', 'al', 'ten', 'Mac'];

/** "Ada Lund", "Anna J. Berg", "Dr. Ada Lund", "Jean-Luc de la Cruz". */
export function writeFullName(choices: Choices): string {
  const [given, family] = [writeGivenName(choices), writeFamilyName(choices)];
  return choices.weighted([
    [`${given} ${family}`, 84],
    [`${given} ${choices.pick(initials)}. ${family}`, 5],
    [`${given} ${writeGivenName(choices)} ${family}`, 5],
    [`${choices.pick(['Dr.', 'Mrs', 'Mr', 'Ms', 'Prof.'])} ${given} ${family}`, 3],
    [`${choices.pick(initials)}. ${family}`, 3],
  ]);
}

const initials = 'ABCDEFGHJKLMNPRSTW'.split('');

/** A town of one to four words, real or made up. */
export function writePlace(choices: Choices): string {
  const place = choices.weighted([
    [() => choices.pick(places), 62],
    [() => choices.pick(nameStarts) + choices.pick(placeEnds), 20],
    [() => madeUpName(choices), 10],
    [() => `${choices.pick(placeStarts)} ${capitalize(choices.pick(nouns))}`, 4],
    [() => `${choices.pick(placeStarts)} ${choices.pick(nameStarts)}${choices.pick(placeEnds)}`, 4],
  ])();
  return heldOutNames.includes(place) ? writePlace(choices) : place;
}

const placeStarts = [
  'New',
  'Old',
  'Saint',
  'Port',
  'Fort',
  'North',
  'Little',
  'Upper',
  'Mount',
  'San',
  'Lake',
  'Castle',
];
const placeEnds =
  'burg berg ville ton ham by stad dorf mouth field haven bridge minster wick forth ora ano ino sk grad'
    .concat(' holm vik dal ford borg heim chester stow combe port')
    .split(' ');

/** A product of one to three words: "desk lamp", "red garden table", "Zorvex 300". */
export function writeProduct(choices: Choices): string {
  const thing = choices.pick(products);
  return choices.weighted([
    [() => thing, 34],
    [() => `${choices.pick(adjectives)} ${thing}`, 18],
    [() => `${choices.pick(nouns)} ${thing}`, 16],
    [() => `${choices.pick(materials)} ${thing}`, 12],
    [() => `${choices.pick(adjectives)} ${choices.pick(nouns)} ${thing}`, 6],
    [
      () =>
        `${capitalize(writeNonsenseWord(choices))} ${choices.integer(1, 9)}${choices.pick(['', '0', '00', '50'])}`,
      6,
    ],
    [() => `${capitalize(writeNonsenseWord(choices))} ${thing}`, 4],
    [() => writeNonsenseWord(choices), 4],
  ])();
}

const materials =
  'wooden leather steel plastic cotton woollen glass copper bamboo silver electric folding wireless velvet'.split(
    ' ',
  );

/** A title of a book, film or song: one to five words, each with a capital. */
export function writeTitle(choices: Choices): string {
  const noun = (): string =>
    capitalize(choices.chance(0.85) ? choices.pick(nouns) : writeNonsenseWord(choices));
  const adjective = (): string => capitalize(choices.pick(adjectives));
  return choices.weighted([
    [() => `The ${adjective()} ${noun()}`, 12],
    [() => `${adjective()} ${noun()}`, 12],
    [() => `The ${noun()}`, 10],
    [() => noun(), 8],
    [() => `${noun()} of the ${noun()}`, 8],
    [() => `The ${noun()} and the ${noun()}`, 6],
    [() => `${noun()} in ${writePlace(choices)}`, 6],
    [() => `My ${noun()} for ${writeGivenName(choices)}`, 5],
    [() => `${writeGivenName(choices)}'s ${noun()}`, 5],
    [() => `${choices.pick(numberWords)} ${noun()}s`, 5],
    [() => `${noun()} without ${noun()}`, 4],
    [() => `${writeGivenName(choices)} and ${writeGivenName(choices)}`, 4],
    [() => `${choices.integer(2, 99)} ${adjective()} ${noun()}s`, 2],
  ])();
}

const numberWords = ['Two', 'Three', 'Seven', 'Ten', 'Hundred', 'Many', 'No'];

/** "Lund & Sons", "Zorvex", "Blue River Ltd". */
export function writeCompany(choices: Choices): string {
  const [family, made] = [writeFamilyName(choices), capitalize(writeNonsenseWord(choices))];
  const thing = capitalize(choices.pick(nouns));
  return choices.weighted([
    [
      `${family} ${choices.pick(['Ltd', 'Inc', 'AG', 'GmbH', 'Group', 'Foods', 'Bank', 'Books', 'Motors'])}`,
      4,
    ],
    [`${family} & ${choices.pick(['Sons', 'Daughters', 'Partners', choices.pick(familyNames)])}`, 3],
    [made, 4],
    [`${made} ${choices.pick(['Systems', 'Labs', 'Air', 'Energy', 'Media'])}`, 3],
    [`${capitalize(choices.pick(adjectives))} ${thing}`, 4],
    [`${thing} ${choices.pick(['House', 'Works', 'Studio', 'Shop'])}`, 2],
  ]);
}
