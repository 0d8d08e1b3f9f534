import type { Choices } from '../text/choices.ts';
import * as pools from '../data/memories.ts';
import { madeUpWord } from '../data/names.ts';
import { build, type Memory } from './memory-plan.ts';
import { writeGivenName, writePlace, writeTitle } from '../text/proper-names.ts';
import { writeValue } from '../text/values.ts';

function favourite(thing: string, value: string | number, spokenThing = thing): Memory {
  const best = `(favourite|favourite|favorite) ${spokenThing}`;
  return build({
    statements: [
      `my ${best} is ${value}`,
      `my ${best} is ${value}`,
      `${value} is my ${best}`,
      `the ${spokenThing} I like (best|most) is ${value}`,
      `I like ${value} (best|most), it is my ${best}`,
      `I love ${value}, (it is|that is) my ${best}`,
      `no ${spokenThing} is (better|nicer) for me than ${value}, my ${best}`,
      `of all (|kinds of )${spokenThing}, ${value} is my (favourite|favorite)`,
    ],
    messages: [`my ${best}(:|?) ${value}(.|!|)`, `(favourite|favorite) ${spokenThing}: ${value}(.|)`],
    reply: `I will remember that your favourite ${thing} is ${value}.`,
    things: `(my ${best}|my ${best}|the ${spokenThing} (that |)I like (best|most)|the ${spokenThing} I love)`,
    clauses: `(what my ${best} is|which ${spokenThing} I like (best|most|)|which ${spokenThing} is my (favourite|favorite)|which ${spokenThing} I (love|prefer))`,
    questions: [
      `(what is|what's|which is|what was) my ${best}`,
      `(which|what) ${spokenThing} do I (like best|like most|love|like|prefer|like the most)`,
      `(which|what) ${spokenThing} is (my (favourite|favorite)|dearest to me|the one I like best)`,
      `(which|what) is the ${spokenThing} (that |)I (like best|love|prefer)`,
      `(which|what) ${spokenThing} did I (say I like|call my (favourite|favorite)|tell you about)`,
    ],
    answer: `Your favourite ${thing} is ${value}.`,
    untold: `You have not told me your favourite ${thing} yet.`,
    checks: [`is my ${best} VALUE?`, `is VALUE my ${best}?`, `my ${best} is VALUE, right?`],
    value,
  });
}

export function colour(choices: Choices): Memory {
  return favourite('colour', choices.pick(pools.colours), '(colour|colour|color)');
}

export function food(choices: Choices): Memory {
  return favourite('food', choices.pick(pools.foods), '(food|food|food|dish|meal)');
}

export function otherFavourite(choices: Choices): Memory {
  return choices.weighted([
    [
      (): Memory => {
        const [thing, values] = choices.pick(pools.favourites);
        return favourite(thing, choices.pick(values));
      },
      6,
    ],
    [(): Memory => favourite('number', choices.integer(1, 99)), 2],
    [(): Memory => favourite(choices.pick(['book', 'film', 'song']), writeTitle(choices)), 2],
    [(): Memory => favourite(choices.pick(['city', 'place']), writePlace(choices)), 1],
  ])();
}

/** A pet, a relative or a thing that has a name. */
export function bearer(choices: Choices): Memory {
  const isPet = choices.chance(0.65);
  const kind = choices.pick(isPet ? pools.pets : pools.relatives);
  const own = writeGivenName(choices);
  const one = `${/^[aeiou]/u.test(kind) ? 'an' : 'a'} ${kind}`;
  const the = `(the name of my ${kind}|my ${kind}'s name|my ${kind}'s name)`;
  return build({
    statements: [
      `I have ${one} (named|called) ${own}`,
      ...(isPet ? [`(I own|I've got|we have|I keep|at home I have) ${one} (named|called) ${own}`] : []),
      `my ${kind} is (called|named) ${own}`,
      `my ${kind}'s name is ${own}`,
      `the name of my ${kind} is ${own}`,
      `${own} is (my ${kind}|the name of my ${kind}|my ${kind}'s name|what we call my ${kind})`,
      `(I call|we call|everybody calls) my ${kind} ${own}`,
      ...(isPet
        ? [`my ${kind} (listens|answers) to the name ${own}`, `I (named|called) my ${kind} ${own}`]
        : []),
    ],
    messages: [`(this is|meet) ${own}, my ${kind}.`],
    reply: `I will remember that your ${kind} is called ${own}.`,
    things: the,
    clauses: `(what my ${kind} is called|how my ${kind} is called|what ${the} is|what we call my ${kind}|which name my ${kind} has|who my ${kind} is)`,
    questions: [
      `(what is|what's|what was) ${the}`,
      `what is my ${kind} (called|named)`,
      `how is my ${kind} called`,
      `(what|how) (do I|do we|do you) call my ${kind}`,
      `(what|which) name (does my ${kind} have|has my ${kind}|did I give my ${kind})`,
      `(who is my ${kind}|how is my ${kind} named|what does my ${kind} go by)`,
    ],
    answer: `Your ${kind} is called ${own}.`,
    untold: `You have not told me the name of your ${kind} yet.`,
    checks: [
      `is my ${kind} (called|named) VALUE?`,
      `is my ${kind}'s name VALUE?`,
      `is VALUE the name of my ${kind}?`,
    ],
    value: own,
  });
}

export function siblings(choices: Choices): Memory {
  const kind = choices.pick([
    'brothers',
    'sisters',
    'children',
    'cats',
    'dogs',
    'cars',
    'cousins',
    'bicycles',
    'sons',
  ]);
  const count = choices.integer(2, 12);
  return build({
    statements: [
      `I have ${count} ${kind}`,
      `I've got ${count} ${kind}`,
      `I have (exactly|already) ${count} ${kind}`,
    ],
    reply: `I will remember that you have ${count} ${kind}.`,
    things: `(the number of my ${kind}|how many ${kind} I have)`,
    clauses: `(how many ${kind} I have|how many ${kind} I told you I have)`,
    questions: [`how many ${kind} do I have`, `how many ${kind} have I`, `how many ${kind} did I say I have`],
    answer: `You have ${count} ${kind}.`,
    untold: `You have not told me how many ${kind} you have yet.`,
    checks: [`do I have VALUE ${kind}?`],
    value: count,
  });
}

/** An instrument or a language. */
export function skill(choices: Choices): Memory {
  const plays = choices.chance(0.5);
  const [verb, noun] = plays ? ['play', 'instrument'] : ['speak', 'language'];
  const value = choices.pick(plays ? pools.instruments : pools.tongues);
  const object = plays ? `the ${value}` : value;
  return build({
    statements: [
      `I ${verb} ${object}`,
      `I can ${verb} ${object}`,
      `at home I ${verb} ${object}`,
      `I (often|always) ${verb} ${object}`,
    ],
    reply: `I will remember that you ${verb} ${object}.`,
    things: `(my ${noun}|the ${noun} I ${verb})`,
    clauses: `(which ${noun} I ${verb}|what ${noun} I ${verb}|what I ${verb})`,
    questions: [
      `(which|what) ${noun} do I ${verb}`,
      `(which|what) ${noun} can I ${verb}`,
      `what is (my ${noun}|the ${noun} I ${verb})`,
    ],
    answer: `You ${verb} ${object}.`,
    untold: `You have not told me which ${noun} you ${verb} yet.`,
    checks: [`do I ${verb} ${plays ? 'the ' : ''}VALUE?`],
    value,
  });
}

/** A word, code or number to keep. */
export function secret(choices: Choices): Memory {
  const kind = choices.pick([
    'code',
    'code',
    'secret word',
    'number',
    'magic word',
    'room number',
    'order number',
  ]);
  const value = kind.endsWith('word')
    ? choices.chance(0.5)
      ? madeUpWord(choices)
      : String(writeValue(choices, 'word'))
    : kind.endsWith('number')
      ? String(choices.integer(10, 9999))
      : String(writeValue(choices, 'code'));
  return build({
    statements: [
      `the ${kind} is ${value}`,
      `my ${kind} is ${value}`,
      `${value} is (the|my) ${kind}`,
      `we use ${value} as the ${kind}`,
    ],
    messages: [
      `(remember|keep|note|store|learn|save|write down) (this|the) ${kind}(:| for me:) ${value}(.|)`,
      `(keep|store|remember|note) ${value} as (the|my) ${kind}.`,
    ],
    reply: `I will remember that the ${kind} is ${value}.`,
    things: `(the ${kind}|my ${kind}|the ${kind} I gave you|that ${kind})`,
    clauses: `(what the ${kind} is|what the ${kind} was|what my ${kind} is|which ${kind} I gave you|which ${kind} I told you)`,
    questions: [
      `(what is|what's|what was) (the|my) ${kind}`,
      `(what|which) ${kind} did I (give|tell|send) you`,
      `which (was|is) the ${kind}`,
      `(what|which) ${kind} should you (remember|keep|know)`,
    ],
    answer: `The ${kind} is ${value}.`,
    untold: `You have not told me the ${kind} yet.`,
    checks: [`is the ${kind} VALUE?`, `is VALUE the ${kind}?`],
    value,
  });
}
