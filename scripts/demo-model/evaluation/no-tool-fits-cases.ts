import type { Message, Tool } from '../conversation.ts';
import type { EvaluationCase } from './case.ts';
import { heldOutTools as t } from './held-out-tools.ts';
import { says } from './judge.ts';
import { offered } from './question.ts';

const declined = says('cannot');

const asks = (tools: readonly Tool[], content: string, accepts: EvaluationCase['accepts']): EvaluationCase =>
  offered('no-tool-fits', tools, content, accepts);

const brief: Message = { role: 'system', content: 'You are a short and friendly helper.' };

export const noToolFitsCases: readonly EvaluationCase[] = [
  asks([t.horoscope], 'Hey there, little model!', says('Hello')),
  asks([t.ski, t.vote], 'A good morning to you all!', says('Good morning')),
  asks([t.gate], 'hello hello hello', says('Hello')),
  asks([t.plant, t.tv], 'Hi, I am Noemi.', says('Noemi')),
  asks([t.satellite], 'Thank you so much indeed!', says('welcome')),
  asks([t.badge, t.fine, t.joke], 'Thanks a lot for this one!', says('welcome')),
  asks([t.coffee], 'Goodbye now, see you soon!', says('Goodbye')),
  asks([t.elevator, t.museum], 'So, who are you?', says('hearth-demo')),
  asks([t.anchor], 'Tell me, what are you?', says('hearth-demo')),
  asks([t.sauna], 'Which city is the capital of Italy, please?', says('Rome')),
  asks([t.feed, t.volcano], 'Do you know the capital of Japan?', says('Tokyo')),
  asks([t.diet, t.chess], 'Name the capital of Spain.', says('Madrid')),
  asks([t.joke, t.curtain], 'capital of Egypt?', says('Cairo')),
  asks([t.lottery, t.paint], 'How much is 21 + 14?', says(35)),
  asks([t.badge], 'Please add 30 + 12.', says(42)),
  asks([t.horoscope, t.ski], 'Please play the song Velvet Comet.', declined),
  asks([t.vote], 'What is the weather in Reykjavik?', declined),
  asks([t.tv, t.gate], 'Can you send an email to Clovis?', declined),
  asks([t.plant], 'Book a flight from Valencia to Medellin.', declined),
  asks([t.fine, t.sauna, t.museum], 'Set a timer for 113 minutes.', declined),
  asks([t.wobbulate], "Please translate 'velvet comet' into French.", declined),
  asks([t.chess, t.blizzle], 'Can you order a pizza for 11 people?', declined),
  asks([t.garbage], 'Could you turn up the heater in the cellar to 101?', declined),
  {
    group: 'no-tool-fits',
    tools: [t.earthquakes, t.joke],
    messages: [brief, { role: 'user', content: 'Hello you two-line model!' }],
    accepts: says('Hello'),
  },
];
