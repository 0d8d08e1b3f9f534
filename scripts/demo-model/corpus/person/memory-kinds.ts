import type { Choices } from '../text/choices.ts';
import { lines, pairs } from '../text/data.ts';
import { entries, type Entry } from '../text/entries.ts';
import { draw, fill, type Slots } from '../text/forms.ts';
import { writeValue } from '../text/values.ts';
import { type Intent, questionsOf } from '../text/wording.ts';

/** Something that a user tells about himself: how it is told, asked for, and answered. */
export interface Memory {
  readonly told: Intent;
  readonly asked: Intent;
  /** The answer where it was not told. */
  readonly untold: string;
  /** Questions whether VALUE is right. */
  readonly checks: Intent;
  readonly value: string;
}

type Kind = (choices: Choices) => readonly [plan: string, slots: Slots & { readonly value: string | number }];

const kinds: readonly (readonly [Kind, number])[] = [
  [(choices) => ['name', { value: draw(choices, 'given name') }], 30],
  [(choices) => ['city', { value: draw(choices, 'home of a user') }], 13],
  [(choices) => favourite('colour', draw(choices, 'favourite colours'), '(colour|colour|color)'), 11],
  [bearer, 14],
  [(choices) => ['age', { value: choices.integer(6, 99) }], 10],
  [(choices) => favourite('food', draw(choices, 'favourite foods'), '(food|food|food|dish|meal)'), 6],
  [(choices) => ['hobby', { value: draw(choices, 'hobbies') }], 8],
  [(choices) => ['job', { value: draw(choices, 'jobs of users') }], 8],
  [otherFavourite, 10],
  [(choices) => ['birthday', { value: draw(choices, 'birthday') }], 4],
  [
    (choices) => ['siblings', { kind: draw(choices, 'countable relations'), value: choices.integer(2, 12) }],
    4,
  ],
  [skill, 4],
  [secret, 6],
];

export function drawMemory(choices: Choices): Memory {
  const [kind, slots] = choices.weighted(kinds)(choices);
  const plan = plans.get(kind);
  if (plan === undefined) throw new RangeError(`no memory of the kind ${kind}`);
  const { entry, told, asked } = plan;
  const say = (key: string): string => fill(entry.get(key), slots);
  return {
    told: { questions: told, slots, answer: say('reply') },
    asked: { questions: asked, slots, answer: say('answer') },
    untold: say('untold'),
    checks: { questions: entry.all('check'), slots, answer: '' },
    value: String(slots.value),
  };
}

/** The kinds of memories, with many ways to tell them and to ask for them. */
const plans = new Map(entries('memories').map((entry) => [entry.get('kind'), multiply(entry)]));

function multiply(entry: Entry) {
  const told = `(${entry.all('statement').join('|')})`;
  const asked = { things: entry.get('things'), clauses: entry.get('clauses') };
  return {
    entry,
    told: [...questionsOf('ways to tell').map((way) => fill(way, { told })), ...entry.all('message')],
    asked: [
      ...lines('ways to ask the questions').flatMap((way) =>
        entry.all('question').map((question) => fill(way, { question })),
      ),
      ...questionsOf('other ways to ask').map((way) => fill(way, asked)),
    ],
  };
}

/** Other things that may be told: no two that would be asked for in the same words. */
export function drawMemories(choices: Choices, count: number): Memory[] {
  const memories: Memory[] = [];
  while (memories.length < count) {
    const memory = drawMemory(choices);
    if (!memories.some(({ untold }) => untold === memory.untold)) memories.push(memory);
  }
  return memories;
}

/** The same thing told with another value. */
export function drawOtherValue(choices: Choices, { untold, value }: Memory): Memory {
  for (;;) {
    const memory = drawMemory(choices);
    if (memory.untold === untold && memory.value !== value) return memory;
  }
}

/** `spoken`: the ways to call the thing. */
function favourite(thing: string, value: string | number, spoken = thing): ReturnType<Kind> {
  return ['favourite', { thing, value, 'spoken thing': spoken }];
}

function otherFavourite(choices: Choices): ReturnType<Kind> {
  return choices.weighted([
    [
      () => {
        const [thing, values] = choices.pick(pairs('favourites'));
        return favourite(thing, choices.pick(values.split(' ')));
      },
      6,
    ],
    [() => favourite('number', choices.integer(1, 99)), 2],
    [() => favourite(choices.pick(['book', 'film', 'song']), draw(choices, 'title')), 2],
    [() => favourite(choices.pick(['city', 'place']), draw(choices, 'town')), 1],
  ])();
}

/** A pet, a relative or a thing that has a name. */
function bearer(choices: Choices): ReturnType<Kind> {
  const plan = choices.chance(0.65) ? 'pet' : 'relative';
  const kind = draw(choices, `${plan}s`);
  const article = /^[aeiou]/u.test(kind) ? 'an' : 'a';
  return [plan, { kind, 'a kind': `${article} ${kind}`, value: draw(choices, 'given name') }];
}

/** An instrument or a language. */
function skill(choices: Choices): ReturnType<Kind> {
  const plays = choices.chance(0.5);
  const [verb, noun] = plays ? ['play', 'instrument'] : ['speak', 'language'];
  const the = plays ? 'the ' : '';
  const value = draw(choices, plays ? 'instruments' : 'tongues');
  return ['skill', { verb, noun, the, object: `${the}${value}`, value }];
}

/** A word, code or number to keep. */
function secret(choices: Choices): ReturnType<Kind> {
  const kind = draw(choices, 'kinds of secrets');
  if (kind.endsWith('word')) return ['secret', { kind, value: draw(choices, 'secret word') }];
  const value = kind.endsWith('number') ? choices.integer(10, 9999) : String(writeValue(choices, 'code'));
  return ['secret', { kind, value }];
}
