import type { Tool, ToolCall } from '../../conversation.ts';
import type { EvaluationCase } from '../case.ts';
import { calls, introducesItself, says, spells } from '../judge.ts';
import { matches, offered } from '../question.ts';
import { call, got, writeRound } from '../tool-round.ts';
import { blindTools as t } from './tools.ts';

const asks = (
  tools: readonly Tool[],
  content: string,
  ...expected: (readonly [tool: Tool, values: ToolCall['arguments']])[]
): EvaluationCase =>
  offered('tools', tools, content, calls(...expected.map(([{ name }, values]) => [name, values] as const)));

export const toolsCases: readonly EvaluationCase[] = [
  asks([t.tide], "when's high tide at Whitby?", [t.tide, { beach: 'Whitby' }]),
  asks([t.parcel, t.bus], 'where is my parcel RX-5582', [t.parcel, { tracking_no: 'RX-5582' }]),
  asks([t.vacuum], 'Please vacuum the kitchen.', [t.vacuum, { room: 'kitchen' }]),
  asks([t.vacuum, t.blinds, t.oven], 'set the blinds to 40 percent', [t.blinds, { percent: 40 }]),
  asks([t.haircut, t.train], 'book me a haircut on Tuesday', [t.haircut, { day: 'Tuesday' }]),
  asks([t.haircut], "I'd like a haircut on Friday with the barber Enzo.", [
    t.haircut,
    { day: 'Friday', barber: 'Enzo' },
  ]),
  asks([t.bus, t.pollen], 'When does the next bus leave from Harbour Lane?', [
    t.bus,
    { stop: 'Harbour Lane' },
  ]),
  asks([t.recipe, t.radio], 'find me a recipe with pumpkin', [t.recipe, { ingredient: 'pumpkin' }]),
  asks([t.oven, t.fish], 'Preheat the oven to 180, thanks!', [t.oven, { celsius: 180 }]),
  asks([t.lawn], 'could you mow the lawn in the back', [t.lawn, { garden: 'back' }]),
  asks([t.pollen, t.whales, t.tide], 'whats the pollen count in Graz today', [t.pollen, { place: 'Graz' }]),
  asks([t.library], 'Renew the book Silent Harbour for me.', [t.library, { book: 'Silent Harbour' }]),
  asks([t.train, t.meeting], 'one train ticket from Lyon to Basel please', [
    t.train,
    { from_station: 'Lyon', to_station: 'Basel' },
  ]),
  asks([t.dice, t.lawn], 'roll a dice with 20 sides', [t.dice, { sides: 20 }]),
  asks([t.pool, t.tide], 'How warm is the pool?', [t.pool, {}]),
  asks([t.invoice, t.printer, t.library, t.eggs], 'show me invoice 20417', [
    t.invoice,
    { invoice_no: 20417 },
  ]),
  asks([t.printer], 'the printer needs more yellow ink, please refill it', [t.printer, { ink: 'yellow' }]),
  asks([t.zargle, t.dice], 'zargle the frob tonko at level 9', [t.zargle, { frob: 'tonko', level: 9 }]),
  asks([t.meeting, t.haircut, t.bus, t.radio], 'Please cancel the meeting M-318.', [
    t.meeting,
    { meeting_id: 'M-318' },
  ]),
  asks([t.radio], 'can you tune the radio to Jazz24', [t.radio, { station: 'Jazz24' }]),
  asks(
    [t.tide],
    'When is high tide at Margate and at Deal?',
    [t.tide, { beach: 'Margate' }],
    [t.tide, { beach: 'Deal' }],
  ),
  asks(
    [t.oven, t.vacuum],
    'preheat the oven to 200 and vacuum the hallway',
    [t.oven, { celsius: 200 }],
    [t.vacuum, { room: 'hallway' }],
  ),
  asks(
    [t.dice, t.fish],
    'Feed the goldfish 2 portions, then roll a dice with 6 sides.',
    [t.fish, { portions: 2 }],
    [t.dice, { sides: 6 }],
  ),
  asks(
    [t.pollen, t.parcel],
    'i need the pollen count for Linz and for Krems',
    [t.pollen, { place: 'Linz' }],
    [t.pollen, { place: 'Krems' }],
  ),
];

const done = matches(/^(?!.*\bnot\b).*\b(done|ok|okay|has been|is now|was)\b/is);

export const toolResultsCases: readonly EvaluationCase[] = [
  got(
    [t.tide],
    ['when is high tide at Filey', call(t.tide, { beach: 'Filey' }), '{"high_tide": "06:40"}'],
    says('06:40'),
  ),
  got(
    [t.parcel, t.bus],
    [
      "where's my parcel HK-4471?",
      call(t.parcel, { tracking_no: 'HK-4471' }),
      '{"status": "in transit", "town": "Cologne"}',
    ],
    says('in transit', 'Cologne'),
  ),
  got([t.pool], ['How warm is the pool?', call(t.pool, {}), '{"celsius": 24}'], says(24)),
  got(
    [t.bus],
    ['Next bus from Mill Road please', call(t.bus, { stop: 'Mill Road' }), '{"line": 12, "leaves": "17:52"}'],
    says(12, '17:52'),
  ),
  got(
    [t.vacuum, t.oven],
    ['vacuum the bathroom', call(t.vacuum, { room: 'bathroom' }), '{"ok": true}'],
    done,
  ),
  got([t.oven], ['Set the oven to 220.', call(t.oven, { celsius: 220 }), 'ok'], done),
  got(
    [t.meeting],
    ['cancel meeting M-902', call(t.meeting, { meeting_id: 'M-902' }), '{"error": "no such meeting"}'],
    matches(/no such meeting/i),
  ),
  got(
    [t.library, t.printer],
    [
      'please renew Silent Harbour',
      call(t.library, { book: 'Silent Harbour' }),
      '{"error": "reserved by another reader"}',
    ],
    matches(/reserved/i),
  ),
  got([t.dice], ['roll a 20 sided dice', call(t.dice, { sides: 20 }), '14'], says(14)),
  got(
    [t.recipe, t.radio, t.lawn],
    [
      'What can I cook with leek?',
      call(t.recipe, { ingredient: 'leek' }),
      '{"recipe": "Leek pie", "minutes": 35}',
    ],
    says('Leek pie', 35),
  ),
  got(
    [t.whales],
    ['which whales were seen in Skipper Bay', call(t.whales, { bay: 'Skipper Bay' }), 'three humpbacks'],
    says('three humpbacks'),
  ),
  got(
    [t.pollen],
    [
      'pollen count in Graz and Linz?',
      [call(t.pollen, { place: 'Graz' }), call(t.pollen, { place: 'Linz' })],
      '{"grains": 31}',
      '{"grains": 8}',
    ],
    says(31, 8),
  ),
  {
    group: 'tool-results',
    tools: [t.oven, t.fish],
    messages: [
      ...writeRound(['Feed the goldfish 3 portions.', call(t.fish, { portions: 3 }), '{"ok": true}']),
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'great, now preheat the oven to 190' },
    ],
    accepts: calls([t.oven.name, { celsius: 190 }]),
  },
];

const other = (tools: readonly Tool[], content: string, accepts: EvaluationCase['accepts']): EvaluationCase =>
  offered('no-tool-fits', tools, content, accepts);

const declined = matches(/\b(cannot|can't|do not (have|know)|don't (have|know)|no tool|not able|unable)\b/i);

export const noToolFitsCases: readonly EvaluationCase[] = [
  other([t.vacuum], 'hey hello!', matches(/\b(hello|hi)\b/i)),
  other([t.tide, t.bus], 'thank you, very kind of you', matches(/\b(welcome|glad|pleasure)\b/i)),
  other([t.invoice], 'bye for now', matches(/\b(goodbye|bye|see you)\b/i)),
  other([t.oven], "whats Sweden's capital", says('Stockholm')),
  other([t.fish, t.recipe], '12 + 25 is how much?', says(37)),
  other([t.dice, t.lawn], 'whats your name', introducesItself),
  other([t.bus, t.recipe, t.tide], 'can u spell lamp', spells('lamp')),
  other([t.library], 'Order me a taxi to the station.', declined),
  other([t.printer, t.pool], 'text my sister that I am late', declined),
  other([t.train], "what's the weather like in Dublin", declined),
  other([t.radio], 'wake me up at 6:30', declined),
  other([t.haircut, t.pollen], 'Turn off the lights in the bedroom, please.', declined),
  other([t.eggs], 'transfer 50 euros to Dana', declined),
];
