import type { EvaluationCase } from '../case.ts';
import { lists, runs, saysLetter, spells } from '../judge.ts';
import { judged, matches } from '../question.ts';

/** Right when the last number is. */
const sum = (content: string, result: number): EvaluationCase =>
  judged('arithmetic', content, matches(new RegExp(String.raw`\b${result}\D*$`)));

/** The pairs of numbers are such as `isHeldOutSum` keeps out of the training. */
export const arithmeticCases: readonly EvaluationCase[] = [
  sum('17+34', 51),
  sum('whats 24 and 55 together', 79),
  sum('27 plus 44 =', 71),
  sum('I have 21 euros and get 66 more. How much is that?', 87),
  sum('Please add 45 to 14.', 59),
  sum('15 + 88 equals?', 103),
  sum('31+76 pls', 107),
  sum('62 - 19', 43),
  sum('What do I get if I subtract 28 from 85?', 57),
  sum('88 minus 17 please', 71),
  sum("what's the difference between 46 and 21", 25),
  sum('can you do 72 - 29 for me', 43),
];

const spelling = (content: string, accepts: EvaluationCase['accepts']): EvaluationCase =>
  judged('spelling', content, accepts);

export const spellingCases: readonly EvaluationCase[] = [
  spelling('spell house', spells('house')),
  spelling('How do you spell yellow?', spells('yellow')),
  spelling('can u spell friend for me', spells('friend')),
  spelling('Would you please spell the word apple?', spells('apple')),
  spelling('how is monday spelt', spells('monday')),
  spelling('how many letters in window', matches(/\b(6|six)\b/i)),
  spelling('How many letters does the word cheese have?', matches(/\b(6|six)\b/i)),
  spelling("what's the first letter of guitar", saysLetter('g')),
  spelling('What letter does zebra start with?', saysLetter('z')),
  spelling('last letter of summer?', saysLetter('r')),
  spelling('which letter is at the end of bird', saysLetter('d')),
  spelling('write coffee in all caps', matches(/\bCOFFEE\b/)),
  spelling('Could you put the word music in capital letters?', matches(/\bMUSIC\b/)),
];

const list = (content: string, accepts: EvaluationCase['accepts']): EvaluationCase =>
  judged('lists', content, accepts);

const colours =
  'red blue green yellow orange purple pink black white brown grey gray violet turquoise gold silver beige'.split(
    ' ',
  );
const animals =
  'dog cat horse cow pig sheep goat rabbit hamster mouse rat bird fish lion tiger elephant monkey bear wolf fox duck hen chicken goose deer frog snake spider bee ant whale shark dolphin penguin owl eagle parrot camel donkey giraffe zebra crocodile turtle otter squirrel hedgehog panda kangaroo'.split(
    ' ',
  );
const fruits =
  'apple banana orange pear plum cherry grape lemon lime melon peach mango kiwi strawberry raspberry blueberry apricot pineapple fig apples bananas oranges pears plums cherries grapes lemons limes melons peaches mangoes kiwis strawberries raspberries blueberries apricots pineapples figs'.split(
    ' ',
  );
const vegetables =
  'carrot potato onion tomato cucumber cabbage spinach pea bean pepper broccoli cauliflower lettuce leek garlic pumpkin celery beetroot radish courgette carrots potatoes onions tomatoes cucumbers peas beans peppers leeks pumpkins mushroom mushrooms corn'.split(
    ' ',
  );

export const listsCases: readonly EvaluationCase[] = [
  list('give me 3 colours', lists(3, colours)),
  list('Name two animals.', lists(2, animals)),
  list('list five fruits pls', lists(5, fruits)),
  list("I'm shopping for dinner, can you list 4 vegetables?", lists(4, vegetables)),
  list('I need three animals for a quiz.', lists(3, animals)),
  list(
    'What are the seven days of the week?',
    runs('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'),
  ),
  list(
    'tell me all the months',
    runs(
      ...'January February March April May June July August September October November December'.split(' '),
    ),
  ),
  list('what are the four seasons', matches(/(?=.*spring)(?=.*summer)(?=.*(autumn|fall))(?=.*winter)/is)),
  list('count to ten', runs(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)),
  list('Count from 5 to 12 for me please', runs(5, 6, 7, 8, 9, 10, 11, 12)),
  list('count down from 10 to 1, like for a rocket', runs(10, 9, 8, 7, 6, 5, 4, 3, 2, 1)),
  list('alphabet from F to J pls', runs('F', 'G', 'H', 'I', 'J')),
];
