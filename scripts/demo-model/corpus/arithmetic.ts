import type { Choices } from './choices.ts';
import { ask, type Exchange } from './wording.ts';

/** True for pairs of numbers that only the evaluation adds or subtracts. */
export function isHeldOutSum(first: number, second: number): boolean {
  return (first * 7 + second) % 10 === 3 && first >= 10 && second >= 10;
}

const opener = "(what is|what's|how much is|calculate|compute|work out|tell me|solve|can you calculate|)";

/** A sum, a difference that is not negative, or a product of the times tables. */
export function writeArithmeticExchange(choices: Choices): Exchange {
  const [first, second] = drawPair(choices);
  const [large, small] = first > second ? [first, second] : [second, first];
  switch (
    choices.weighted([
      ['sum', 45],
      ['difference', 35],
      ['product', 20],
    ] as const)
  ) {
    case 'sum':
      return ask(choices, {
        questions: [
          `${opener} ${first} + ${second}(?|?| =|)`,
          `${opener} ${first} + ${second}?`,
          `${opener} ${first} plus ${second}?`,
          `${opener} the sum of ${first} and ${second}?`,
          `add ${first} (and|to|plus) ${second}.`,
          `${first}+${second}(=|?|)`,
          `(what do|how much do) ${first} and ${second} (make|add up to|give)?`,
          `if I have ${first} (apples|coins|books|euros|eggs) and get ${second} more, how many do I have?`,
          `there are ${first} (cats|birds|cars|pens) and ${second} more come. How many are there?`,
        ],
        answer: addInWords(first, second),
      });
    case 'difference':
      return ask(choices, {
        questions: [
          `${opener} ${large} - ${small}(?|?| =|)`,
          `${opener} ${large} - ${small}?`,
          `${opener} ${large} minus ${small}?`,
          `subtract ${small} from ${large}.`,
          `take ${small} (away from|from) ${large}.`,
          `${large}-${small}(=|?|)`,
          `${opener} the difference (of|between) ${large} and ${small}?`,
          `(what is left|how much is left) when you take ${small} from ${large}?`,
          `if I have ${large} (apples|coins|books|euros|eggs) and (give away|lose|spend) ${small}, how many are left?`,
        ],
        answer: subtractInWords(large, small),
      });
    case 'product': {
      const [one, other] = [choices.integer(0, 10), choices.integer(1, 10)];
      return ask(choices, {
        questions: [
          `${opener} ${one} (*|x) ${other}(?|?| =|)`,
          `${opener} ${one} times ${other}?`,
          `${opener} ${one} multiplied by ${other}?`,
          `${opener} the product of ${one} and ${other}?`,
          `multiply ${one} (by|and|with) ${other}.`,
          `${one}*${other}(=|?|)`,
        ],
        answer: `${one} * ${other} = ${one * other}.`,
      });
    }
  }
}

/** The sum, by tens and ones where both numbers have them: a tiny model has to write down what it carries. */
export function addInWords(first: number, second: number): string {
  const sum = `${first} + ${second} = ${first + second}.`;
  if (first < 10 || second < 10) return sum;
  const [tens, ones] = [first - (first % 10) + second - (second % 10), (first % 10) + (second % 10)];
  const steps = [
    `${first - (first % 10)} + ${second - (second % 10)} = ${tens}`,
    `${first % 10} + ${second % 10} = ${ones}`,
  ];
  return `${steps.join(', ')}, so ${sum}`;
}

/** The difference, the tens taken away first and then the ones. */
export function subtractInWords(large: number, small: number): string {
  const difference = `${large} - ${small} = ${large - small}.`;
  const [tens, ones] = [small - (small % 10), small % 10];
  if (tens === 0 || ones === 0) return difference;
  return `${large} - ${tens} = ${large - tens}, ${large - tens} - ${ones} = ${large - small}, so ${difference}`;
}

/** Two numbers below 100, more of them with two digits. */
function drawPair(choices: Choices): [number, number] {
  const draw = (): number => (choices.chance(0.2) ? choices.integer(0, 9) : choices.integer(10, 99));
  const [first, second] = [draw(), draw()];
  return isHeldOutSum(first, second) || isHeldOutSum(second, first) ? drawPair(choices) : [first, second];
}
