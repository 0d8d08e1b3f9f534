import type { Choices } from '../text/choices.ts';
import { line, lines } from '../text/data.ts';
import { entries, type Entry } from '../text/entries.ts';
import { draw } from '../text/forms.ts';
import { gerundOfDeed } from '../text/inflect.ts';
import type { Exchange } from '../text/intents.ts';
import { typed, vary } from '../text/wording.ts';

const topics = ['keys', 'plans', 'models', 'settings', 'audio', 'api', 'errors'].flatMap((name) =>
  entries(`topics of ${name}`),
);
/** The parts of a topic that are put into sentences. */
const parts = ['how', 'what', 'where', 'unsure', 'whether', 'trouble', 'story'];

/** A question about hearth itself, answered with the exact command or fact. */
export function writeHearthExchange(choices: Choices): Exchange {
  const topic = choices.pick(topics);
  return { question: typed(choices, writeQuestion(choices, topic)), answer: topic.get('answer') };
}

/** A whole question of the topic, or one of its parts in a sentence. */
function writeQuestion(choices: Choices, topic: Entry): string {
  const questions = topic.all('question');
  const filled = parts.filter((part) => topic.find(part) !== undefined);
  if (filled.length === 0 || (questions.length > 0 && choices.chance(0.35))) {
    const question = `${vary(choices, line('about hearth'))} ${choices.pick(questions)}`;
    return withNames(choices, vary(choices, question));
  }
  const name = choices.pick(filled);
  const part = vary(choices, `(${topic.get(name)})`);
  const sentence = vary(choices, choices.pick(lines(`frames for ${name}`)))
    .replaceAll('{}', part)
    .replaceAll('{ing}', gerundOfDeed(part))
    .replaceAll('{bare}', withoutArticles(part));
  return withNames(choices, sentence);
}

function withoutArticles(part: string): string {
  return part.replaceAll(/\b(a|an|the|my|your|our) /g, '');
}

/** "an API key", "a hearth key", whatever the template had before them. */
function withArticles(text: string): string {
  return text
    .replaceAll(/\ba (?=[aeio][a-z]+|API)(?!one)/g, 'an ')
    .replaceAll(/\ban (?=key|hearth|secret|user|member|login|model|new|lost|leaked)/g, 'a ');
}

function withNames(choices: Choices, text: string): string {
  return withArticles(text)
    .replaceAll('{person}', () => draw(choices, 'person name'))
    .replaceAll('{model}', () => modelName(choices))
    .replaceAll('{id}', () => `key_${draw(choices, 'made-up word')}${choices.integer(1, 99)}`);
}

/** A model's id, real or made up, such as "qwen3-0.6b". */
function modelName(choices: Choices): string {
  const family = choices.chance(0.4) ? draw(choices, 'made-up word') : vary(choices, line('model families'));
  return `${family}-${vary(choices, line('model sizes'))}`;
}
