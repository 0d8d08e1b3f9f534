import type { ValueKind } from '../text/values.ts';
import { words } from './rows.ts';
import type { SlotName } from './tool-slots.ts';

/** Tools about one subject: verb and noun make the name, the slots the parameters. */
export interface Domain {
  /** True: asked with "What is the …?" too. */
  readonly lookup: boolean;
  /** Each entry is a group of verbs that mean the same here. */
  readonly verbs: readonly (readonly string[])[];
  readonly nouns: readonly string[];
  readonly slots: readonly SlotName[];
  /** What such a tool returns: key and kind of value. */
  readonly results: readonly (readonly [string, ValueKind])[];
}

const looking = [words('get find show check fetch read lookup')];
const list = (text: string): readonly string[] => text.split(',').map((word) => word.trim());

const domain = (
  verbs: readonly (readonly string[])[],
  nouns: string,
  slotNames: readonly SlotName[],
  results: string,
): Domain => ({
  lookup: verbs === looking,
  verbs,
  nouns: list(nouns),
  slots: slotNames,
  results: list(results).map((result) => {
    const [key = '', kind = ''] = result.split(':');
    return [key, kind as ValueKind];
  }),
});
const acting = (text: string): readonly (readonly string[])[] => words(text).map((group) => group.split('|'));

export const domains: readonly Domain[] = [
  domain(
    looking,
    '~weather, forecast, temperature, ~wind, ~rain, ~snowfall, ~humidity, ~air quality, sunrise, sunset, tide, pollen',
    ['city', 'day', 'unit', 'soon'],
    'temperature:small, temperature:signed, sky:word, wind:small, wind:measure, humidity:small, rain:digit, high:small, low:small',
  ),
  domain(
    looking,
    'train, bus, flight, ferry, route, ticket price, timetable, connection, distance, travel time, ~traffic',
    ['origin', 'destination', 'date', 'time', 'soon'],
    'departure:time, arrival:time, platform:digit, price:count, minutes:small, gate:code',
  ),
  domain(
    looking,
    'population, area, history, mayor, postcode, time zone, map, local time, elevation, museum, hotel, restaurant, park',
    ['city', 'country'],
    'name:title, population:count, area:count, time:time, rating:decimal, address:title, mayor:fullName',
  ),
  domain(
    looking,
    'currency, capital, flag, language, anthem, king, president, holiday list',
    ['country', 'year'],
    'name:title, code:code, year:year',
  ),
  domain(
    looking,
    'phone number, address, birthday, office, age, contact, salary, profile, nickname, email address, desk, shift',
    ['person', 'owner'],
    'name:fullName, phone:phone, email:email, age:age, birthday:date, office:code, city:city',
  ),
  domain(
    looking,
    'article, book, film, recipe, photo, paper, web page, video, document, poem, quote, tutorial, ~news',
    ['query', 'year', 'language'],
    'title:title, author:fullName, year:year, pages:count, rating:decimal, link:code',
  ),
  domain(
    looking,
    'price, stock, discount, review, rating, warranty, weight, offer, shipping cost, barcode',
    ['product', 'anyColour', 'size'],
    'price:count, stock:count, rating:decimal, colour:colour, weight:small, available:flag',
  ),
  domain(
    looking,
    'order, parcel, shipment, package, delivery, invoice, booking, reservation, receipt, claim, coupon',
    ['code', 'person'],
    'status:word, day:weekday, date:date, total:count, paid:flag, city:city',
  ),
  domain(
    looking,
    'balance, statement, interest rate, credit limit, account owner, transaction list, debt, ~savings',
    ['account', 'year'],
    'balance:count, owner:fullName, rate:decimal, limit:count, currency:word',
  ),
  domain(
    looking,
    'score, ranking, league table, next match, coach, stadium, goal count, lineup',
    ['team', 'year', 'day'],
    'score:digit, rank:digit, coach:fullName, points:small, opponent:city',
  ),
  domain(
    looking,
    '~calories, ~protein, vitamin list, shelf life, ~nutrition, price, origin',
    ['food', 'unit'],
    'calories:count, protein:small, fat:small, sugar:small',
  ),
  domain(
    looking,
    'sensor, meter, battery, camera, thermostat, alarm system, water level, solar panel, printer status, server load',
    ['room', 'number'],
    'level:small, status:word, temperature:small, active:flag, power:count',
  ),
  domain(
    acting('play|start pause|stop skip download|save queue share|send'),
    'song, album, playlist, podcast, track, radio show, audiobook, concert, mixtape',
    ['title', 'artist', 'level'],
    'title:title, artist:fullName, minutes:digit, volume:small',
  ),
  domain(
    acting('create|add|make schedule|plan cancel|delete move|shift confirm'),
    'meeting, event, appointment, lesson, call, party, dinner, interview, class, visit, workshop',
    ['guest', 'day', 'time', 'title', 'date'],
    'id:code, day:weekday, time:time, room:code, title:title',
  ),
  domain(
    acting('send write|draft forward schedule delete|remove'),
    'mail, email, message, letter, postcard, invitation, fax, text message, reply, greeting card',
    ['recipient', 'subject', 'text', 'address'],
    'id:code, sent:flag, time:time, recipient:person',
  ),
  domain(
    acting('set|adjust dim raise|increase lower|reduce switch|turn'),
    'light, heater, lamp, fan, oven, radio, blinds, thermostat, speaker, boiler, humidifier, television, volume',
    ['room', 'level', 'state'],
    'level:small, state:word, power:count',
  ),
  domain(
    acting('order|buy reserve|book return cancel|delete'),
    'pizza, coffee, laptop, ticket, taxi, table, room, bike, sandwich, sofa, seat, car, cake, suit',
    ['people', 'size', 'date', 'owner', 'anyColour', 'day', 'city'],
    'order:code, price:count, minutes:small, total:decimal',
  ),
  domain(
    acting('add|create|save delete|remove pin archive update|edit'),
    'note, memo, reminder, todo, list entry, bookmark, diary entry, sticker, idea, task, draft',
    ['text', 'title', 'day', 'urgent'],
    'id:code, number:count, title:title, saved:flag',
  ),
  domain(
    acting('set|start stop|cancel extend repeat'),
    'timer, alarm, countdown, stopwatch, egg timer, break, nap, wake-up call',
    ['minutes', 'time', 'seconds', 'title'],
    'id:code, ends:time, minutes:small',
  ),
  domain(
    acting('send|transfer request refund|return'),
    '~money, payment, tip, donation, deposit, rent, loan, gift',
    ['amount', 'recipient', 'account', 'date'],
    'id:code, amount:count, balance:count, fee:decimal',
  ),
  domain(
    acting('roll draw|take move throw|toss swap'),
    'dice, card, token, piece, pawn, coin, ball, tile, marble',
    ['number', 'anyColour', 'quantity'],
    'result:digit, points:small, colour:colour, left:small',
  ),
  domain(
    acting('create|open close|finish assign reopen'),
    'ticket, task, issue, bug, project, branch, pull request, sprint, job',
    ['title', 'person', 'priority', 'number'],
    'id:code, number:count, owner:person, status:word',
  ),
  domain(
    acting('log|record track delete|remove'),
    'weight, run, meal, ~sleep, workout, ~water, swim, heart rate, medicine, mood',
    ['number', 'day', 'minutes', 'time', 'length', 'soon'],
    'total:count, average:decimal, goal:count, streak:digit',
  ),
  domain(
    acting('translate spell|write define|explain print'),
    'word, sentence, phrase, text, paragraph, label, headline, sign',
    ['text', 'language', 'colour'],
    'text:title, language:word, length:small',
  ),
  domain(
    acting('create|add delete|remove block|lock invite|welcome rename'),
    'user, account, member, contact, customer, guest, patient, student, player, employee',
    ['title', 'address', 'urgent', 'number'],
    'id:code, name:fullName, active:flag, email:email',
  ),
  domain(
    acting('launch|start stop|halt scan charge|load park|store'),
    'robot, drone, rocket, probe, vehicle, crane, scooter, mower, vacuum, submarine',
    ['code', 'city', 'minutes', 'level', 'destination', 'length'],
    'battery:small, speed:small, status:word, place:city',
  ),
];
