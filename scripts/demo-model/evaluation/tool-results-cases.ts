import type { EvaluationCase } from './case.ts';
import { heldOutTools as t } from './held-out-tools.ts';
import { calls, says } from './judge.ts';
import { call, got, writeRound } from './tool-round.ts';

const horoscopes = [call(t.horoscope, { sign: 'Aries' }), call(t.horoscope, { sign: 'Cancer' })];
const places = [call(t.ski, { resort: 'Chamonix' }), call(t.ski, { resort: 'Verbier' })];

export const toolResultsCases: readonly EvaluationCase[] = [
  got(
    [t.horoscope],
    ['What is the horoscope for Libra?', call(t.horoscope, { sign: 'Libra' }), '{"luck": 64}'],
    says(64),
  ),
  got(
    [t.horoscope, t.ski],
    [
      'Get the horoscope for Aries.',
      call(t.horoscope, { sign: 'Aries' }),
      '{"luck": 12, "lucky_stone": "opal"}',
    ],
    says(12, 'opal'),
  ),
  got(
    [t.ski],
    ['What is the ski report of Lech?', call(t.ski, { resort: 'Lech' }), '{"powder":87,"lifts":"running"}'],
    says(87, 'running'),
  ),
  got(
    [t.ski, t.vote],
    [
      'I need the ski report for Saas.',
      call(t.ski, { resort: 'Saas' }),
      '{"powder": 140, "slopes": 31, "visibility": "poor"}',
    ],
    says(140, 31, 'poor'),
  ),
  got(
    [t.earthquakes],
    [
      'Check the earthquakes in Sarajevo.',
      call(t.earthquakes, { region: 'Sarajevo' }),
      '{"magnitude": 4.7, "hour": "03:48"}',
    ],
    says('4.7', '03:48'),
  ),
  got(
    [t.volcano, t.tv],
    [
      'Find a volcano in Ecuador.',
      call(t.volcano, { country: 'Ecuador' }),
      '{"volcano":"Cotopaxi","metres":5897}',
    ],
    says('Cotopaxi', 5897),
  ),
  got(
    [t.tv],
    [
      'What is the tv program of Arte?',
      call(t.tv, { channel: 'Arte' }),
      '{"show": "Nordic Kitchens", "begin": "20:45"}',
    ],
    says('Nordic Kitchens', '20:45'),
  ),
  got(
    [t.plant],
    ['Water the fern with 2 litres.', call(t.plant, { plant: 'fern', litres: 2 }), '{"moisture": 53}'],
    says(53),
  ),
  got([t.feed], ['Please feed Waldo.', call(t.feed, { pet: 'Waldo' }), '{"ok": true}'], says('Done')),
  got([t.sauna], ['Heat the sauna to 80.', call(t.sauna, { degrees: 80 }), 'ok'], says('Done')),
  got(
    [t.gate, t.vote],
    ['Open the gate with 5561.', call(t.gate, { pin: 5561 }), '{"success":true}'],
    says('Done'),
  ),
  got(
    [t.gate],
    ['Open the gate with pin 1234.', call(t.gate, { pin: 1234 }), '{"error": "wrong pin"}'],
    says('wrong pin', 'not work'),
  ),
  got(
    [t.fine],
    ['Pay the fine AB-1111.', call(t.fine, { fine_id: 'AB-1111' }), '{"error":"fine expired"}'],
    says('fine expired', 'not work'),
  ),
  got(
    [t.elevator, t.badge],
    ['Call the elevator to floor 3.', call(t.elevator, { floor: 3 }), '{"error": "elevator stuck"}'],
    says('elevator stuck', 'not work'),
  ),
  got([t.joke], ['Tell a joke about bees.', call(t.joke, { about: 'bees' }), 'honey pun'], says('honey pun')),
  got([t.lottery], ['Draw the lottery numbers.', call(t.lottery, {}), '{"winning": 381920}'], says(381920)),
  got([t.lottery, t.chess], ['Please draw the lottery!', call(t.lottery, {}), '4471'], says(4471)),
  got(
    [t.satellite],
    [
      'Locate the satellite GN-3307.',
      call(t.satellite, { satellite: 'GN-3307' }),
      '{"latitude": 48.2, "longitude": 16.4}',
    ],
    says('48.2', '16.4'),
  ),
  got(
    [t.museum],
    [
      'List the exhibitions in Ljubljana.',
      call(t.museum, { town_name: 'Ljubljana' }),
      '{"exhibition": "Dragons", "entry_fee": 9}',
    ],
    says('Dragons', 9),
  ),
  got(
    [t.diet],
    [
      'Plan a diet for Leonie with weeks 6.',
      call(t.diet, { client: 'Leonie', weeks: 6 }),
      '{"plan_id":"DT-6084"}',
    ],
    says('DT-6084'),
  ),
  got(
    [t.garbage],
    [
      'What is the garbage schedule of Elmfield?',
      call(t.garbage, { street: 'Elmfield' }),
      '{"bin": "paper", "pickup": "Thursday"}',
    ],
    says('paper', 'Thursday'),
  ),
  got(
    [t.horoscope],
    ['What is the horoscope for Aries and for Cancer?', horoscopes, '{"luck": 7}', '{"luck": 93}'],
    says(7, 93),
  ),
  got(
    [t.ski, t.feed],
    ['What is the ski report of Chamonix and of Verbier?', places, '{"powder":118}', '{"powder":66}'],
    says('Chamonix', 118, 'Verbier', 66),
  ),
  {
    group: 'tool-results',
    tools: [t.horoscope],
    messages: [
      ...writeRound([
        'What is the horoscope for Aries?',
        call(t.horoscope, { sign: 'Aries' }),
        '{"luck": 5}',
      ]),
      { role: 'assistant', content: 'The luck is 5.' },
      { role: 'user', content: 'Please get the horoscope for Scorpio.' },
    ],
    accepts: calls(['get_horoscope', { sign: 'Scorpio' }]),
  },
  {
    group: 'tool-results',
    tools: [t.elevator, t.gate],
    messages: [
      ...writeRound(['Open the gate with 4406.', call(t.gate, { pin: 4406 }), '{"ok": true}']),
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'Call the elevator to floor 21, please.' },
    ],
    accepts: calls(['call_elevator', { floor: 21 }]),
  },
];
