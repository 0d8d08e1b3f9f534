import { addInWords, isHeldOutSum, subtractInWords } from '../chat/arithmetic.ts';
import type { Choices } from '../text/choices.ts';
import type { Riddle } from './riddles.ts';
import { joinWords } from '../tools/tool-outcome.ts';
import { ask } from '../text/wording.ts';

const opener =
  "(what is|what's|how much is|calculate|compute|work out|tell me|solve|can you calculate|please work out|I need|what is the result of|give me|)";
const what = '(apples|coins|books|euros|eggs|stamps|pens|cards|marbles|shells|points|nuts)';

/** Adds by tens and ones; the running total is on the last step. */
function addInSteps(left: number, right: number): string[] {
  if (left < 10 && right < 10) return [`${left} + ${right} = ${left + right}`];
  const tens = (number: number): number => number - (number % 10);
  const [tensSum, onesSum] = [tens(left) + tens(right), (left % 10) + (right % 10)];
  return [
    `tens: ${tens(left)} + ${tens(right)} = ${tensSum}`,
    `ones: ${left % 10} + ${right % 10} = ${onesSum}`,
    `${tensSum} + ${onesSum} = ${tensSum + onesSum}`,
  ];
}

export function sumOfTwo(choices: Choices): Riddle {
  const [left, right] = drawPair(choices, 1, 99);
  const { question, answer } = ask(choices, {
    questions: [
      `${opener} ${left} + ${right}(?| =|)`,
      `${opener} ${left} plus ${right}?`,
      `${opener} the sum of ${left} and ${right}?`,
      `(add|add up|sum|sum up|please add|can you add) ${left} and ${right}.`,
      `add ${right} to ${left}.`,
      `${left}+${right}(=|?|)`,
      `(how much|what) (do|will) ${left} and ${right} (make|give|add up to)(| together)?`,
      `(which number|what) (do I get|comes out|do you get) (if|when) I add ${right} to ${left}?`,
      `I have ${left} ${what} and (get|buy|find) ${right} more. How many (is that|do I have|are there)?`,
      `${left} and ${right} together(?|, how much is that?|: how much?)`,
      `${left} more than ${right} is (what|how much|which number)?`,
    ],
    answer: `${left} + ${right} = ${left + right}.`,
  });
  return { question, steps: addInSteps(left, right), answer, direct: addInWords(left, right) };
}

export function sumOfThree(choices: Choices): Riddle {
  const [a, b] = drawPair(choices, 1, choices.chance(0.6) ? 20 : 60);
  const c = choices.integer(1, 9);
  const { question, answer } = ask(choices, {
    questions: [
      `${opener} ${a} + ${b} + ${c}(?| =|)`,
      `${opener} ${a} plus ${b} plus ${c}?`,
      `${opener} the sum of ${a}, ${b} and ${c}?`,
      `(add|add up|sum|sum up|please add|can you add|add together) ${a}, ${b} and ${c}.`,
      `${a}+${b}+${c}(=|?|)`,
      `(how much|what) do ${a}, ${b} and ${c} (make|give|add up to)(| together| in all)?`,
      `${a}, ${b}, ${c}: (what is the sum|how much together|add them|add them up|the total)?`,
      `(add|sum up|total) these (three |)(numbers|values): ${a}, ${b}, ${c}.`,
      `I (buy|have|got) ${a} ${what}, then ${b} and then ${c} more. How many (is that|are there) (in all|together|altogether)?`,
      `(what is|tell me|I need) the total of ${a}, ${b} and ${c}?`,
      `(first|start with) ${a}, then ${b} more, then ${c} more: how many?`,
    ],
    answer: `${a} + ${b} + ${c} = ${a + b + c}.`,
  });
  return { question, steps: [`${a} + ${b} = ${a + b}`, `${a + b} + ${c} = ${a + b + c}`], answer };
}

export function difference(choices: Choices): Riddle {
  const [first, second] = drawPair(choices, 1, 99);
  const [left, right] = first > second ? [first, second] : [second, first];
  const tens = right - (right % 10);
  const steps =
    tens === 0 || right === tens
      ? [`${left} - ${right} = ${left - right}`]
      : [`${left} - ${tens} = ${left - tens}`, `${left - tens} - ${right % 10} = ${left - right}`];
  const { question, answer } = ask(choices, {
    questions: [
      `${opener} ${left} - ${right}(?| =|)`,
      `${opener} ${left} minus ${right}?`,
      `(subtract|take|take away|please subtract|deduct) ${right} from ${left}.`,
      `${opener} the difference (of|between) ${left} and ${right}?`,
      `${left}-${right}(=|?|)`,
      `(what is left|how much is left|how much remains) (when|if) (you take|I take) ${right} from ${left}?`,
      `I have ${left} ${what} and (give away|lose|spend|sell) ${right}. How many (are left|do I have|remain)?`,
      `(what|which number) is ${right} less than ${left}?`,
      `how much (more|bigger|larger) is ${left} than ${right}?`,
      `${left} without ${right}(?| is what?| leaves how many?)`,
    ],
    answer: `${left} - ${right} = ${left - right}.`,
  });
  return { question, steps, answer, direct: subtractInWords(left, right) };
}

/** Different numbers, often of the same length or close to each other. */
function drawNumbers(choices: Choices, count: number): number[] {
  const [least, most] = choices.weighted([
    [[1, 99], 55],
    [[1, 20], 12],
    [[100, 999], 14],
    [[1, 999], 14],
    [[1000, 9999], 5],
  ] as const);
  const start = choices.chance(0.15) ? choices.integer(least, Math.max(least, most - 12)) : undefined;
  const numbers = new Set<number>();
  while (numbers.size < count)
    numbers.add(start === undefined ? choices.integer(least, most) : choices.integer(start, start + 12));
  return choices.shuffle([...numbers]);
}

const rising = (numbers: readonly number[]): number[] => numbers.toSorted((left, right) => left - right);

export function comparison(choices: Choices): Riddle {
  return choices.weighted([
    [ofTwo, 50],
    [ofSeveral, 35],
    [isMore, 15],
  ])(choices);
}

function ofTwo(choices: Choices): Riddle {
  const numbers = drawNumbers(choices, 2);
  const [left = 0, right = 0] = numbers;
  const [small = 0, big = 0] = rising(numbers);
  const more = choices.chance(0.5);
  const word = choices.pick(
    more ? ['bigger', 'larger', 'greater', 'higher', 'more'] : ['smaller', 'less', 'lower'],
  );
  const { question, answer } = ask(choices, {
    questions: [
      `(which|what) is ${word}(,|:) ${left} or ${right}?`,
      `(which number|which one|which value|which of them|what number) is ${word}(,|:) ${left} or ${right}?`,
      `${left} or ${right}(:|,) (which|which one|which number|what) is ${word}?`,
      `which (number |one |)of ${left} and ${right} is ${word}?`,
      `(tell me|say|find out|can you tell me|do you know|I wonder|I need to know) which is ${word}(,|:) ${left} or ${right}.`,
      `of ${left} and ${right}, which (one |number |)is ${word}?`,
      `(compare|look at) ${left} and ${right}(.|:) (which|which one|what) is ${word}?`,
      `is ${left} or ${right} ${word}?`,
      ...(word === 'more' || word === 'less'
        ? []
        : [
            `(what is|give me|name|pick|choose|tell me|find) the ${word} (number|one)(:|,) ${left} or ${right}.`,
            `(what is|give me|name|pick|tell me) the ${word} of ${left} and ${right}.`,
            `(here are two numbers|two numbers): ${left} and ${right}. Which is the ${word} one?`,
          ]),
    ],
    answer: `${more ? big : small} is ${word}.`,
  });
  return { question, steps: [`The numbers are ${left} and ${right}.`, `${small} < ${big}`], answer };
}

function ofSeveral(choices: Choices): Riddle {
  const numbers = drawNumbers(choices, choices.chance(0.7) ? 3 : 4);
  const sorted = rising(numbers);
  const more = choices.chance(0.5);
  const word = choices.pick(
    more ? ['biggest', 'largest', 'greatest', 'highest'] : ['smallest', 'lowest', 'least', 'smallest'],
  );
  const [and, or] = [joinWords(numbers.map(String)), joinWords(numbers.map(String)).replace(' and ', ' or ')];
  const { question, answer } = ask(choices, {
    questions: [
      `(which|what) is the ${word}(:|,) ${or}?`,
      `(which|what) (number|one|value) is the ${word}(:|,) ${or}?`,
      `(which|what) is the ${word} (of|among) ${and}?`,
      `(which|what) is the ${word} number (of|among) ${and}?`,
      `(tell me|find|name|give me|pick|choose|show me|I need|what is) the ${word} (number |)(of|among|out of) ${and}.`,
      `${numbers.join(', ')}(: |. )(which|what|which one|which number) is the ${word}?`,
      `of (the numbers |)${and}, (which|which one|what) is the ${word}?`,
      `(compare|look at|take) ${and}(. |: )(which|which one) is the ${word}?`,
      `(the |)${word} (of|number of|among) ${and}?`,
    ],
    answer: `${(more ? sorted.at(-1) : sorted[0]) ?? 0} is the ${word}.`,
  });
  return { question, steps: [`The numbers are ${and}.`, sorted.join(' < ')], answer };
}

/** "Is 9 larger than 4?" */
function isMore(choices: Choices): Riddle {
  const numbers = drawNumbers(choices, 2);
  const [left = 0, right = 0] = numbers;
  const [small = 0, big = 0] = rising(numbers);
  const more = choices.chance(0.5);
  const word = choices.pick(
    more ? ['bigger', 'larger', 'greater', 'higher', 'more'] : ['smaller', 'less', 'lower'],
  );
  const isSo = left > right === more;
  const { question, answer } = ask(choices, {
    questions: [
      `is ${left} ${word} than ${right}?`,
      `is (the number|the value) ${left} ${word} than ${right}?`,
      `(tell me|say|do you know|can you tell me|I wonder) (if|whether) ${left} is ${word} than ${right}.`,
      `${left} is ${word} than ${right}(, right|, true or false|, is that so|: yes or no)?`,
    ],
    answer: isSo ? `Yes, ${left} is ${word} than ${right}.` : `No, ${left} is not ${word} than ${right}.`,
  });
  return { question, steps: [`The numbers are ${left} and ${right}.`, `${small} < ${big}`], answer };
}

export function ordering(choices: Choices): Riddle {
  const count = choices.weighted([
    [2, 6],
    [3, 46],
    [4, 30],
    [5, 18],
  ]);
  const numbers = drawNumbers(choices, count);
  const falls = choices.chance(0.45);
  const ordered = falls ? rising(numbers).toReversed() : rising(numbers);
  const direction = falls ? 'largest' : 'smallest';
  const first = falls
    ? '(largest|biggest|highest|greatest|largest)'
    : '(smallest|lowest|least|smallest|smallest)';
  const manner = falls
    ? `(the ${first} first|${first} first|starting with the ${first}|beginning with the ${first}|from largest to smallest|from large to small|from high to low|from highest to lowest|from the largest to the smallest|from big to small|in descending order|descending|in falling order|in decreasing order)`
    : `(the ${first} first|${first} first|starting with the ${first}|beginning with the ${first}|from smallest to largest|from small to large|from low to high|from lowest to highest|from the smallest to the largest|from small to big|in ascending order|ascending|in rising order|in increasing order)`;
  const [listed, plain] = [joinWords(numbers.map(String)), numbers.join(', ')];
  const { question, answer } = ask(choices, {
    questions: [
      `(sort|order|arrange|rank|line up|please sort|can you sort|could you order) (|the numbers |these numbers: |the following: )${listed}(,| ) ${manner}.`,
      `(sort|order|arrange|rank|line up|list|write|please sort) (these numbers|these|the numbers|this list|the following numbers|them)(,| ) ${manner}: ${plain}.`,
      `(put|bring|set|get) (|the numbers )${listed} (in|into) order, ${manner}.`,
      `(write|list|say|give me|show) ${listed} ${manner}.`,
      `${plain}(: |. )(sort|order|arrange|rank|put) (them|these|the numbers) ${manner}.`,
      `${plain} ${manner}(|, please)(.|?)`,
      `${manner}: ${plain}.`,
      `(what is|what would be|tell me|which is) the order of ${listed} ${manner}?`,
      `how do (you sort|I sort|I order|you arrange) ${listed} ${manner}?`,
      `I (have|need|got) (the numbers |)${listed}(.| and want them sorted.) (Sort|Order|List|Put) them ${manner}.`,
    ],
    answer: `${ordered.join(', ')}.`,
  });
  return {
    question,
    steps: ordered.map((number, index) =>
      index === 0 ? `The ${direction} is ${number}.` : `Then ${number}.`,
    ),
    answer,
  };
}

export function evenOrOdd(choices: Choices): Riddle {
  const number = choices.integer(1, choices.chance(0.8) ? 999 : 99_999);
  const { question, answer } = ask(choices, {
    questions: [
      `is (|the number )${number} (even or odd|odd or even|an even or an odd number|an odd or an even number)?`,
      `${number}(:|,) (even or odd|odd or even)?`,
      `(tell me|say|do you know|can you tell me|I wonder|check|find out) (if|whether) ${number} is (even or odd|odd or even).`,
      `(what is|which is) ${number}, (even or odd|odd or even)?`,
      `(even or odd|odd or even)(:|,) ${number}?`,
      `does ${number} count as (even or odd|odd or even)?`,
    ],
    answer: `${number} is ${number % 2 === 0 ? 'even' : 'odd'}.`,
  });
  return { question, steps: [`${number} ends in ${number % 10}.`], answer };
}

export function tensAndOnes(choices: Choices): Riddle {
  const number = choices.integer(11, 99);
  const [tens, ones] = [Math.floor(number / 10), number % 10];
  const { question, answer } = ask(choices, {
    questions: [
      `how many tens and (how many |)ones (are in|are there in) ${number}?`,
      `how many tens and ones does ${number} have?`,
      `(what are|tell me|give me|name|write down) the tens and (the |)ones (of|in) ${number}.`,
      `(split|break|divide|take apart) ${number} (into|in) tens and ones.`,
      `${number} in tens and ones(?|, please.)`,
    ],
    answer: `${number} has ${tens} ${tens === 1 ? 'ten' : 'tens'} and ${ones} ${ones === 1 ? 'one' : 'ones'}.`,
  });
  return { question, steps: [`${number} = ${number - ones} + ${ones}`], answer };
}

/** Two numbers that the evaluation does not add or subtract. */
export function drawPair(choices: Choices, least: number, most: number): [number, number] {
  const [first, second] = [choices.integer(least, most), choices.integer(least, most)];
  return isHeldOutSum(first, second) || isHeldOutSum(second, first)
    ? drawPair(choices, least, most)
    : [first, second];
}
