import type { Choices } from '../text/choices.ts';
import { pairs } from '../text/data.ts';
import type { Exchange } from '../text/exchanges.ts';
import { compose, draw, pickForm } from '../text/forms.ts';
import { talks, writeAskedFactExchange, writePirateExchange } from './spoken.ts';
import { writeSumExchange } from './sums.ts';
import { typeLoosely } from './typing.ts';

/** A conversation under a rule of the system prompt. */
interface Ruled {
  readonly system: string;
  readonly exchanges: readonly Exchange[];
}

function oneWord(choices: Choices): Ruled {
  const [question, answer] = drawShortFact(choices);
  return {
    system: draw(choices, 'one word prompts'),
    exchanges: [{ question, answer: `${answer}.`, steps: [] }],
  };
}

/** A question that one word answers. */
function drawShortFact(choices: Choices): readonly [question: string, answer: string] {
  const kind = choices.integer(0, 3);
  if (kind === 0) {
    const [place, capital] = choices.pick(pairs('countries').filter(([, city]) => !city.includes(' ')));
    return [typeLoosely(choices, '(what is|whats|tell me|) the capital of {place}', { place }), capital];
  }
  if (kind === 1) {
    const [word, opposite] = choices.pick(pairs('opposites'));
    return [typeLoosely(choices, '(what is|whats|) the opposite of {word}', { word }), opposite];
  }
  if (kind === 2) {
    const [thing, colour] = choices.pick(colours);
    return [typeLoosely(choices, '(what|which) (colour|color) is {thing}', { thing }), colour];
  }
  const [question, answer] = choices.pick(answered);
  return [typeLoosely(choices, question), answer];
}

const colours = [
  ['the sky', 'Blue'],
  ['grass', 'Green'],
  ['snow', 'White'],
  ['a banana', 'Yellow'],
  ['blood', 'Red'],
  ['coal', 'Black'],
  ['a carrot', 'Orange'],
] as const;

const answered = [
  ['is (the sky blue|grass green|fire hot|ice cold|water wet|the sun hot|snow white|the earth round)', 'Yes'],
  ['is (the sky green|fire cold|ice hot|the earth flat|snow black|the moon a cheese|a cow a bird)', 'No'],
  ['(can|do) (birds fly|fish swim|dogs bark|horses run)', 'Yes'],
  ['can (pigs fly|cows fly|dogs talk|fish walk|stones swim)', 'No'],
  ['(hi|hello|hey|good day)', 'Hello'],
  ['(who are you|what is your name|whats your name)', 'hearth-demo'],
] as const;

/** "Answer only yes or no: …", or a system prompt for capitals. */
function upperCase(choices: Choices): Ruled {
  const { question, answer } = (choices.chance(0.6) ? talks.talk : writeAskedFactExchange)(choices);
  return {
    system: draw(choices, 'upper case prompts'),
    exchanges: [{ question, answer: answer.toUpperCase(), steps: [] }],
  };
}

function pirate(choices: Choices): Ruled {
  const exchanges = Array.from({ length: choices.integer(1, 2) }, () => writePirateExchange(choices));
  return { system: draw(choices, 'pirate prompts'), exchanges };
}

function creature(choices: Choices): Ruled {
  const name = draw(choices, choices.pick(['given name', 'made-up name']));
  const kind = draw(choices, 'creatures');
  const a = /^[aeiou]/u.test(kind) ? 'an' : 'a';
  const form = pickForm(choices, 'creature prompts').replaceAll('{a:creature}', a);
  const system = compose(choices, form, { name, creature: kind }).replaceAll(/ {2,}/gu, ' ');
  const asked = {
    question: typeLoosely(choices, pickForm(choices, 'creature questions')),
    answer: `I am ${name}, ${a} ${kind}.`,
    steps: [],
  };
  const other = choices.pick([writeSumExchange, writeAskedFactExchange])(choices);
  return { system, exchanges: choices.chance(0.3) ? [other, asked] : [asked] };
}

/** The kinds of conversations in which the system prompt gives a rule. */
export const ruled = { oneWord, upperCase, pirate, creature } as const;
