const irregular = new Map([
  ['book', 'booking booked'],
  ['bring', 'bringing brought'],
  ['build', 'building built'],
  ['buy', 'buying bought'],
  ['catch', 'catching caught'],
  ['choose', 'choosing chosen'],
  ['cut', 'cutting cut'],
  ['do', 'doing done'],
  ['draw', 'drawing drawn'],
  ['feed', 'feeding fed'],
  ['fetch', 'fetching fetched'],
  ['find', 'finding found'],
  ['fly', 'flying flown'],
  ['freeze', 'freezing frozen'],
  ['get', 'getting got'],
  ['give', 'giving given'],
  ['grind', 'grinding ground'],
  ['hide', 'hiding hidden'],
  ['hold', 'holding held'],
  ['leave', 'leaving left'],
  ['lend', 'lending lent'],
  ['let', 'letting let'],
  ['light', 'lighting lit'],
  ['make', 'making made'],
  ['pay', 'paying paid'],
  ['put', 'putting put'],
  ['quit', 'quitting quit'],
  ['read', 'reading read'],
  ['ring', 'ringing rung'],
  ['ride', 'riding ridden'],
  ['sell', 'selling sold'],
  ['send', 'sending sent'],
  ['set', 'setting set'],
  ['sew', 'sewing sewn'],
  ['show', 'showing shown'],
  ['shut', 'shutting shut'],
  ['sing', 'singing sung'],
  ['sow', 'sowing sown'],
  ['spin', 'spinning spun'],
  ['split', 'splitting split'],
  ['take', 'taking taken'],
  ['teach', 'teaching taught'],
  ['tell', 'telling told'],
  ['throw', 'throwing thrown'],
  ['wind', 'winding wound'],
  ['write', 'writing written'],
  ['begin', 'beginning begun'],
  ['refer', 'referring referred'],
  ['transfer', 'transferring transferred'],
  ['submit', 'submitting submitted'],
  ['commit', 'committing committed'],
  ['unplug', 'unplugging unplugged'],
  ['unlock', 'unlocking unlocked'],
]);

const isShort = (verb: string): boolean => /^(?:[^aeiou]*|qu)[aeiou][^aeiouwxy]$/u.test(verb);

/** "water the lawn" from "water": the verb's first word changes, a particle stays. */
const changeFirst = (verb: string, change: (word: string) => string): string => {
  const [first = '', ...rest] = verb.split(' ');
  return [change(first), ...rest].join(' ');
};

/** "feeding", "turning on". */
export const gerund = (verb: string): string =>
  changeFirst(verb, (word) => {
    const known = irregular.get(word)?.split(' ')[0];
    if (known !== undefined) return known;
    if (isShort(word)) return `${word}${word.at(-1)}ing`;
    return `${/[^eoy]e$/u.test(word) ? word.slice(0, -1) : word}ing`;
  });

/** "fed", "turned on". */
export const participle = (verb: string): string =>
  changeFirst(verb, (word) => {
    const known = irregular.get(word)?.split(' ')[1];
    if (known !== undefined) return known;
    if (isShort(word)) return `${word}${word.at(-1)}ed`;
    if (word.endsWith('e')) return `${word}d`;
    return /[^aeiou]y$/u.test(word) ? `${word.slice(0, -1)}ied` : `${word}ed`;
  });

/** "feeds", "catches", "tidies". */
export const thirdPerson = (verb: string): string => changeFirst(verb, withS);

/** "lions", "boxes", "ferries". */
export const plural = (noun: string): string => withS(noun);

function withS(word: string): string {
  if (/[^aeiou]y$/u.test(word)) return `${word.slice(0, -1)}ies`;
  return `${word}${/(?:s|sh|ch|x|z)$/u.test(word) || /[^aeiou]o$/u.test(word) ? 'es' : 's'}`;
}

/** "an apple" for "a apple". */
export const withArticles = (text: string): string =>
  text.replaceAll(/\b([Aa]) (?=[aeiou])(?!un[i]|us[e]|eu|one)/gu, '$1n ');
