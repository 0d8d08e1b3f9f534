import type { Choices } from '../text/choices.ts';
import { apiTopics } from '../data/hearth/api.ts';
import { audioTopics } from '../data/hearth/audio.ts';
import { errorTopics } from '../data/hearth/errors.ts';
import { frames, type Slot } from '../data/hearth/frames.ts';
import type { HearthTopic } from '../data/hearth/intent.ts';
import { keyTopics } from '../data/hearth/keys.ts';
import { modelTopics } from '../data/hearth/models.ts';
import { planTopics } from '../data/hearth/plans.ts';
import { settingTopics } from '../data/hearth/settings.ts';
import { madeUpWord, personName } from '../data/names.ts';
import { gerund } from '../text/gerund.ts';
import { type Exchange, typed, vary } from '../text/wording.ts';

const topics: readonly HearthTopic[] = [
  ...keyTopics,
  ...planTopics,
  ...modelTopics,
  ...settingTopics,
  ...audioTopics,
  ...apiTopics,
  ...errorTopics,
];
const slots: readonly Slot[] = ['how', 'what', 'where', 'unsure', 'whether', 'trouble', 'story'];

/** A question about hearth itself, answered with the exact command or fact. */
export function writeHearthExchange(choices: Choices): Exchange {
  const topic = choices.pick(topics);
  return { question: typed(choices, writeQuestion(choices, topic)), answer: topic.answer };
}

/** A whole question of the topic, or one of its parts in a sentence. */
function writeQuestion(choices: Choices, topic: HearthTopic): string {
  const { questions = [] } = topic;
  const filled = slots.filter((slot) => topic[slot] !== undefined);
  if (filled.length === 0 || (questions.length > 0 && choices.chance(0.35))) {
    const question = `${vary(choices, '(||||in hearth,|about hearth:|with hearth:|hearth:)')} ${choices.pick(questions)}`;
    return withNames(choices, vary(choices, question));
  }
  const slot = choices.pick(filled);
  const part = vary(choices, `(${topic[slot]})`);
  const sentence = vary(choices, choices.pick(frames[slot]))
    .replaceAll('{}', part)
    .replaceAll('{ing}', gerund(part))
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
    .replaceAll('{person}', () => personName(choices))
    .replaceAll('{model}', () => modelName(choices))
    .replaceAll('{id}', () => `key_${madeUpWord(choices)}${choices.integer(1, 99)}`);
}

/** A model's id, real or made up, such as "qwen3-0.6b". */
function modelName(choices: Choices): string {
  const family = choices.chance(0.4)
    ? madeUpWord(choices)
    : vary(
        choices,
        '(qwen3|qwen2.5|llama-3.2|gemma-3|phi-4|mistral|smollm2|granite-4|olmo-2|falcon3|deepseek-r1)',
      );
  const size = vary(choices, '(0.5b|0.6b|1b|1.5b|1.7b|3b|4b|7b|8b|12b|14b|mini|tiny|small|large)');
  return `${family}-${size}`;
}
