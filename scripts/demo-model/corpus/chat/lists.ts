import type { Choices } from '../text/choices.ts';
import { categories } from '../data/categories.ts';
import { alphabet, days, months, planets } from '../data/measures.ts';
import { words } from '../data/rows.ts';
import { ask, type Exchange, type Intent } from '../text/wording.ts';

const numberWords = words('zero one two three four five six seven eight nine ten');

/** "1. apple\n2. pear". */
export function numbered(items: readonly string[]): string {
  return items.map((item, index) => `${index + 1}. ${item}`).join('\n');
}

/** Counting, parts of the alphabet, whole series, and so many things of a kind. */
export function writeListsExchange(choices: Choices): Exchange {
  const write = choices.weighted([
    [things, 45],
    [counting, 30],
    [letters, 13],
    [wholeSeries, 6],
    [steps, 6],
  ]);
  return ask(choices, write(choices));
}

function things(choices: Choices): Intent {
  const [plural, examples] = choices.pick(categories);
  const count = choices.chance(0.85)
    ? choices.integer(1, Math.min(6, examples.length))
    : choices.integer(1, examples.length);
  return {
    questions: thingQuestions(amountOf(choices, count, plural)),
    answer: numbered(examples.slice(0, count)),
  };
}

/** "three fruits", "3 different fruits", "a fruit", "a couple of fruits". */
function amountOf(choices: Choices, count: number, plural: string): string {
  const kind = count === 1 ? singular(plural) : plural;
  const word = numberWords[count] ?? '';
  const exact = choices.chance(0.5) ? `${count}` : word;
  if (count === 1 && choices.chance(0.5)) return `${/^[aeio]/i.test(kind) ? 'an' : 'a'} ${kind}`;
  if (count === 1)
    return choices.pick([
      `${exact} ${kind}`,
      `one single ${kind}`,
      `just one ${kind}`,
      `an example of a ${kind}`.replace(/ a ([aeio])/i, ' an $1'),
    ]);
  if (count === 2 && choices.chance(0.15)) return `a couple of ${kind}`;
  if (count === 3 && choices.chance(0.25)) return `${choices.pick(['some', 'a few', 'several'])} ${kind}`;
  return choices.weighted([
    [`${exact} ${kind}`, 70],
    [`${exact} different ${kind}`, 6],
    [`any ${exact} ${kind}`, 5],
    [`${exact} examples of ${kind}`, 6],
    [`${exact} kinds of ${kind}`, 3],
    [`${exact} of the ${kind}`, 2],
    [`the names of ${exact} ${kind}`, 4],
    [`exactly ${exact} ${kind}`, 4],
  ]);
}

function thingQuestions(amount: string): string[] {
  const list =
    '(name|list|give me|tell me|write|say|write down|mention|enumerate|note down|type|suggest|state|show me|think of|come up with|find|bring me|put down)';
  return [
    `${list} ${amount}.`,
    `${list} ${amount}.`,
    `(can you|could you|please|can you please|would you|will you|could you please|you should|I want you to|I ask you to|I would like you to) ${list} ${amount} (|for me).`,
    `(I need|I want|I would like|I'd like|I could use|I am looking for|I'm looking for|I need to know|I have to name|I must name|I have to find|I was asked for|we need|we want|help me to find|help me find) ${amount}.`,
    `(name|list|tell me) ${amount} (that you know|for me|you know|that come to mind|you can think of|off the top of your head|as a list|in a list|one per line|with numbers).`,
    `(a list|list|the list|a numbered list|a short list) (of|with) ${amount}.`,
    `(give me|write|make|create|I need|can you make|can I have|could you write|please make|draw up) a (|short|numbered|little) list (of|with) ${amount}.`,
    `(what are|which are|can I have|do you know|can you think of|what would be|may I have|could I get) ${amount}?`,
    `${amount}(, please.|, please|, listed.| please|?|.|!)`,
    `(my (teacher|daughter|son|friend|boss|class|quiz) (wants|needs|asks for|asked for)|for (my homework|a game|school|a quiz|a story|the class|a test) I need|the task is to name|the homework: name|exercise: list|the quiz asks for) ${amount}.`,
    `(I can't think of|I forgot|I don't know|I cannot name|I do not know|I can't come up with) ${amount}. (Help me|Can you help|Please help)(.|?)`,
    `(do you know|can you name|are you able to name|could you think of|is it possible to name|would you know) ${amount}? (|List them.|Which ones?|Write them down.|Tell me.)`,
  ];
}

function counting(choices: Choices): Intent {
  const first = choices.chance(0.35)
    ? 1
    : choices.chance(0.85)
      ? choices.integer(0, 40)
      : choices.integer(41, 120);
  const last = first + choices.integer(2, choices.chance(0.85) ? 9 : 14);
  const up = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  if (choices.chance(0.6))
    return {
      questions: [
        `count (from|up from|upwards from|starting from|starting at|beginning at) ${first} (to|up to|till|until) ${last}.`,
        `count (from|up from) ${first} to ${last}.`,
        `(please|can you|could you|will you|would you|I want you to|you should|let us|let's|I'd like you to|now|try to|go and) count from ${first} (up to|to|until) ${last}.`,
        `(list|write|give me|say|show me|print|name|tell me|type|write down|recite|I need|I want|enumerate) (the numbers|all numbers|all the numbers|the whole numbers|every number) from ${first} (up to|to|till|until) ${last}.`,
        `(list|write|give me|say|name|tell me|I need) (the numbers|all numbers|all the numbers) between ${first} and ${last}, (both included|with both|including both|including ${first} and ${last}).`,
        `(what|which) numbers (are there|come|go|are|do you say|lie|run) from ${first} to ${last}?`,
        `(numbers|counting|count|numbers going|the numbers|all numbers) from ${first} (to|up to|until) ${last}(|.|?|, please.)`,
        `(start|begin) (at|with|from) ${first} and count (|up|upwards|on) (to|until|till) ${last}.`,
        `(start|begin) (counting|to count) (at|from|with) ${first} and (stop|end|finish) (at|with|when you reach) ${last}.`,
        `(how do you|how do I|how does one|how would you) count from ${first} to ${last}?`,
        `from ${first} to ${last}, (count|count please|count up|list the numbers|say every number|all the numbers, please|which numbers are there)(.|?)`,
        `(I want to hear|let me hear|let me see|I'd like to see|show me) (you count|how you count) from ${first} to ${last}.`,
        `(my (son|daughter|child|class) (learns|is learning|wants) to count|we are learning to count|we play hide and seek): (count|please count) from ${first} to ${last}.`,
        `(${first} to ${last}, count|${first} up to ${last}, please count|${first}, ${first + 1} and so on to ${last})(|.)`,
        ...(first === 1
          ? [
              `count (up|) to ${last}.`,
              `(can you|please|could you|I want you to|would you|let's|now) count (|up) to ${last}.`,
              `(list|write|give me|say|name|I need) the first ${last} numbers.`,
              `(how do you|how do I) count to ${last}?`,
            ]
          : []),
      ],
      answer: up.join(', '),
    };
  return {
    questions: [
      `count (down|backwards|back|in reverse|downwards|backward) from ${last} to ${first}.`,
      `count (down|backwards|back) from ${last} (to|until|till|down to) ${first}.`,
      `(please|can you|could you|I want you to|would you|let's|now|will you|you should|try to|I'd like you to) count (down|backwards|back|downwards) from ${last} (to|till|until|down to) ${first}.`,
      `(list|write|say|give me|name|print|type|tell me|I need) (the numbers|all numbers|all the numbers) from ${last} (down to|back to|backwards to|down till) ${first}.`,
      `(a countdown|countdown|do a countdown|make a countdown|start a countdown|give me a countdown|I need a countdown|the countdown|can you do a countdown) from ${last} (to|down to) ${first}.`,
      `(start|begin) (at|with|from) ${last} and count (down|backwards|back) (to|until|till) ${first}.`,
      `from ${last} (down|back|backwards) to ${first}(, count|, please|, please count|: the numbers)(.|)`,
      `(numbers|counting|the numbers) (backwards|in reverse|down|going down) from ${last} to ${first}(.|?|)`,
      `(list|write|say|give me) the numbers from ${first} to ${last} (backwards|in reverse|in reverse order|the other way round|from back to front).`,
      `count from ${first} to ${last}, (but backwards|but in reverse|but the other way round).`,
      `(the rocket starts|we start a rocket|launch a rocket|new year is near): count (down|backwards) from ${last} to ${first}.`,
      `(how do you|how do I|how would you) count (down|backwards) from ${last} to ${first}?`,
    ],
    answer: up.reverse().join(', '),
  };
}

function letters(choices: Choices): Intent {
  const length = choices.integer(3, 8);
  const start = choices.chance(0.4) ? 0 : choices.integer(0, alphabet.length - length);
  const part = alphabet.slice(start, start + length);
  const [from, to] = [part[0] ?? '', part[part.length - 1] ?? ''];
  const number = choices.chance(0.5) ? `${length}` : (numberWords[length] ?? '');
  const list =
    '(list|say|write|give me|tell me|name|recite|show me|type|print|write down|I need|can you list|can you say|could you write|please list|please say|can you recite|I want)';
  return {
    questions: [
      `${list} (the letters|all letters|all the letters|the letters of the alphabet) from ${from} (to|up to|until) ${to}.`,
      `${list} (the alphabet|the part of the alphabet|the abc|the ABC) from ${from} (to|up to|until) ${to}.`,
      `(what|which) letters (are|come|are there|go|lie|run|do you say) from ${from} to ${to}?`,
      `(letters|alphabet|the letters|the alphabet|abc) from ${from} to ${to}(|.|?|, please.)`,
      `(start|begin) (at|with) ${from} and (go on|say the alphabet|list the letters|go through the alphabet) (to|up to|until) ${to}.`,
      `from ${from} to ${to}, (which letters are there|list the letters|say the alphabet|all letters, please|which letters come)(?|.)`,
      ...(start === 0
        ? [
            `(name|list|give me|what are|write|say|tell me|I need|can you list|please name) the first ${number} letters (of the alphabet|of the abc|in the alphabet).`,
            `(which|what) are the first ${number} letters of the alphabet?`,
            `(the alphabet|the abc) (up to|until|as far as) ${to}(, please.|.|)`,
            `(with|by) which ${number} letters does the alphabet (begin|start)?`,
          ]
        : []),
      ...(start + length === alphabet.length
        ? [
            `(name|list|give me|what are|write|say|tell me|I need) the last ${number} letters of the alphabet.`,
          ]
        : []),
    ],
    answer: part.join(', '),
  };
}

function wholeSeries(choices: Choices): Intent {
  const [name, items] = choices.pick([
    ['the days of the week', days],
    ['the months of the year', months],
    ['the planets of the solar system', planets],
    ['the letters of the alphabet', alphabet],
    ['the seasons', ['spring', 'summer', 'autumn', 'winter']],
  ] as const);
  const all = name.replace('the ', '');
  return {
    questions: [
      `(list|name|say|write|give me|tell me|recite|show me|type|I need|I want|enumerate|write down|print) ${name}.`,
      `(list|name|tell me|write|say|give me|I need|recite) (all|all of) ${name} (in order|in the right order|one by one|from first to last|).`,
      `(what|which|what exactly) are ${name}?`,
      `(what|which) are all ${name} (|in order|by name)?`,
      `(can you|could you|please|would you|I want you to|will you|I need you to) (list|name|say|write|recite|tell me) (|all) ${name} (|for me|in order).`,
      `(do you know|can you remember|have you learned|can you tell me) ${name}?`,
      `(what are|which are|tell me|give me|list|I need) the names of ${name}(.|?)`,
      `(how are|what are) ${name} (called|named)?`,
      `(a list|list|the list|full list|a complete list|make a list|give me a list|I need a list) of (${name}|all ${name}|all ${all}).`,
      `(I forgot|I don't know|I can't remember|I never learned|I always forget|I do not know|my son has to learn|we are learning) ${name}. (Can you help|What are they|List them|Name them|Tell me|Please list them|Which are they)(.|?)`,
      `${name}(?|, please.|, all of them.|, in order.|, one by one.|: list them.|: what are they?|...)`,
      `(which|what) ${all} are there?`,
    ],
    answer: items.join(', '),
  };
}

function steps(choices: Choices): Intent {
  const step = choices.pick([2, 2, 5, 5, 10, 10, 3, 4]);
  const count = choices.integer(3, 10);
  const multiples = Array.from({ length: count }, (_, index) => (index + 1) * step);
  const last = step * count;
  const word = { 2: 'twos', 3: 'threes', 4: 'fours', 5: 'fives', 10: 'tens' }[step] ?? '';
  const pleaseCount =
    '(count|please count|can you count|could you count|I want you to count|would you count|now count|let us count|try to count)';
  return {
    questions: [
      `${pleaseCount} (by|in) (${word}|${step}s) (to|up to|from ${step} to|until|till) ${last}.`,
      `${pleaseCount} in steps of (${step}|${numberWords[step]}) (from ${step} to|to|up to|until) ${last}.`,
      `count (from ${step} to|to|up to) ${last} (by|in) (${word}|${step}s).`,
      `(list|write|name|what are|give me|say|I need|show me|tell me) the (multiples of (${step}|${numberWords[step]})|numbers of the ${step} times table) (up to|until|from ${step} to) ${last}.`,
      `(skip count|skip counting|counting) (by|in) (${word}|${step}s) (to|up to) ${last}.`,
      `the (${step} times table|times table of ${step}) up to ${last}.`,
      `(start|begin) (at|with) ${step} and (always add|keep adding|go up by|add) ${step} (until|up to|till) ${last}.`,
      ...(step === 2
        ? [
            `(list|write|name|what are|give me|say|I need|tell me|show me|which are) (the|all|all the) even numbers (from 2 to|up to|until) ${last}.`,
            `(which|what) (even numbers are there|numbers are even) (up to|from 2 to) ${last}?`,
          ]
        : []),
    ],
    answer: multiples.join(', '),
  };
}

function singular(plural: string): string {
  const irregular: Readonly<Record<string, string>> = {
    cherries: 'cherry',
    countries: 'country',
    cities: 'city',
    clothes: 'piece of clothing',
    fish: 'fish',
    berries: 'berry',
    'pieces of furniture': 'piece of furniture',
    hobbies: 'hobby',
    currencies: 'currency',
    dances: 'dance',
    'European countries': 'European country',
    'Asian countries': 'Asian country',
    'African countries': 'African country',
  };
  return irregular[plural] ?? plural.replace(/s$/, '');
}
