import type { Choices } from '../text/choices.ts';
import { pairs } from '../text/data.ts';
import type { Exchange } from '../text/exchanges.ts';
import { drawFrom, pickForm } from '../text/forms.ts';
import { areHeldOut } from '../text/refusals.ts';
import type { Slots } from '../text/slots.ts';
import { said, talks, writeAskedFactExchange } from './spoken.ts';
import { addInParts, writeSumExchange } from './sums.ts';
import { typeLoosely } from './typing.ts';

/** A question, and those after it: none is understood without the one before. */
const following: Readonly<Record<string, (choices: Choices) => Exchange[]>> = {
  again: (choices) => {
    const first = drawFirst(choices);
    return [first, said(asked(choices, 'asked again'), first.answer)];
  },
  louder: (choices) => {
    const first = drawFirst(choices);
    return [first, said(asked(choices, 'asked for capitals'), first.answer.toUpperCase())];
  },
  said: (choices) => {
    const first = drawFirst(choices);
    return [first, said(asked(choices, 'asked what was said'), `You said: "${first.question}"`)];
  },
  place: (choices) => [
    askForCapital(choices, 'capital asks'),
    ...Array.from({ length: choices.integer(1, 2) }, () => askForCapital(choices, 'asked for another')),
  ],
  onwards: (choices) => {
    const [one, two] = drawSummands(choices, choices.integer(1, 99));
    const [sum, three] = drawSummands(choices, one + two);
    const first = said(asked(choices, 'sum asks', { one, two }), addInParts(one, two));
    return [first, said(asked(choices, 'asked for more', { three }), addInParts(sum, three))];
  },
};

/** The number and another one to add, which the evaluation does not ask for. */
function drawSummands(choices: Choices, one: number): readonly [number, number] {
  const two = choices.integer(1, 20);
  return areHeldOut(one, two) ? drawSummands(choices, one) : [one, two];
}

const asked = (choices: Choices, section: string, slots?: Slots): string =>
  typeLoosely(choices, pickForm(choices, section), slots);

const drawFirst = (choices: Choices): Exchange =>
  choices.pick([writeAskedFactExchange, talks.talk, writeSumExchange])(choices);

function askForCapital(choices: Choices, section: string): Exchange {
  const [country, capital] = choices.pick(pairs('countries'));
  return said(asked(choices, section, { country }), `The capital of ${country} is ${capital}.`);
}

export const writeFollowingExchanges = (choices: Choices): Exchange[] =>
  drawFrom(choices, 'kinds of following', following)(choices);
