import type { ValueKind } from '../text/values.ts';
import { words } from './rows.ts';
import { moreSlots } from './tool-slots-more.ts';

/** One parameter of made-up tools: what it may be called, and how a question and a description say it. */
export interface Slot {
  readonly keys: readonly string[];
  readonly kind: ValueKind;
  /** `{}` stands for the value; it occurs literally, save for flags. */
  readonly phrases: readonly string[];
  /** How a flag that is not wanted is said. */
  readonly negated?: readonly string[];
  /** How the description says it. */
  readonly described: string;
  readonly enums?: readonly (readonly string[])[];
}

const slot = (keys: string, kind: ValueKind, described: string, phrases: readonly string[]): Slot => ({
  keys: words(keys),
  kind,
  described,
  phrases,
});

const quoted = (lead: string): string[] => [`${lead} '{}'`, `${lead} "{}"`];

export const slots = {
  ...moreSlots,
  city: slot('city location place town', 'city', 'in a city', ['in {}', 'for {}', 'in {}']),
  country: slot('country', 'country', 'of a country', ['of {}', 'in {}']),
  origin: slot('origin from_city start', 'city', 'from a city', ['from {}']),
  destination: slot('destination to_city target', 'city', 'to a city', ['to {}']),
  person: slot('name person user customer', 'person', 'of a person', ['of {}', 'for {}']),
  owner: slot('owner name user_name', 'fullName', 'for a person', ['for {}']),
  recipient: slot('to recipient receiver', 'person', 'to a person', ['to {}']),
  address: slot('email to address', 'email', 'to an email address', ['to {}']),
  guest: slot('guest contact person with_person', 'person', 'with a person', ['with {}']),
  artist: slot('artist singer band', 'fullName', 'by an artist', ['by {}']),
  text: slot('text content message body', 'phrase', 'with a text', [
    ...quoted('with the text'),
    ...quoted('saying'),
    'that says {}',
    ...quoted('with text'),
  ]),
  subject: slot('subject topic', 'phrase', 'about a topic', [...quoted('about'), 'about {}']),
  title: slot('title name label', 'title', 'with a title', ['called {}', ...quoted('called'), 'named {}']),
  query: slot('query term search keywords', 'phrase', 'for a query', [
    'for {}',
    ...quoted('for'),
    'about {}',
  ]),
  minutes: slot('minutes duration_minutes duration', 'small', 'for some minutes', ['for {} minutes']),
  seconds: slot('seconds duration_seconds', 'count', 'for some seconds', ['for {} seconds']),
  days: slot('days nights', 'digit', 'for some days', ['for {} days']),
  time: slot('time at start_time', 'time', 'at a time', ['at {}']),
  date: slot('date on_date', 'date', 'on a date', ['on {}']),
  day: slot('day weekday', 'weekday', 'on a day', ['on {}']),
  level: slot('level value percent', 'small', 'to a level', ['to {}', 'to level {}']),
  quantity: slot('quantity count number pieces how_many', 'count', 'with a quantity', [
    'with quantity {}',
    '{} times',
    '({} pieces)',
    '({} of them)',
  ]),
  people: slot('people guests seats', 'digit', 'for some people', ['for {} people']),
  amount: slot('amount euros', 'count', 'of an amount', ['of {} euros', 'of {}']),
  price: slot('price amount cost', 'decimal', 'at a price', ['for {} euros', 'at {} euros']),
  code: slot('code id number reference', 'code', 'with a code', [
    '{}',
    'with code {}',
    'number {}',
    'with the id {}',
  ]),
  account: slot('account account_id iban', 'code', 'of an account', ['of account {}', 'for account {}']),
  number: slot('number id index', 'count', 'with a number', ['number {}', '{}']),
  product: slot('product item article', 'product', 'of a product', ['of the {}', 'for the {}', 'of a {}']),
  food: slot('item food dish', 'food', 'of a food', ['of {}', 'with {}']),
  team: slot('team club', 'city', 'of a team', ['of {}', 'for {}']),
  year: slot('year', 'year', 'in a year', ['in {}', 'from {}', 'for the year {}']),
  soon: slot('when day date', 'soon', 'for a day', ['{}']),
  length: slot('distance length weight size_cm', 'numeric', 'with a number', [
    'with {}',
    'of {}',
    'by {}',
    'with {key} {}',
  ]),
  currency: slot('currency', 'currency', 'in a currency', ['in {}']),
  file: slot('path file', 'file', 'of a file', ['of {}']),
  urgent: {
    ...slot('urgent important private loud', 'flag', 'with a flag', [
      'with {key} {}',
      '{key}: {}',
      'and it is {key}',
      'and make it {key}',
    ]),
    negated: ['with {key} {}', '{key}: {}', 'and it is not {key}', 'but not {key}'],
  },
  unit: {
    ...slot('unit units', 'word', 'in a unit', ['in {}']),
    enums: [
      ['celsius', 'fahrenheit'],
      ['metric', 'imperial'],
      ['km', 'miles'],
    ],
  },
  state: {
    ...slot('state mode status', 'word', 'on or off', ['to {}', '{}']),
    enums: [
      ['on', 'off'],
      ['auto', 'on', 'off'],
    ],
  },
  size: {
    ...slot('size', 'word', 'in a size', ['in size {}', 'in {}']),
    enums: [
      ['small', 'medium', 'large'],
      ['small', 'large'],
    ],
  },
  colour: {
    ...slot('color colour', 'word', 'in a colour', ['in {}']),
    enums: [
      ['red', 'green', 'blue'],
      ['black', 'white'],
      ['yellow', 'red', 'purple'],
    ],
  },
  anyColour: slot('color colour', 'colour', 'in a colour', ['in {}']),
  priority: {
    ...slot('priority level', 'word', 'with a priority', ['with {} priority', 'with priority {}']),
    enums: [
      ['low', 'high'],
      ['low', 'medium', 'high'],
    ],
  },
  language: {
    ...slot('language lang', 'word', 'in a language', ['in {}', 'into {}']),
    enums: [
      ['French', 'German'],
      ['Spanish', 'Italian', 'Dutch'],
      ['English', 'Polish'],
    ],
  },
} satisfies Record<string, Slot>;

export type SlotName = keyof typeof slots;
