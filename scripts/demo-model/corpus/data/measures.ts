import { pairs, rows, words } from './rows.ts';

export const days = words('Monday Tuesday Wednesday Thursday Friday Saturday Sunday');
export const months = words(
  'January February March April May June July August September October November December',
);
export const planets = words('Mercury Venus Earth Mars Jupiter Saturn Uranus Neptune');
export const ordinals = words('first second third fourth fifth sixth seventh eighth');
export const alphabet = words('A B C D E F G H I J K L M N O P Q R S T U V W X Y Z');

/** How many of the one are in one of the other. */
export const units = rows(`
centimetres: a metre: 100; millimetres: a centimetre: 10; millimetres: a metre: 1000; metres: a kilometre: 1000
grams: a kilogram: 1000; kilograms: a tonne: 1000; milligrams: a gram: 1000; millilitres: a litre: 1000
seconds: a minute: 60; minutes: an hour: 60; hours: a day: 24; days: a week: 7; months: a year: 12
days: a year: 365; weeks: a year: 52; days: a leap year: 366; years: a decade: 10; years: a century: 100
years: a millennium: 1000; inches: a foot: 12; feet: a yard: 3; items: a dozen: 12; bits: a byte: 8
cents: a euro: 100; cents: a dollar: 100; pence: a pound: 100; degrees: a circle: 360; seconds: an hour: 3600
minutes: a day: 1440; days: June: 30; days: January: 31; letters: the English alphabet: 26
`);

/** Shape: number of sides. */
export const sides = pairs(`
triangle: 3; square: 4; rectangle: 4; pentagon: 5; hexagon: 6; heptagon: 7; octagon: 8; decagon: 10
`);
