import type { EvaluationCase } from './case.ts';
import { extracts } from './extracts.ts';

export const jsonCases: readonly EvaluationCase[] = [
  extracts('Extract name, age and city as JSON: Agnes is 47 and lives in Ljubljana.', {
    name: 'Agnes',
    age: 47,
    city: 'Ljubljana',
  }),
  extracts('Extract city and name as JSON: Bartek lives in Seville.', { city: 'Seville', name: 'Bartek' }),
  extracts('Give me a JSON object with name and job for: Clovis works as a nurse.', {
    name: 'Clovis',
    job: 'nurse',
  }),
  extracts('Dorothea is 62 years old and has a parrot. As JSON, please.', {
    name: 'Dorothea',
    age: 62,
    pet: 'parrot',
  }),
  extracts('Ewan, 29, Tampere', { name: 'Ewan', age: 29, city: 'Tampere' }),
  extracts('Freya, 53, from Marseille.', { name: 'Freya', age: 53, city: 'Marseille' }),
  extracts('Turn this into JSON: Gideon works as a pilot and is happy.', {
    name: 'Gideon',
    job: 'pilot',
    happy: true,
  }),
  extracts('Extract name and happy: Hilda is not happy.', { name: 'Hilda', happy: false }),
  extracts('As JSON: Imogen has the email imogen@lagoon.org.', {
    name: 'Imogen',
    email: 'imogen@lagoon.org',
  }),
  extracts('Jasper can be called at 771-4093. Give me name and phone as JSON.', {
    name: 'Jasper',
    phone: '771-4093',
  }),
  extracts('Konrad likes green and comes from Bratislava. Give me JSON.', {
    name: 'Konrad',
    colour: 'green',
    city: 'Bratislava',
  }),
  extracts('Extract age, name and job as JSON: Leonie is 36 and is a tailor.', {
    age: 36,
    name: 'Leonie',
    job: 'tailor',
  }),
  extracts('Extract the facts as JSON: Magnus is married and has 4 children.', {
    name: 'Magnus',
    married: true,
    children: 4,
  }),
  extracts('The wheelbarrow costs 86 euros. As JSON, please.', { product: 'wheelbarrow', price: 86 }),
  extracts('Extract product, price and color as JSON: The hammock is purple and costs 47.5 euros.', {
    product: 'hammock',
    price: 47.5,
    color: 'purple',
  }),
  extracts(
    'This telescope has the code ZR-7719 and is not available. Answer as JSON with product, code and available.',
    {
      product: 'telescope',
      code: 'ZR-7719',
      available: false,
    },
  ),
  extracts('Our trampoline weighs 39 kg and has a rating of 4.6. Give me JSON.', {
    product: 'trampoline',
    weight: 39,
    rating: 4.6,
  }),
  extracts(
    'Extract title, author and year as JSON: Velvet Comet was written by Ottilie Brandt and came out in 1974.',
    {
      title: 'Velvet Comet',
      author: 'Ottilie Brandt',
      year: 1974,
    },
  ),
  extracts('The novel Amber Lagoon has 418 pages. As JSON, please.', { title: 'Amber Lagoon', pages: 418 }),
  extracts('Turn this into JSON: The book Copper Thunder is by Tobias Lindqvist.', {
    title: 'Copper Thunder',
    author: 'Tobias Lindqvist',
  }),
  extracts(
    'Extract event, day and time as JSON: The event Lantern Parade is on Friday and starts at 18:25.',
    {
      event: 'Lantern Parade',
      day: 'Friday',
      time: '18:25',
    },
  ),
  extracts(
    'The event Kelp Summit takes place in Reykjavik and has 640 guests. Give me event, city and guests as JSON.',
    {
      event: 'Kelp Summit',
      city: 'Reykjavik',
      guests: 640,
    },
  ),
  extracts('Noemi orders dumplings and takes 7 pieces. As JSON, please.', {
    customer: 'Noemi',
    product: 'dumplings',
    quantity: 7,
  }),
  extracts('Extract customer, total and paid: Piotr pays 23.8 euros and has paid.', {
    customer: 'Piotr',
    total: 23.8,
    paid: true,
  }),
  extracts(
    'The city Medellin is in Ecuador and has 8431 people. Extract city, country and population as JSON.',
    {
      city: 'Medellin',
      country: 'Ecuador',
      population: 8431,
    },
  ),
  extracts('Rowan has the friends Sigrid and Tobias. Give me name and friends as JSON.', {
    name: 'Rowan',
    friends: ['Sigrid', 'Tobias'],
  }),
  extracts('As JSON: the lagoon is 81 and the kelp is purple.', { lagoon: 81, kelp: 'purple' }),
  extracts('Extract comet and thunder as JSON: comet = LK-2206, thunder = 9.4', {
    comet: 'LK-2206',
    thunder: 9.4,
  }),
  extracts('lantern: Seville, otter: 350. Give me lantern and otter as JSON.', {
    lantern: 'Seville',
    otter: 350,
  }),
];
