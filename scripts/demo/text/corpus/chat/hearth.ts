import type { Choices } from '../text/choices.ts';
import { entries, type Entry, line, lines } from '../text/data.ts';
import type { Exchange } from '../text/exchanges.ts';
import { compose } from '../text/forms.ts';
import { gerundOfDeed } from '../text/inflect.ts';
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
    return compose(choices, withArticles(vary(choices, question)));
  }
  const name = choices.pick(filled);
  const part = vary(choices, `(${topic.get(name)})`);
  const sentence = vary(choices, choices.pick(lines(`frames for ${name}`)))
    .replaceAll('{}', part)
    .replaceAll('{ing}', gerundOfDeed(part))
    .replaceAll('{bare}', part.replaceAll(/\b(a|an|the|my|your|our) /g, ''));
  return compose(choices, withArticles(sentence));
}

/** "an API key", "a hearth key", whatever the template had before them. */
function withArticles(text: string): string {
  return text
    .replaceAll(/\ba (?=[aeio][a-z]+|API)(?!one)/g, 'an ')
    .replaceAll(/\ban (?=key|hearth|secret|user|member|login|model|new|lost|leaked)/g, 'a ');
}
