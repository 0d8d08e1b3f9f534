import { field, flag, type RecordSubject } from './record-field.ts';
import { words } from './rows.ts';

/** Records of the daily life: animals, dishes, parcels, plants, trips, bills, matches, machines. */
export const moreSubjects: readonly RecordSubject[] = [
  {
    subject: {
      keys: words('name name pet animal_name'),
      kind: 'person',
      lead: ['{}', 'The dog {}', 'Our cat {}', 'The horse {}', 'My rabbit {}'],
    },
    fields: [
      field('age age years', 'digit', 'is {} years old', 'is {}'),
      field('weight weight kilos', 'amount', 'weighs {} kg', 'has a weight of {} kg'),
      field('colour colour', 'colour', 'is {}', 'has {} fur'),
      field('color color', 'colour', 'is {}', 'has {} eyes'),
      field('breed breed race kind', 'breed', 'is a {}'),
      field('owner owner', 'fullName', 'belongs to {}', 'lives with {}'),
      field('food food', 'food', 'eats {}', 'likes {}'),
      flag('vaccinated is_vaccinated', 'is vaccinated', 'is not vaccinated'),
      flag('hungry', 'is hungry', 'is not hungry'),
    ],
  },
  {
    subject: {
      keys: words('dish recipe name title'),
      kind: 'dish',
      lead: ['{}', 'The recipe {}', 'My {}', 'The dish {}'],
    },
    fields: [
      field('minutes minutes time duration', 'small', 'takes {} minutes', 'is ready in {} minutes'),
      field('servings servings people portions', 'digit', 'is for {} people', 'serves {}'),
      field('ingredients ingredients', 'words', 'needs {}', 'is made of {}'),
      field('calories calories kcal', 'hundreds', 'has {} calories', 'contains {} kcal'),
      field('temperature temperature degrees', 'hundreds', 'bakes at {} degrees'),
      field('price price cost', 'price', 'costs {} euros'),
      flag('vegan is_vegan', 'is vegan', 'is not vegan'),
      flag('spicy', 'is spicy', 'is not spicy', 'is mild'),
    ],
  },
  {
    subject: {
      keys: words('parcel number tracking_number code id'),
      kind: 'code',
      lead: ['Parcel {}', 'The parcel {}', 'The package {}', 'Shipment {}'],
    },
    fields: [
      field('sender sender from', 'fullName', 'was sent by {}', 'comes from {}'),
      field('receiver receiver recipient to', 'fullName', 'is for {}', 'goes to {}'),
      field('weight weight weight_kg', 'amount', 'weighs {} kg', 'has {} kg'),
      field('city city destination', 'city', 'is in {}', 'has reached {}', 'lies in {}'),
      field('date date arrival', 'date', 'arrives on {}', 'is expected on {}'),
      field('status status state', 'status', 'has the status {}', 'is marked as {}'),
      flag('delivered is_delivered', 'is delivered', 'is not delivered', 'is not yet delivered'),
      flag('insured', 'is insured', 'is not insured'),
    ],
  },
  {
    subject: {
      keys: words('plant name kind'),
      kind: 'plant',
      lead: ['The {}', 'My {}', 'This {}', 'Our {}'],
    },
    fields: [
      field('height height height_cm', 'hundreds', 'is {} cm high', 'has grown to {} cm'),
      field('colour colour flowers', 'colour', 'has {} flowers', 'blooms {}'),
      field('days days interval', 'digit', 'needs water every {} days'),
      field('room room place', 'room', 'stands in {}', 'grows in {}'),
      field('price price cost', 'price', 'costs {} euros'),
      flag('indoor', 'is an indoor plant', 'is not an indoor plant'),
      flag('poisonous', 'is poisonous', 'is not poisonous'),
    ],
  },
  {
    subject: {
      keys: words('flight number train code'),
      kind: 'code',
      lead: ['Flight {}', 'The flight {}', 'Train {}', 'The train {}', 'Bus {}'],
    },
    fields: [
      field('from from origin start', 'city', 'leaves from {}', 'starts in {}'),
      field('gate gate platform', 'small', 'leaves from gate {}', 'is at gate {}'),
      field('time time departure', 'time', 'leaves at {}', 'departs at {}'),
      field('price price fare', 'price', 'costs {} euros'),
      field('passengers passengers seats', 'hundreds', 'has {} passengers', 'has {} seats'),
      field('stops stops', 'words', 'stops in {}'),
      flag('delayed is_delayed late', 'is delayed', 'is not delayed', 'is on time'),
      flag('full', 'is full', 'is not full'),
    ],
  },
  {
    subject: {
      keys: words('invoice number id invoice_number'),
      kind: 'code',
      lead: ['Invoice {}', 'The invoice {}', 'The bill {}', 'Bill {}'],
    },
    fields: [
      field('customer customer client name', 'fullName', 'is for {}', 'goes to {}', 'was sent to {}'),
      field('company company seller', 'company', 'comes from {}', 'is from {}'),
      field(
        'total total amount sum',
        'price',
        'is over {} euros',
        'has a total of {} euros',
        'amounts to {}',
      ),
      field('due due due_date date', 'date', 'is due on {}', 'must be paid by {}'),
      field('tax tax tax_percent', 'percent', 'includes {} % tax'),
      field('items items count', 'digit', 'lists {} items'),
      flag('paid is_paid', 'is paid', 'is not paid', 'is unpaid'),
    ],
  },
  {
    subject: { keys: words('team team name club'), kind: 'city', lead: ['The team {}', '{}', 'The club {}'] },
    fields: [
      field('goals goals score', 'digit', 'scored {} goals', 'made {} goals'),
      field('opponent opponent against', 'city', 'played against {}', 'meets {}'),
      field('coach coach trainer', 'fullName', 'is coached by {}', 'has the coach {}'),
      field('points points', 'small', 'has {} points'),
      field('players players scorers', 'words', 'plays with {}', 'relies on {}'),
      field('date date when', 'date', 'plays on {}'),
      flag('won winner', 'won', 'did not win', 'lost'),
    ],
  },
  {
    subject: {
      keys: words('device name id product'),
      kind: 'product',
      lead: ['The device {}', 'The {}', 'Our {}'],
    },
    fields: [
      field('battery battery battery_percent', 'percent', 'has {} % battery', 'is charged to {} %'),
      field('memory memory memory_gb', 'small', 'has {} GB of memory'),
      field('version version', 'decimal', 'runs version {}', 'has version {}'),
      field('temperature temperature', 'amount', 'is {} degrees warm', 'shows {} degrees'),
      field('room room place location', 'room', 'stands in {}', 'is in {}'),
      field('serial serial serial_number code', 'code', 'has the serial number {}'),
      flag('online is_online', 'is online', 'is not online', 'is offline'),
      flag('on switched_on', 'is switched on', 'is switched off', 'is not switched on'),
      flag('broken', 'is broken', 'is not broken', 'works'),
    ],
  },
  {
    subject: {
      keys: words('hotel restaurant name'),
      kind: 'company',
      lead: ['The hotel {}', 'The restaurant {}', '{}'],
    },
    fields: [
      field('city city place town', 'city', 'is in {}', 'can be found in {}'),
      field('stars stars rating', 'stars', 'has {} stars', 'is rated {}'),
      field('price price price_per_night', 'price', 'costs {} euros', 'asks {} dollars'),
      field('rooms rooms tables', 'hundreds', 'has {} rooms', 'offers {} rooms'),
      field('street street address', 'street', 'stands at {}', 'has the address {}'),
      field('phone phone telephone', 'phone', 'has the phone number {}'),
      flag('open is_open', 'is open', 'is closed', 'is not open'),
      flag('pool has_pool', 'has a pool', 'has no pool'),
    ],
  },
  {
    subject: {
      keys: words('title film movie name'),
      kind: 'title',
      lead: ['The movie {}', 'The film {}', '{}', 'The series {}'],
    },
    fields: [
      field('director director', 'fullName', 'was directed by {}', 'is by {}'),
      field('year year released', 'year', 'is from {}', 'was released in {}'),
      field('minutes minutes duration length', 'hundreds', 'lasts {} minutes', 'is {} minutes long'),
      field('genre genre kind', 'genre', 'is a {}'),
      field('rating rating stars score', 'stars', 'has a rating of {}', 'got {} stars'),
      field('actors actors cast', 'words', 'stars {}', 'has the actors {}'),
      flag('seen watched', 'is seen', 'is not seen'),
    ],
  },
  {
    subject: {
      keys: words('student name pupil'),
      kind: 'fullName',
      lead: ['{}', 'The student {}', 'The pupil {}'],
    },
    fields: [
      field('grade grade class', 'digit', 'is in grade {}', 'is in class {}'),
      field('points points score', 'percent', 'has {} points', 'reached {} points'),
      field('subject subject course', 'tongue', 'learns {}', 'studies {}'),
      field('teacher teacher', 'person', 'is taught by {}', 'has the teacher {}'),
      field('school school', 'company', 'goes to {}'),
      flag('passed has_passed', 'has passed', 'has not passed', 'has failed'),
      flag('present', 'is present', 'is not present', 'is absent'),
    ],
  },
  {
    subject: {
      keys: words('car model name vehicle'),
      kind: 'company',
      lead: ['The car {}', 'My {}', 'The {}', 'The bike {}'],
    },
    fields: [
      field('year year built', 'year', 'was built in {}', 'is from {}'),
      field('km km kilometres mileage', 'large', 'has driven {} km', 'has run {} km'),
      field('price price cost', 'price', 'costs {} euros', 'sold for {} dollars'),
      field('color color', 'colour', 'is {}'),
      field('seats seats doors', 'digit', 'has {} seats'),
      field('owner owner', 'fullName', 'belongs to {}'),
      field('plate plate number licence', 'code', 'has the plate {}'),
      flag('electric is_electric', 'is electric', 'is not electric'),
    ],
  },
];
