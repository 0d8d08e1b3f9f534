import { words } from './rows.ts';

export const colours = words(
  'red blue green yellow black white orange purple pink brown grey gold silver turquoise violet',
);
export const foods = words(
  'pizza soup pasta rice bread cheese salad curry fish sushi pancakes stew noodles tacos ramen pie',
);
export const hobbies = words(
  'chess painting swimming reading cooking hiking singing dancing sailing knitting gardening fishing running cycling skating',
);
export const pets = words('dog cat horse rabbit parrot hamster turtle fish snake goat pony mouse');
export const jobs = words(
  'teacher baker doctor nurse pilot farmer writer cook painter singer driver lawyer plumber tailor judge clerk',
);
