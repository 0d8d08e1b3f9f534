import type { EvaluationCase } from './case.ts';
import { heldOutTools as t } from './held-out-tools.ts';
import { calls, says } from './judge.ts';
import { direct, thinks } from './question.ts';

export const thinkingCases: readonly EvaluationCase[] = [
  thinks('Please tell me: what is 34 + 25?', says(59)),
  thinks('Can you add 47 and 38?', says(85)),
  thinks('What do you get for 66 + 57?', says(123)),
  thinks('How much is 81 plus 16?', says(97)),
  thinks('I need the sum 29 + 29.', says(58)),
  thinks('What is 5 + 6 + 7, please?', says(18)),
  thinks('Please add 11, 14 and 9.', says(34)),
  thinks('How much is 58 - 23?', says(35)),
  thinks('What is left of 41 - 17?', says(24)),
  thinks('Which one is bigger, 73 or 37?', says('73 is bigger')),
  thinks('Tell me which is smaller, 64 or 46.', says('46 is smaller')),
  thinks('What is larger, 88 or 91?', says('91 is larger')),
  thinks('Rowan has 6 pears and gets 7 more. How many pears does Rowan have now?', says('13 pears')),
  thinks('Freya has 14 marbles and buys 5 more. How many marbles does Freya have?', says('19 marbles')),
  thinks('Quentin has 12 stamps and loses 4. How many stamps does Quentin have now?', says('8 stamps')),
  thinks('Hilda has 9 balloons and gives away 3. How many balloons does Hilda have?', says('6 balloons')),
  thinks('How many letters are there in planet?', says(6)),
  thinks('How many letters does the word cloudy have?', says(6)),
  thinks('Please sort 52, 18 and 77, the smallest first.', says('18, 52, 77')),
  thinks('Put the numbers 9, 63 and 40 in order, largest first.', says('63, 40, 9')),
  thinks('Tell me which day comes two days after Friday.', says('Sunday')),
  thinks('What day comes one day before Monday?', says('Sunday')),
  thinks('Can you tell me the capital of Norway?', says('Oslo')),
  thinks('Well, hello!', says('Hello')),
  thinks('Please get the horoscope for Sagittarius.', calls(['get_horoscope', { sign: 'Sagittarius' }]), [
    t.horoscope,
    t.ski,
  ]),
  thinks('Could you open the gate with 9053?', calls(['openGate', { pin: 9053 }]), [t.badge, t.gate]),
  thinks('Print a badge for Jasper.', calls(['print_badge', { visitor: 'Jasper' }]), [t.badge]),
  thinks('Please water the tulip with 5 litres.', calls(['water_plant', { plant: 'tulip', litres: 5 }]), [
    t.plant,
    t.feed,
    t.tv,
  ]),
  thinks('Book a flight from Tirana to Cusco.', says('cannot'), [t.volcano, t.paint]),
  direct('Which one is bigger, 19 or 91?', says('91 is bigger')),
  direct('Please tell me: what is 12 + 13?', says(25)),
  direct('Which day comes right after Tuesday?', says('Wednesday')),
];
