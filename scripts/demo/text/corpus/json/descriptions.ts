import type { Choices } from '../text/choices.ts';
import { lines } from '../text/data.ts';
import { draw, drawFrom, pickForm } from '../text/forms.ts';
import { capitalize, joinWords } from '../text/inflect.ts';
import { writeRecordValue } from '../text/values.ts';
import { say } from '../text/wording.ts';
import { distinct, drawFacts, type Fact, fillSentence, recordSubjects } from './record-fields.ts';

/** Facts, and the text that states them. */
interface Description {
  readonly facts: readonly Fact[];
  readonly text: string;
}

const kinds = { subject, sentence, short, anything };

export function writeDescription(choices: Choices): Description {
  return drawFrom(choices, 'kinds of descriptions', kinds)(choices);
}

/** "In Oslo lives a baker named Anna." */
function sentence(choices: Choices): Description {
  return fillSentence(choices, choices.pick(lines('record sentences')));
}

/** "Anna is 31, lives in Oslo and works as a baker." */
function subject(choices: Choices): Description {
  const { keys, kind, leads, fields } = choices.pick(recordSubjects);
  const name = String(writeRecordValue(choices, kind));
  const lead = capitalize(choices.pick(leads).replace('{}', name));
  const facts = drawFacts(choices, fields);
  const isPerson = kind === 'person' || kind === 'fullName';
  const isPlain = facts.every(({ value }) => typeof value !== 'boolean' && !Array.isArray(value));
  const key = choices.pick(keys);
  const stated = distinct([{ key, value: name, clause: '' }, ...facts]);
  const isPossessive = isPlain && choices.chance(0.14);
  if (isPossessive) return { facts: stated, text: writePossessive(choices, lead, facts) };
  return { facts: stated, text: writeSentences(choices, lead, facts, isPerson) };
}

const labelOf = (key: string): string => key.replaceAll('_', ' ');

/** "Anna's age is 31. The city is Oslo." */
function writePossessive(choices: Choices, lead: string, facts: readonly Fact[]): string {
  const [first, ...others] = facts.map(({ key, value }) => ({ label: labelOf(key), value: String(value) }));
  const start = first && draw(choices, 'possessive sentences', { ...first, lead, within: within(lead) });
  return [start, ...others.map(({ label, value }) => `The ${label} is ${value}.`)].join(' ');
}

/** The subject as it stands inside a sentence. */
const within = (lead: string): string =>
  lead.replace(/^(?:My |Our |This |(?:The|A) (?=\p{Ll}))/u, (word) => word.toLowerCase());

/** One sentence, or one for each fact: "Anna is 31. She lives in Oslo." */
function writeSentences(choices: Choices, lead: string, facts: readonly Fact[], isPerson: boolean): string {
  const clauses = facts.map(({ clause }) => clause);
  const all = joinWords(clauses);
  if (choices.chance(0.6)) return `${lead} ${all}.`;
  const pronoun = choices.pick(isPerson ? ['She', 'He'] : ['It']);
  const [first = '', ...others] = clauses;
  return say(choices, `facts of a ${isPerson && !lead.startsWith('The ') ? 'person' : 'thing'}`, {
    lead,
    within: within(lead),
    all,
    each: clauses.map((clause, index) => `${index === 0 ? lead : pronoun} ${clause}.`).join(' '),
    commas: clauses.join(', '),
    semicolons: clauses.join('; '),
    'others first': others.length === 0 ? first : `${joinWords(others)}, ${first}`,
  });
}

/** "Anna, 31, Oslo", "name: Anna; age: 31". */
function short(choices: Choices): Description {
  const { keys, kind: subjectKind, fields } = choices.pick(recordSubjects);
  const isLabelled = choices.chance(0.55);
  const fitting = fields.filter(({ kind }) => kind !== 'words' && (isLabelled || kind !== 'flag'));
  const name = { key: choices.pick(keys), value: writeRecordValue(choices, subjectKind), clause: '' };
  const facts = distinct([name, ...drawFacts(choices, fitting)]);
  const ordered = choices.chance(0.7) ? facts : choices.shuffle(facts);
  return { facts: ordered, text: (isLabelled ? writeLabelled : writeBare)(choices, ordered) };
}

function writeBare(choices: Choices, facts: readonly Fact[]): string {
  const isFrom = ({ key }: Fact): boolean => key === 'city' && choices.chance(0.3);
  const parts = facts.map((fact) => `${isFrom(fact) ? 'from ' : ''}${String(fact.value)}`);
  const separator = choices.pick([', ', ', ', ', ', '; ', ' / ', ' - ', '\n', ' | ', ' ']);
  return parts.join(separator) + (separator === ', ' ? choices.pick(['.', '']) : '');
}

function writeLabelled(choices: Choices, facts: readonly Fact[]): string {
  const change = choices.chance(0.35) ? capitalize : String;
  const form = pickForm(choices, 'labelled facts').replace('\\n', '\n');
  const [before = '', after = '', between = ''] = form.split(/LABEL|VALUE/u);
  const [yes, no] = choices.pick(['yes no', 'yes no', 'true false']).split(' ');
  const parts = facts.map(({ key, value }) => {
    const said = typeof value === 'boolean' ? (value ? yes : no) : String(value);
    return `${change(labelOf(key))}${after}${said}`;
  });
  return before + parts.join(between);
}

/** "The river is 12 and the zorp is red.": keys that say nothing beforehand. */
function anything(choices: Choices): Description {
  const facts: Fact[] = [];
  const count = choices.integer(1, 4);
  const form = pickForm(choices, 'unknown facts');
  while (facts.length < count) {
    const key = draw(choices, choices.chance(0.6) ? 'nouns' : 'nonsense word');
    if (facts.some((fact) => fact.key === key)) continue;
    const value = writeRecordValue(choices, draw(choices, 'any record kinds'));
    facts.push({ key, value, clause: form.replace('{key}', key).replace('{}', () => String(value)) });
  }
  const clauses = facts.map(({ clause }) => clause);
  return { facts, text: form.startsWith('the') ? `${capitalize(joinWords(clauses))}.` : clauses.join(', ') };
}
