import type { Choices } from './choices.ts';
import { countries } from '../data/geography.ts';
import { cities, countries as countryNames, surnames } from '../data/name-pools.ts';
import { heldOutNames, madeUpName, personName } from '../data/names.ts';
import { opposites } from '../data/opposites.ts';
import { famousPeople } from '../data/knowledge.ts';
import { words } from '../data/rows.ts';
import { heldOutWords, spellingWords } from '../data/spelling-words.ts';
import { topicWords } from '../data/topic-words.ts';
import { capitalize } from './wording.ts';

const onsets = words(
  'b bl br c ch cr d dr f fl fr g gl gr h j k kl kr l m n p ph pl pr qu r rh s sc sh sk sl sm sn sp st str sv t th tr tv v vl w wr x y z zh',
);
const vowels = words('a a a a a e e e e e i i i i o o o o o u u u y ae ai au ea ee ei ia ie io oa oo ou');
const middles = words(
  'l ll m mm n nn nd nt r rr rd rk rl rm rn rt s ss st sk t tt th v z zz b bb d dd g gg k ck lb ld lm lv mb mp ng',
);

const landEndings = words(`
ia ia ia ia land land stan stan ova ara burg onia avia istan esia inia oria uria alia eria andia ovia arna una ana ola
ua mar dor mark heim ador ania aria etia ica ique os us is as eth oth and or ur ar an en in on um ush esh ay ey oi ru
ya yan wan ka ko ki mo na ni no ra ri ro sa si so ta ti to va vi vo za zi zo
`);
const townEndings = words(`
burg berg ville ton town stad grad ford port mouth haven field wick bury dale holm sund vik minster bridge ham by
polis pur abad opol ino ovo ice itz au ach ingen hausen stein stedt ona ena ina ano ello etta eaux ac y ie o a
`);
const twoWordStarts = words(`
North South East West New Old Upper Lower Great Little San Santa Port Fort Saint Grand Inner Outer Central High Free
`);
const landKinds = words('Republic Kingdom Island Islands Empire Union Duchy Principality Federation State');

/** A syllable or two that open a name: "vor", "talm". */
function stem(choices: Choices): string {
  const first = choices.pick(onsets) + choices.pick(vowels) + choices.pick(middles);
  if (choices.chance(0.25))
    return (
      choices.pick(words('a e i o u')) +
      choices.pick(middles) +
      (choices.chance(0.4) ? choices.pick(vowels) + choices.pick(middles) : '')
    );
  return choices.chance(0.35) ? first + choices.pick(vowels) + choices.pick(middles) : first;
}

/** A made-up name of a country, town or other place, in endless variety: "Vorlania", "New Kestburg". */
export function inventPlace(choices: Choices): string {
  const ending = choices.chance(0.7) ? landEndings : townEndings;
  const plain = (): string =>
    choices.chance(0.12) ? madeUpName(choices) : capitalize(stem(choices) + choices.pick(ending));
  const name = choices.weighted([
    [plain, 68],
    [() => bendRealName(choices), 12],
    [() => `${choices.pick(twoWordStarts)} ${plain()}`, 10],
    [() => `${plain()} ${plain()}`, 4],
    [() => `the ${choices.pick(landKinds)} of ${plain()}`, 3],
    [() => `the ${plain()} ${choices.pick(landKinds)}`, 3],
  ])();
  return isKnown(name) ? inventPlace(choices) : name;
}

/** The start of a real name with another end, such as "Portavia". */
function bendRealName(choices: Choices): string {
  const { name, capital } = choices.pick(countries);
  const real = choices.chance(0.6) ? name.replace(/^the /, '') : capital;
  const start = real.slice(0, choices.integer(3, 5)).replace(/[aeiouy' -]+$/, '');
  return start + choices.pick(choices.chance(0.8) ? landEndings : townEndings);
}

/** A person that nobody knows: "Marta Bralston", "Dr. Ilvena". */
export function inventPerson(choices: Choices): string {
  const first = personName(choices);
  const last = (): string =>
    choices.weighted([
      [() => choices.pick(surnames), 30],
      [() => madeUpName(choices), 30],
      [
        () =>
          capitalize(
            stem(choices) +
              choices.pick(words('son sen ski ov er mann ez ini ova ic wood well ton stone by ley')),
          ),
        40,
      ],
    ])();
  const name = choices.weighted([
    [() => `${first} ${last()}`, 80],
    [() => `${first} ${last()}-${last()}`, 4],
    [() => `${first} ${choices.pick(words('van de von da del Mac O'))} ${last()}`, 5],
    [
      () =>
        `${choices.pick(['Dr.', 'Professor', 'Captain', 'Mrs.', 'Mr.', 'Saint', 'Queen', 'King', 'Sir', 'Lady'])} ${last()}`,
      7,
    ],
    [
      () =>
        `${first} the ${choices.pick(words('Bold Wise Younger Elder Tall Silent Great Brave Quick Red Third'))}`,
      4,
    ],
  ])();
  return isKnown(name) ? inventPerson(choices) : name;
}

/** A made-up thing in small letters, such as "glorvin" or "quastium". */
export function inventThing(choices: Choices): string {
  const endings = words(
    'a ax el er et ic id in ine ing ist ite ium ix le o oid ol on or ot um us y ism ment ness th sk mp',
  );
  const thing = stem(choices) + choices.pick(endings);
  return realWords.has(thing) ? inventThing(choices) : thing;
}

const realWords = new Set([...spellingWords, ...topicWords, ...opposites.flat(), ...heldOutWords]);

const known = new Set(
  [
    ...countries.flatMap(({ name, capital }) => [name, capital]),
    ...cities,
    ...countryNames,
    ...famousPeople.map(([name]) => name),
    ...words(
      'Africa Asia Europe America Oceania Rhodesia Prussia Persia Sparta Bavaria Russia Roma Alba Andorra Alaska',
    ),
  ].map((name) => name.toLowerCase()),
);

function isKnown(name: string): boolean {
  return known.has(name.toLowerCase()) || name.split(/[ -]/).some((part) => heldOutNames.includes(part));
}
