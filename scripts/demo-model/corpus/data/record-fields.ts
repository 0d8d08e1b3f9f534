import type { ValueKind } from '../values.ts';
import { words } from './rows.ts';

/** One field of a record: how a sentence about its subject says it. */
export interface RecordField {
  /** Any of them may be asked for. */
  readonly keys: readonly string[];
  readonly kind: ValueKind | 'words';
  /** `{}` stands for the value; flags have two lists instead. */
  readonly clauses: readonly string[];
  readonly negated?: readonly string[];
}

/** Things people extract facts about; the first field is the subject of the sentence. */
export interface RecordSubject {
  readonly subject: {
    readonly keys: readonly string[];
    readonly kind: ValueKind;
    readonly lead: readonly string[];
  };
  readonly fields: readonly RecordField[];
}

const field = (keys: string, kind: RecordField['kind'], ...clauses: string[]): RecordField => ({
  keys: words(keys),
  kind,
  clauses,
});

export const recordSubjects: readonly RecordSubject[] = [
  {
    subject: {
      keys: words('name name name person full_name first_name'),
      kind: 'person',
      lead: ['{}', '{}', '{}', 'My friend {}', 'Our neighbour {}'],
    },
    fields: [
      field('age age years', 'age', 'is {}', 'is {} years old'),
      field('city city town home location', 'city', 'lives in {}', 'is from {}', 'comes from {}'),
      field('country country birthplace', 'country', 'was born in {}', 'grew up in {}'),
      field('job job occupation profession work', 'job', 'works as a {}', 'is a {}'),
      field('email email mail contact', 'email', 'has the email {}', 'can be reached at {}'),
      field('phone phone telephone phone_number', 'phone', 'has the phone number {}', 'can be called at {}'),
      field('colour', 'colour', 'likes {}', 'loves the colour {}'),
      field('color', 'colour', 'likes the color {}', 'prefers {}'),
      field('pet pet animal', 'animal', 'has a {}', 'owns a {}'),
      field('hobby hobby interest', 'word', 'has the hobby {}'),
      field('food food favourite_food', 'food', 'eats {}', 'likes to eat {}'),
      field('height height height_cm', 'hundreds', 'is {} cm tall'),
      field('children children kids', 'digit', 'has {} children'),
      field('languages languages', 'words', 'speaks {}'),
      field('friends friends', 'words', 'has the friends {}'),
      {
        keys: words('happy happy is_happy'),
        kind: 'flag',
        clauses: ['is happy'],
        negated: ['is not happy', 'is unhappy'],
      },
      {
        keys: words('married married is_married'),
        kind: 'flag',
        clauses: ['is married'],
        negated: ['is not married'],
      },
      { keys: words('student'), kind: 'flag', clauses: ['is a student'], negated: ['is not a student'] },
    ],
  },
  {
    subject: { keys: words('name name full_name person'), kind: 'fullName', lead: ['{}'] },
    fields: [
      field('age age years', 'age', 'is {}', 'is {} years old'),
      field('city city town home location', 'city', 'lives in {}', 'moved to {}'),
      field('company company employer', 'title', 'works for {}', 'works at {}'),
      field('salary salary income', 'count', 'earns {} euros'),
      field('email email mail contact', 'email', 'has the email {}'),
      field('year year released', 'year', 'was born in {}'),
      field('job job occupation profession work', 'job', 'is a {}'),
    ],
  },
  {
    subject: {
      keys: words('product product item name'),
      kind: 'product',
      lead: ['The {}', 'Our {}', 'This {}', 'A {}'],
    },
    fields: [
      field(
        'price price cost amount',
        'count',
        'costs {} euros',
        'is {} euros',
        'costs {} dollars',
        'costs {}',
      ),
      field('price price cost amount', 'decimal', 'costs {} euros', 'costs {}'),
      field('color', 'colour', 'is {}', 'comes in {}'),
      field('colour', 'colour', 'is {}'),
      field('weight weight kilos', 'small', 'weighs {} kg'),
      field('rating rating score stars', 'decimal', 'has a rating of {}', 'is rated {}'),
      field('stock stock_count', 'count', 'is in stock {} times'),
      field('brand brand maker', 'title', 'is made by {}'),
      field('code code id number', 'code', 'has the code {}', 'has the number {}'),
      field('country country birthplace', 'country', 'is made in {}', 'comes from {}'),
      {
        keys: words('available available in_stock'),
        kind: 'flag',
        clauses: ['is available'],
        negated: ['is not available'],
      },
      { keys: words('new'), kind: 'flag', clauses: ['is new'], negated: ['is not new', 'is used'] },
    ],
  },
  {
    subject: {
      keys: words('title title name'),
      kind: 'title',
      lead: ['{}', 'The book {}', 'The novel {}', 'The film {}'],
    },
    fields: [
      field('author author writer', 'fullName', 'was written by {}', 'is by {}'),
      field('year year released', 'year', 'came out in {}', 'is from {}'),
      field('pages pages page_count', 'count', 'has {} pages'),
      field('rating rating score stars', 'decimal', 'has a rating of {}'),
      field('price price cost amount', 'decimal', 'costs {} euros'),
      field('language', 'country', 'was made in {}'),
      field('genre', 'word', 'is about a {}'),
    ],
  },
  {
    subject: {
      keys: words('event event name title'),
      kind: 'title',
      lead: ['The event {}', '{}', 'The meeting {}'],
    },
    fields: [
      field('date date when', 'date', 'is on {}', 'takes place on {}'),
      field('day', 'weekday', 'is on {}'),
      field('time time start start_time', 'time', 'starts at {}', 'begins at {}'),
      field('city city town home location', 'city', 'is in {}', 'takes place in {}'),
      field('guests guests visitors', 'count', 'has {} guests'),
      field('host host organizer', 'person', 'is hosted by {}'),
      field('speakers', 'words', 'has the speakers {}'),
      field('price price cost amount', 'count', 'costs {} euros'),
    ],
  },
  {
    subject: {
      keys: words('customer customer name client'),
      kind: 'person',
      lead: ['{}', 'The customer {}'],
    },
    fields: [
      field('product', 'food', 'orders {}', 'wants {}'),
      field('quantity quantity count', 'digit', 'takes {} pieces', 'needs {} of them'),
      field('total total sum', 'decimal', 'pays {} euros'),
      field('date date when', 'date', 'orders on {}', 'comes on {}'),
      field('code code id number', 'code', 'has the order {}', 'has the number {}'),
      field('city city town home location', 'city', 'lives in {}'),
      field('items', 'words', 'buys {}'),
      { keys: words('paid paid has_paid'), kind: 'flag', clauses: ['has paid'], negated: ['has not paid'] },
    ],
  },
  {
    subject: { keys: words('city city name'), kind: 'city', lead: ['{}', 'The city {}'] },
    fields: [
      field('country country birthplace', 'country', 'is in {}', 'lies in {}'),
      field('population population people', 'count', 'has {} people', 'has a population of {}'),
      field('mayor mayor leader', 'fullName', 'has the mayor {}'),
      field('temperature', 'small', 'has {} degrees', 'is {} degrees warm'),
      field('river', 'title', 'lies at the {}'),
      { keys: words('sunny'), kind: 'flag', clauses: ['is sunny'], negated: ['is not sunny'] },
    ],
  },
];
