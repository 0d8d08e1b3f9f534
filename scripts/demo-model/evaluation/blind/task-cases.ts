import type { EvaluationCase } from '../case.ts';
import { extracts } from '../extracts.ts';
import { calls, runs, says } from '../judge.ts';
import { direct, matches, thinks } from '../question.ts';
import { blindTools as t } from './tools.ts';

export const thinkingCases: readonly EvaluationCase[] = [
  thinks("what's 43 + 32", says(75)),
  thinks('50 plus 53?', says(103)),
  thinks('Can you work out 4 + 9 + 12?', says(25)),
  thinks('how much is 96 - 71', says(25)),
  thinks('which number is bigger, 58 or 85', matches(/^\W*85\W*$|\b85 is (the )?(bigger|larger|greater)/i)),
  thinks('Tom had 8 apples and ate 3. How many does he have left?', matches(/\b(5|five)\b/i)),
  thinks('I have 15 euros and spend 6. What do I have left?', matches(/\b(9|nine)\b/i)),
  thinks(
    'Lena read 10 pages today and 12 yesterday, how many pages altogether?',
    matches(/\b(22|twenty-two)\b/i),
  ),
  thinks('how many letters in the word orange', matches(/\b(6|six)\b/i)),
  thinks('put 31, 8 and 19 in order from small to big', runs(8, 19, 31)),
  thinks('What day is it two days after Monday?', says('Wednesday')),
  thinks('start the vacuum in the attic', calls([t.vacuum.name, { room: 'attic' }]), [t.vacuum, t.tide]),
  thinks('book me a hotel in Split', matches(/\b(cannot|can't|not able|no tool)\b/i), [t.fish, t.dice]),
  direct('which one is smaller, 17 or 71?', matches(/^\W*17\W*$|\b17 is (the )?(smaller|lower|less)/i)),
  direct('wednesday is followed by which day', matches(/(?<!after )\bThursday\b/i)),
];

export const jsonCases: readonly EvaluationCase[] = [
  extracts('Name, age and city from this please: Carmen is 33 and she lives in Granada.', {
    name: 'Carmen',
    age: 33,
    city: 'Granada',
  }),
  extracts('get the name and city out of: my friend Otto comes from Dresden', {
    name: 'Otto',
    city: 'Dresden',
  }),
  extracts('make json of this: Priya, 41, Leeds', { name: 'Priya', age: 41, city: 'Leeds' }),
  extracts("This is Luca and he's 19.", { name: 'Luca', age: 19 }),
  extracts('Fatima works as a dentist and lives in Tunis.', {
    name: 'Fatima',
    job: 'dentist',
    city: 'Tunis',
  }),
  extracts('new contact: Erik, email erik@fjordmail.no', { name: 'Erik', email: 'erik@fjordmail.no' }),
  extracts('Nadia is 27 and has a dog. JSON please!', { name: 'Nadia', age: 27, pet: 'dog' }),
  extracts('the lamp costs 25 euros', { product: 'lamp', price: 25 }),
  extracts('The party is on Saturday at 20:00 in Bergen. I need day, time and city.', {
    day: 'Saturday',
    time: '20:00',
    city: 'Bergen',
  }),
  extracts("I'm Greta and my phone number is 555-0182.", { name: 'Greta', phone: '555-0182' }),
  extracts('Sam is married and has 2 children, put that in JSON', {
    name: 'Sam',
    married: true,
    children: 2,
  }),
  extracts('I am selling a red bike for 140 euros.', { product: 'bike', colour: 'red', price: 140 }),
  extracts('Quiet Rivers was written by Jonas Hale and has 312 pages. title, author, pages as json', {
    title: 'Quiet Rivers',
    author: 'Jonas Hale',
    pages: 312,
  }),
];
