import type { ValueKind } from '../text/values.ts';
import { words } from './rows.ts';
import type { Slot } from './tool-slots.ts';

const slot = (keys: string, kind: ValueKind, described: string, ...phrases: readonly string[]): Slot => ({
  keys: words(keys),
  kind,
  described,
  phrases,
});

/** A number with its unit: "12 litres" is 12. */
const measure = (keys: string, unit: string, kind: ValueKind = 'small'): Slot =>
  slot(keys, kind, `in ${unit}`, `with {} ${unit}`, `for {} ${unit}`, `at {} ${unit}`, `({} ${unit})`);

/** One of a few words, said as it is. */
const choice = (keys: string, described: string, phrases: readonly string[], enums: string): Slot => ({
  ...slot(keys, 'word', described, ...phrases),
  enums: enums.split(',').map((options) => words(options)),
});

/** An extra that is wanted or not. */
const extra = (keys: string): Slot => ({
  ...slot(keys, 'flag', 'with or without extras', 'with {key}', 'and with {key}', 'including {key}'),
  negated: ['without {key}', 'but without {key}', 'with no {key}'],
});

/** A quality that is wanted or not. */
const quality = (keys: string): Slot => ({
  ...slot(keys, 'flag', 'in a certain way', 'and make it {key}', '({key})', 'and it is {key}', '{key}'),
  negated: ['but not {key}', 'and make it not {key}', '(not {key})', 'and it is not {key}'],
});

const quoted = (lead: string): string[] => [`${lead} '{}'`, `${lead} "{}"`];

/** Parameters of the trades in `tool-worlds.ts`. */
export const moreSlots = {
  where: slot(
    'where place location spot site area venue position',
    'place',
    'at a place',
    'at {}',
    'in {}',
    'near {}',
  ),
  street: slot('street road address location where', 'street', 'in a street', 'in {}', 'on {}', 'at {}'),
  station: slot('station stop from halt', 'place', 'at a station', 'at {}', 'from {}', 'for {}'),
  mountain: slot('mountain peak resort region', 'rareName', 'on a mountain', 'on {}', 'for {}', 'at {}'),
  museum: slot('museum gallery house', 'place', 'of a museum', 'of {}', 'at {}', 'in {}'),
  ship: slot('ship vessel boat', 'title', 'of a ship', 'of {}', 'of the {}', 'for {}'),
  planet: slot('planet moon target', 'rareName', 'near a planet', 'near {}', 'towards {}', 'at {}'),
  host: slot('host server machine hostname node', 'serial', 'on a host', 'on {}', 'of {}', 'on host {}'),
  company: slot('company firm brand business', 'company', 'of a company', 'of {}', 'for {}', 'at {}'),
  supplier: slot('supplier provider vendor', 'company', 'from a supplier', 'from {}', 'by {}'),
  airline: slot('airline carrier', 'company', 'with an airline', 'with {}', 'by {}'),
  fullName: slot('full_name name person who holder', 'fullName', 'for a person', 'for {}', 'of {}'),
  keeper: slot(
    'keeper worker helper technician assigned_to operator',
    'person',
    'by somebody',
    'by {}',
    'with {}',
  ),
  patient: slot(
    'patient patient_name person',
    'fullName',
    'for a patient',
    'for {}',
    'of {}',
    'for the patient {}',
  ),
  doctor: slot('doctor physician nurse', 'fullName', 'with a doctor', 'with {}', 'by {}', 'with Dr {}'),
  teacher: slot('teacher tutor instructor', 'person', 'with a teacher', 'with {}', 'by {}'),
  coach: slot('coach trainer', 'person', 'with a coach', 'with {}', 'with coach {}'),
  child: slot('child pupil kid student', 'person', 'for a child', 'for {}', 'of {}'),
  player: slot('player player_name gamer', 'nickname', 'for a player', 'for {}', 'for player {}', 'of {}'),
  director: slot('director conductor', 'fullName', 'by a director', 'by {}', 'under {}'),
  author: slot('author writer', 'fullName', 'by an author', 'by {}'),
  driver: slot('driver chauffeur', 'person', 'with a driver', 'with {}', 'with {} as driver'),
  nickname: slot('pet pet_name name', 'nickname', 'of a pet', 'called {}', 'named {}', 'of {}'),
  newName: slot('new_name to new_title', 'title', 'to a new name', 'to {}', ...quoted('to'), 'as {}'),
  animal: slot('animal species kind', 'animal', 'of an animal', 'of the {}', 'of a {}', 'for the {}'),
  animalName: slot('name animal_name resident', 'nickname', 'of an animal', 'of {}', 'for {}'),
  thing: slot('substance material object name thing', 'thing', 'of a thing', 'of {}', 'for {}'),
  material: slot('material fabric stuff', 'thing', 'of a material', 'of {}', 'from {}', 'in {}'),
  flavour: slot('flavour flavor taste', 'food', 'with a flavour', 'with {} flavour', 'with {}'),
  course: slot('subject course school_subject', 'subject', 'in a subject', 'in {}', 'for {}'),
  theme: slot(
    'theme motto style',
    'phrase',
    'with a theme',
    ...quoted('with the theme'),
    'with the motto {}',
  ),
  sentence: slot(
    'text message sentence note body content caption',
    'sentence',
    'with a text',
    ...quoted('saying'),
    ...quoted('with the text'),
    ...quoted('that reads'),
  ),
  note: slot(
    'note comment remark hint',
    'sentence',
    'with a note',
    ...quoted('with the note'),
    ...quoted('and the comment'),
  ),
  reason: slot(
    'reason cause why',
    'sentence',
    'with a reason',
    ...quoted('because of'),
    ...quoted('with the reason'),
  ),
  channel: slot(
    'channel room group chat',
    'nickname',
    'in a channel',
    'in {}',
    'in the channel {}',
    'to channel {}',
  ),
  branchName: slot('branch branch_name', 'serial', 'on a branch', 'on branch {}', 'from {}'),
  version: slot('version release tag', 'version', 'in a version', 'in version {}', 'version {}', 'to {}'),
  plate: slot(
    'plate licence_plate number_plate registration',
    'code',
    'with a number plate',
    'with the plate {}',
    'with number plate {}',
    '{}',
  ),
  phone: slot(
    'phone phone_number mobile callback',
    'phone',
    'with a phone number',
    'with the phone number {}',
    'with phone {}',
  ),
  table: slot('table table_number', 'small', 'at a table', 'at table {}', 'for table {}'),
  room_number: slot('room room_number hall', 'hundreds', 'in a room', 'in room {}', 'for room {}'),
  square: slot('square field cell', 'square', 'to a square', 'to {}', 'on {}'),
  budget: slot(
    'budget max_price limit',
    'large',
    'with a budget',
    'with a budget of {}',
    'for at most {}',
    'up to {} euros',
  ),
  percent: slot(
    'percent percentage share',
    'small',
    'by some percent',
    'by {} percent',
    'to {} percent',
    'by {}%',
    'to {}%',
  ),
  degrees: slot(
    'degrees temperature celsius heat',
    'small',
    'at a temperature',
    'at {} degrees',
    'to {} degrees',
    'with {} degrees',
  ),
  degreesHeading: slot(
    'degrees heading angle bearing',
    'hundreds',
    'by an angle',
    'by {} degrees',
    'to {} degrees',
  ),
  speed: slot(
    'speed knots rpm velocity',
    'count',
    'at a speed',
    'at speed {}',
    'with a speed of {}',
    'at {} knots',
  ),
  nights: slot('nights days', 'digit', 'for some nights', 'for {} nights'),
  job: slot('job profession position role', 'job', 'for a job', 'for a {}', 'as {}', 'as a {}'),
  month: slot('month', 'month', 'in a month', 'in {}', 'for {}'),
  copies: slot(
    'copies count quantity',
    'small',
    'with some copies',
    '{} times',
    'with {} copies',
    'in {} copies',
  ),
  times: slot('times repeats count', 'small', 'some times', '{} times'),
  hours: measure('hours duration_hours duration', 'hours'),
  litres: measure('litres volume amount', 'litres', 'count'),
  kilos: measure('kilos kg weight kilograms', 'kilos'),
  grams: measure('grams weight g', 'grams', 'hundreds'),
  milligrams: measure('milligrams mg dose', 'milligrams', 'hundreds'),
  metres: measure('metres meters length distance', 'metres', 'count'),
  kilometres: measure('kilometres km distance', 'kilometres'),
  centimetres: measure('centimetres cm length', 'centimetres'),
  millimetres: measure('millimetres mm width', 'millimetres'),
  kilowatts: measure('kilowatts kw power', 'kilowatts', 'numeric'),
  sugarLumps: measure('sugar sugar_lumps lumps', 'lumps of sugar', 'digit'),
  breakfast: extra('breakfast parking wifi late_checkout sea_view dinner'),
  express: extra('express_delivery gift_box insurance tracking ice milk receipt'),
  duplex: extra('cover_page page_numbers margins staples watermark'),
  public: quality('public visible private hidden downloadable'),
  silent: quality('silent recurring permanent shared weekly'),
  room: choice(
    'room where',
    'in a room',
    ['in the {}'],
    'kitchen bedroom garage,kitchen hall,office cellar attic,bathroom nursery,studio library lounge',
  ),
  mode: choice(
    'mode setting style',
    'in a mode',
    ['in {} mode', 'in mode {}', 'with mode {}'],
    'easy normal hard,solo team,slow fast,eco turbo,day night,manual automatic',
  ),
  format: choice(
    'format type',
    'as a file format',
    ['as {}', 'in {} format', 'in {}'],
    'pdf png,mp3 wav flac,mp4 mov,csv xlsx,jpg gif webp,zip tar',
  ),
  filter: choice(
    'filter effect',
    'with a filter',
    ['with the {} filter', 'with filter {}'],
    'sepia mono,warm cold vivid,soft sharp',
  ),
  quarter: choice(
    'quarter period',
    'in a quarter',
    ['in {}', 'for {}'],
    'Q1 Q2 Q3 Q4,spring summer autumn winter',
  ),
} satisfies Record<string, Slot>;
