import type { EvaluationCase } from './case.ts';
import { judged, matches, question } from './question.ts';

const sum = (content: string, result: number): EvaluationCase => question('arithmetic', content, result);

/** The pairs of the sums and differences are such as `isHeldOutSum` keeps out of the training. */
export const arithmeticCases: readonly EvaluationCase[] = [
  sum('What do you get for 20 + 43?', 63),
  sum('Please add up 31 and 16.', 47),
  sum('What is the result of 42 + 29?', 71),
  sum('Could you work out 53 + 12?', 65),
  sum('I need 64 plus 25.', 89),
  sum('75 plus 18 makes what?', 93),
  sum('Tell me how much 86 + 41 is.', 127),
  sum('How much do I get when I add 37 and 24?', 61),
  sum('Do you know 58 + 67?', 125),
  sum('My sum is 69 + 80. What comes out?', 149),
  sum('What do you get for 73 - 22?', 51),
  sum('I need 82 minus 39.', 43),
  sum('What is the result of 91 - 36?', 55),
  sum('Could you work out 60 - 13?', 47),
  sum('Tell me how much 54 - 25 is.', 29),
  sum('Please take 17 away from 78.', 61),
  sum('What remains of 95 minus 48?', 47),
  sum('What do you get for 7 times 8?', 56),
  sum('I need 6 x 9.', 54),
  sum('Tell me how much 4 * 7 is.', 28),
  sum('Could you multiply 9 and 3 for me?', 27),
  sum('What is the result of 5 times 5?', 25),
  sum('Do you know 8 multiplied by 2?', 16),
];

const spell = (content: string, ...letters: readonly string[]): EvaluationCase =>
  question('spelling', content, ...letters);

/** The words are held out. */
export const spellingCases: readonly EvaluationCase[] = [
  spell('How would one spell planet?', 'p-l-a-n-e-t'),
  spell('Can you tell me how to spell winter?', 'w-i-n-t-e-r'),
  spell('I forgot how to spell garden.', 'g-a-r-d-e-n'),
  spell('Spell me the word teapot.', 't-e-a-p-o-t'),
  spell('spelling of sunlight please', 's-u-n-l-i-g-h-t'),
  spell('Please spell farmer, letter by letter.', 'f-a-r-m-e-r'),
  spell('How does one write "market", letter by letter? Spell it.', 'm-a-r-k-e-t'),
  spell('Show me how bedroom is spelled.', 'b-e-d-r-o-o-m'),
  spell('Do you know how to spell silver?', 's-i-l-v-e-r'),
  spell('Give me the spelling of raincoat.', 'r-a-i-n-c-o-a-t'),
  spell('How many letters are there in the word bread?', '5 letters'),
  spell('Tell me how many letters teacher has.', '7 letters'),
  spell('How many letters do you count in butter?', '6 letters'),
  spell('What number of letters does spoon have?', '5 letters'),
  spell('Can you count the letters of tiger?', '5 letters'),
  spell('Which letter is the first one of river? I mean the first letter.', 'is r'),
  spell('Tell me what the first letter of melon is.', 'is m'),
  spell('And the first letter of kitten is?', 'is k'),
  spell('Tell me what the last letter of pillow is.', 'is w'),
  spell('And the last letter of lemon is?', 'is n'),
  spell('What letter is the last letter of cloud?', 'is d'),
  judged('spelling', 'Please give me horse in capital letters.', matches(/\bHORSE\b/)),
  judged('spelling', 'Write green with capital letters.', matches(/\bGREEN\b/)),
];

const list = (content: string, pattern: RegExp): EvaluationCase => judged('lists', content, matches(pattern));

/** So many numbered lines, and no more. */
const lines = (count: number): RegExp => {
  const numbered = Array.from({ length: count }, (_, index) => `${index + 1}\\. [^\\n]+`);
  return new RegExp(`^${numbered.join('\\n')}\\s*$`);
};

export const listsCases: readonly EvaluationCase[] = [
  list('I would like you to name three fruits.', lines(3)),
  list('Please give me the names of two animals.', lines(2)),
  list('Can you think of four colours? Name them.', lines(4)),
  list('Tell me five countries, please.', lines(5)),
  list('Let me have a list of 3 drinks.', lines(3)),
  list('Would you list 4 planets?', lines(4)),
  list('Name for me 2 instruments.', lines(2)),
  list('I need the names of six birds.', lines(6)),
  list('Give me three sports, as a list.', lines(3)),
  list('Name any four tools.', lines(4)),
  list('Can you count from 4 up to 9?', /^4, 5, 6, 7, 8, 9\.?$/),
  list('Let us count from 12 to 17.', /^12, 13, 14, 15, 16, 17\.?$/),
  list('I want you to count to 6.', /^1, 2, 3, 4, 5, 6\.?$/),
  list('Please write all numbers from 23 to 28.', /^23, 24, 25, 26, 27, 28\.?$/),
  list('Now count backwards from 8 to 3.', /^8, 7, 6, 5, 4, 3\.?$/),
  list('I want you to count down from 15 to 11.', /^15, 14, 13, 12, 11\.?$/),
  list('Recite the letters of the alphabet from A to E.', /^A, B, C, D, E\.?$/),
  list('Which are the letters from K to P?', /^K, L, M, N, O, P\.?$/),
  list('Would you name the days of the week?', /Monday, Tuesday, .*Sunday/),
  list('All months of the year, please: list them.', /January, February, .*December/),
  list('Count up by fives to 30.', /^5, 10, 15, 20, 25, 30\.?$/),
];
