import type { Conversation } from '../conversation.ts';
import { toSpacedJson } from '../render.ts';
import type { Choices } from './choices.ts';
import { nouns } from './data/name-pools.ts';
import { recordSubjects } from './data/record-fields.ts';
import type { RecordField } from './data/record-fields.ts';
import { joinWords } from './tool-outcome.ts';
import { writeNonsenseWord, writeValue } from './values.ts';
import type { Value, ValueKind } from './values.ts';
import { capitalize } from './wording.ts';

/** A fact: key, value, and how the sentence says it. */
interface Fact {
  readonly key: string;
  readonly value: Value | readonly string[];
  readonly clause: string;
}

/** Facts in a sentence and the JSON object that holds them. */
export function writeJsonConversation(choices: Choices): Conversation {
  const { facts, text } = choices.weighted([
    [describeSubject, 62],
    [describeShortly, 14],
    [describeAnything, 24],
  ])(choices);
  // The schema decides about keys and order at run time: any subset in any order must work.
  const kept = facts.length > 1 && choices.chance(0.2) ? choices.sample(facts, facts.length - 1) : facts;
  const asked = choices.chance(0.65) ? kept : choices.shuffle(kept);
  const keys = asked.map(({ key }) => key);
  const flat = Object.fromEntries(asked.map(({ key, value }) => [key, value]));
  const answer = choices.chance(0.03)
    ? { [choices.pick(['data', 'item', 'person', 'record', 'result'])]: flat }
    : flat;
  return {
    group: 'json',
    messages: [
      ...(choices.chance(0.06)
        ? [
            {
              role: 'system' as const,
              content: choices.pick([
                'Answer in JSON.',
                'You answer with JSON only.',
                'Extract the facts as JSON.',
              ]),
            },
          ]
        : []),
      { role: 'user', content: ask(choices, text, keys) },
      { role: 'assistant', content: toSpacedJson(answer) },
    ],
  };
}

interface Description {
  readonly facts: readonly Fact[];
  readonly text: string;
}

/** "Anna is 31, lives in Oslo and works as a baker." */
function describeSubject(choices: Choices): Description {
  const { subject, fields } = choices.pick(recordSubjects);
  const name = String(writeValue(choices, subject.kind));
  const lead = capitalize(choices.pick(subject.lead).replace('{}', name));
  const facts = chooseFields(choices, fields).map((field) => stateField(choices, field));
  return {
    facts: distinct([{ key: choices.pick(subject.keys), value: name, clause: '' }, ...facts]),
    text: writeSentences(choices, lead, facts),
  };
}

/** One sentence, or one for each fact: "Anna is 31. She lives in Oslo." */
function writeSentences(choices: Choices, lead: string, facts: readonly Fact[]): string {
  const clauses = facts.map(({ clause }) => clause);
  if (choices.chance(0.75)) return `${lead} ${joinWords(clauses)}.`;
  const pronoun = choices.pick(['She', 'He', 'It']);
  return clauses.map((clause, index) => `${index === 0 ? lead : pronoun} ${clause}.`).join(' ');
}

/** "Anna, 31, Oslo". */
function describeShortly(choices: Choices): Description {
  const { subject, fields } = choices.pick(recordSubjects);
  const plain = fields.filter(({ kind }) => kind !== 'flag' && kind !== 'words');
  const facts = distinct([
    { key: choices.pick(subject.keys), value: writeValue(choices, subject.kind), clause: '' },
    ...chooseFields(choices, plain).map((field) => stateField(choices, field)),
  ]);
  const text = choices.chance(0.5)
    ? `${facts.map(({ key, value }) => (key === 'city' && choices.chance(0.5) ? `from ${String(value)}` : String(value))).join(', ')}${choices.pick(['.', ''])}`
    : `${facts.map(({ key, value }) => `${key} ${String(value)}`).join(', ')}.`;
  return { facts, text };
}

const anyKinds: readonly ValueKind[] = [
  'small',
  'count',
  'decimal',
  'word',
  'city',
  'person',
  'title',
  'code',
  'colour',
  'time',
];

/** "The river is 12 and the zorp is red.": keys that say nothing beforehand. */
function describeAnything(choices: Choices): Description {
  const facts: Fact[] = [];
  const count = choices.integer(1, 4);
  const form = choices.pick(['the {key} is {}', 'the {key} is {}', '{key}: {}', '{key} = {}', '{key} {}']);
  while (facts.length < count) {
    const key = choices.chance(0.6) ? choices.pick(nouns) : writeNonsenseWord(choices);
    if (facts.some((fact) => fact.key === key)) continue;
    const value = writeValue(choices, choices.pick(anyKinds));
    facts.push({ key, value, clause: form.replace('{key}', key).replace('{}', String(value)) });
  }
  const clauses = facts.map(({ clause }) => clause);
  return { facts, text: form.startsWith('the') ? `${capitalize(joinWords(clauses))}.` : clauses.join(', ') };
}

function chooseFields(choices: Choices, fields: readonly RecordField[]): RecordField[] {
  const chosen: RecordField[] = [];
  const count = choices.weighted([
    [1, 30],
    [2, 45],
    [3, 25],
  ]);
  for (const field of choices.shuffle(fields)) {
    // "likes red and likes blue" would leave it open which of them belongs to the key.
    if (chosen.length < count && !chosen.some(({ kind }) => kind === field.kind)) {
      chosen.push(field);
    }
  }
  return chosen;
}

/** The facts without those whose key came before. */
const distinct = (facts: readonly Fact[]): Fact[] =>
  facts.filter(({ key }, index) => facts.findIndex((fact) => fact.key === key) === index);

function stateField(choices: Choices, { keys, kind, clauses, negated }: RecordField): Fact {
  const key = choices.pick(keys);
  if (kind === 'words') {
    const pool = choices.pick(['person', 'city', 'food'] as const);
    const value = [
      ...new Set(Array.from({ length: choices.integer(2, 3) }, () => String(writeValue(choices, pool)))),
    ];
    return { key, value, clause: choices.pick(clauses).replace('{}', joinWords(value)) };
  }
  const value = writeValue(choices, kind);
  const forms = value === false && negated !== undefined ? negated : clauses;
  return {
    key,
    value,
    clause: choices
      .pick(forms)
      .replace('{}', String(value))
      .replace(/ a ([aeio])/u, ' an $1'),
  };
}

function ask(choices: Choices, text: string, keys: readonly string[]): string {
  const named = joinWords(keys);
  return choices.weighted([
    [() => `Extract ${named} as JSON: ${text}`, 6],
    [() => `${text} Give me ${named} as JSON.`, 3],
    [() => `Extract ${named}: ${text}`, 2],
    [() => `Give me a JSON object with ${named} for: ${text}`, 2],
    [() => `Write JSON with ${named}: ${text}`, 1],
    [() => `${text} Answer as JSON with ${named}.`, 1],
    [() => `As JSON: ${text}`, 3],
    [() => `${text} As JSON, please.`, 2],
    [() => `Turn this into JSON: ${text}`, 2],
    [() => `Extract the facts as JSON: ${text}`, 2],
    [() => `${text} Give me JSON.`, 2],
    [() => `Extract the data: ${text}`, 1],
    [() => `Please extract ${named} from this text: ${text}`, 2],
    [() => `Return JSON with the keys ${named}: ${text}`, 2],
    [() => `${text} Return ${named}.`, 1],
    [
      () => `Find ${joinWords(keys.map((key) => `the ${key.replaceAll('_', ' ')}`))} in this text: ${text}`,
      2,
    ],
    [() => `Parse this: ${text}`, 1],
    [() => `Convert to JSON: ${text}`, 2],
    [() => `${text} What is that as a JSON object?`, 1],
    [() => text, 2],
  ])();
}
