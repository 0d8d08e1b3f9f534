import type { Tool, ToolCall } from '../conversation.ts';
import type { EvaluationCase } from './case.ts';
import { heldOutTools as t } from './held-out-tools.ts';
import { calls } from './judge.ts';
import { offered } from './question.ts';

type Call = readonly [name: string, values: ToolCall['arguments']];

const asks = (tools: readonly Tool[], content: string, ...expected: Call[]): EvaluationCase =>
  offered('tools', tools, content, calls(...expected));

export const toolsCases: readonly EvaluationCase[] = [
  asks([t.horoscope], 'What is the horoscope for Gemini?', ['get_horoscope', { sign: 'Gemini' }]),
  asks([t.feed, t.horoscope], 'Can you tell me the horoscope for Virgo?', [
    'get_horoscope',
    { sign: 'Virgo' },
  ]),
  asks([t.earthquakes], 'Check the earthquakes in Valencia.', ['check_earthquakes', { region: 'Valencia' }]),
  asks([t.vote, t.earthquakes, t.gate], 'Please check the earthquakes in Tirana.', [
    'check_earthquakes',
    { region: 'Tirana' },
  ]),
  asks([t.volcano, t.ski], 'Please find a volcano in Ecuador.', ['findVolcano', { country: 'Ecuador' }]),
  asks([t.tv, t.volcano], 'Could you find the volcano in Tonga?', ['findVolcano', { country: 'Tonga' }]),
  asks([t.tv], 'What is the tv program of Arte on Sunday?', [
    'get_tv_program',
    { channel: 'Arte', day: 'Sunday' },
  ]),
  asks([t.joke, t.tv], 'What is the tv program of Eurosport?', ['get_tv_program', { channel: 'Eurosport' }]),
  asks([t.plant], 'Water the fern with 3 litres.', ['water_plant', { plant: 'fern', litres: 3 }]),
  asks([t.feed, t.plant, t.sauna], 'Please water the cactus with 12 litres.', [
    'water_plant',
    { plant: 'cactus', litres: 12 },
  ]),
  asks([t.feed], 'Please feed Biscuit.', ['feed_pet', { pet: 'Biscuit' }]),
  asks([t.lottery, t.feed], 'Can you feed the pet Waldo?', ['feed_pet', { pet: 'Waldo' }]),
  asks([t.sauna], 'Heat the sauna to 85 degrees.', ['heat_sauna', { degrees: 85 }]),
  asks([t.paint, t.curtain, t.sauna], 'Could you heat the sauna to 74?', ['heat_sauna', { degrees: 74 }]),
  asks([t.curtain], 'Move the curtain to closed.', ['move_curtain', { position: 'closed' }]),
  asks([t.sauna, t.curtain], 'Can you move the curtain to open?', ['move_curtain', { position: 'open' }]),
  asks([t.vote], 'Cast a vote for Dorothea.', ['cast_vote', { candidate: 'Dorothea' }]),
  asks([t.diet, t.badge, t.vote], 'I want you to cast my vote for Gideon.', [
    'cast_vote',
    { candidate: 'Gideon' },
  ]),
  asks([t.paint], 'Paint the fence in olive, please.', ['paint_fence', { paint: 'olive' }]),
  asks([t.paint, t.gate], 'Could you paint my fence in navy?', ['paint_fence', { paint: 'navy' }]),
  asks([t.joke], 'Tell a joke about penguins.', ['tell_joke', { about: 'penguins' }]),
  asks([t.ski, t.joke, t.anchor], 'Please tell me a joke about submarines.', [
    'tell_joke',
    { about: 'submarines' },
  ]),
  asks([t.ski], 'What is the ski report of Kitzbuehel?', ['ski_report', { resort: 'Kitzbuehel' }]),
  asks([t.museum, t.ski], 'I need the ski report for Zermatt.', ['ski_report', { resort: 'Zermatt' }]),
  asks([t.exchange], 'Swap coins from Q17 to Z93.', ['swap_coins', { source: 'Q17', target_wallet: 'Z93' }]),
  asks([t.chess], 'Solve puzzle 4812.', ['solve_puzzle', { puzzle: 4812 }]),
  asks([t.translate, t.chess], 'Can you solve the puzzle number 57?', ['solve_puzzle', { puzzle: 57 }]),
  asks([t.lottery, t.chess], 'Please draw the lottery numbers.', ['drawLottery', {}]),
  asks([t.fine], 'Pay the fine QX-8837.', ['pay_fine', { fine_id: 'QX-8837' }]),
  asks([t.gate, t.fine, t.badge], 'Please pay my fine KJ-0416.', ['pay_fine', { fine_id: 'KJ-0416' }]),
  asks([t.vet], 'Call the vet for the llama at 14:35.', ['call_vet', { animal: 'llama', hour: '14:35' }]),
  asks([t.gate], 'Open the gate with pin 7391.', ['openGate', { pin: 7391 }]),
  asks([t.elevator, t.gate], 'Please open the gate with 2648.', ['openGate', { pin: 2648 }]),
  asks([t.coffee, t.vet], 'Can you grind beans for 6 cups?', ['grind_beans', { cups: 6 }]),
  asks([t.diet], 'Plan a diet for Ottilie with weeks 8.', ['plan_diet', { client: 'Ottilie', weeks: 8 }]),
  asks([t.museum], 'Can you list the exhibitions in Bratislava?', [
    'list_exhibitions',
    { town_name: 'Bratislava' },
  ]),
  asks([t.garbage, t.museum, t.volcano, t.vote], 'List the exhibitions in Marseille, please.', [
    'list_exhibitions',
    { town_name: 'Marseille' },
  ]),
  asks([t.translate], "Encode the phrase 'meet me at dawn' in morse.", [
    'morse_encode',
    { phrase: 'meet me at dawn' },
  ]),
  asks([t.wobbulate, t.translate], 'Please encode "purple otter" in morse.', [
    'morse_encode',
    { phrase: 'purple otter' },
  ]),
  asks([t.blizzle], 'Please blizzle the snark at 44.', ['blizzle_the_snark', { speed: 44 }]),
  asks([t.blizzle, t.wobbulate], 'Call wobbulate with gizmo teapot and fast true', [
    'wobbulate',
    { gizmo: 'teapot', fast: true },
  ]),
  asks([t.garbage], 'What is the garbage schedule of Rosebury?', [
    'garbage_schedule',
    { street: 'Rosebury' },
  ]),
  asks([t.anchor, t.fireworks], 'Drop the anchor at 35 metres.', ['drop_anchor', { metres: 35 }]),
  asks([t.fireworks, t.badge], 'Print a badge for Ewan.', ['print_badge', { visitor: 'Ewan' }]),
  asks([t.fireworks], 'Can you light the fireworks at 23:15?', ['light_fireworks', { hour: '23:15' }]),
  asks([t.satellite, t.elevator, t.anchor, t.lottery], 'Locate the satellite WT-5520.', [
    'locate_satellite',
    { satellite: 'WT-5520' },
  ]),
  asks([t.elevator, t.satellite], 'Please call the elevator to floor 17.', ['call_elevator', { floor: 17 }]),

  asks(
    [t.horoscope],
    'What is the horoscope for Taurus and for Pisces?',
    ['get_horoscope', { sign: 'Taurus' }],
    ['get_horoscope', { sign: 'Pisces' }],
  ),
  asks(
    [t.earthquakes, t.ski],
    'Check the earthquakes in Skopje and in Cusco.',
    ['check_earthquakes', { region: 'Skopje' }],
    ['check_earthquakes', { region: 'Cusco' }],
  ),
  asks(
    [t.museum],
    'Please list the exhibitions in Seville and in Tampere.',
    ['list_exhibitions', { town_name: 'Seville' }],
    ['list_exhibitions', { town_name: 'Tampere' }],
  ),
  asks(
    [t.badge, t.gate],
    'Print a badge for Sigrid and print a badge for Magnus.',
    ['print_badge', { visitor: 'Sigrid' }],
    ['print_badge', { visitor: 'Magnus' }],
  ),
  asks(
    [t.ski, t.vote],
    'What is the ski report of Davos and of Ischgl?',
    ['ski_report', { resort: 'Davos' }],
    ['ski_report', { resort: 'Ischgl' }],
  ),
  asks(
    [t.feed, t.sauna],
    'Feed the pet Pickles and heat the sauna to 68.',
    ['feed_pet', { pet: 'Pickles' }],
    ['heat_sauna', { degrees: 68 }],
  ),
  asks(
    [t.gate, t.elevator],
    'Please open the gate with 8215 and then call the elevator to floor 5.',
    ['openGate', { pin: 8215 }],
    ['call_elevator', { floor: 5 }],
  ),
  asks(
    [t.joke, t.coffee],
    'Tell a joke about llamas. Also grind beans for 4 cups.',
    ['tell_joke', { about: 'llamas' }],
    ['grind_beans', { cups: 4 }],
  ),
  asks(
    [t.vote, t.fine, t.paint],
    'Could you pay the fine LM-7702 and paint the fence in crimson?',
    ['pay_fine', { fine_id: 'LM-7702' }],
    ['paint_fence', { paint: 'crimson' }],
  ),
  asks(
    [t.volcano, t.horoscope],
    'Find a volcano in Vanuatu. And get the horoscope for Leo.',
    ['findVolcano', { country: 'Vanuatu' }],
    ['get_horoscope', { sign: 'Leo' }],
  ),
];
