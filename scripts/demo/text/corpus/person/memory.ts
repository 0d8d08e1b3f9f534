import type { Conversation } from '../../conversation.ts';
import { talkOnce } from '../chat/joined.ts';
import type { Choices } from '../text/choices.ts';
import { lines } from '../text/data.ts';
import { ask, type Exchange, plainConversation } from '../text/exchanges.ts';
import { draw, drawCount, drawFrom } from '../text/forms.ts';
import { lowerFirst } from '../text/inflect.ts';
import { drawMemories, drawOtherValue, type Memory, miss, recall, tell } from './memories.ts';

const kinds = { recallOne, tellAndAsk, missOne, recallSome, missAnother, chat, correct, check, recallAll };

/** Something told, other talk between, and then the question for it; or a question for a thing never told. */
export function writeMemoryConversation(choices: Choices): Conversation {
  return plainConversation(choices, 'memory', drawFrom(choices, 'kinds of talk from memory', kinds)(choices));
}

/** Up to five exchanges about other things, or fewer of them. */
function talk(choices: Choices, most = 5): Exchange[] {
  const length = drawCount(choices, 'exchanges between telling and asking');
  return Array.from({ length }, () => talkOnce(choices)).slice(0, most);
}

function recallOne(choices: Choices): Exchange[] {
  const [memory] = drawMemories(choices, 1);
  return [tell(choices, memory), ...talk(choices), recall(choices, memory)];
}

const withStop = ({ question }: Exchange): string => question.replace(/[.!?]?$/, '.');

/** Told and asked for in one message. */
function tellAndAsk(choices: Choices): Exchange[] {
  const [memory] = drawMemories(choices, 1);
  const told = withStop(tell(choices, memory));
  const { question, answer } = recall(choices, memory);
  if (choices.chance(0.6)) return [{ question: `${told} ${question}`, answer }];
  const joined = `${told.slice(0, -1)}${choices.pick([', ', ', ', ' and ', ', so ', ' - ', '; '])}${lowerFirst(question)}`;
  return [{ question: choices.chance(0.5) ? joined : lowerFirst(joined), answer }];
}

function missOne(choices: Choices): Exchange[] {
  const [memory] = drawMemories(choices, 1);
  return [...talk(choices), miss(choices, memory)];
}

/** Two or three things told, at times in one message, and one of them asked for. */
function recallSome(choices: Choices): Exchange[] {
  const memories = drawMemories(choices, choices.chance(0.75) ? 2 : 3);
  const told = choices.shuffle(memories).map((memory) => tell(choices, memory));
  const before = choices.chance(0.3) ? [joinTold(told)] : told;
  return [...before, ...talk(choices, 2), recall(choices, memories[0])];
}

/** "I am Anna. I live in Oslo." */
const joinTold = (told: readonly Exchange[]): Exchange => ({
  question: told.map(withStop).join(' '),
  answer: told.map(({ answer }) => answer).join(' '),
});

/** One thing told, and another asked for. */
function missAnother(choices: Choices): Exchange[] {
  const [missing, ...told] = drawMemories(choices, choices.chance(0.75) ? 2 : 3);
  return [...told.map((memory) => tell(choices, memory)), ...talk(choices, 2), miss(choices, missing)];
}

/** Telling, asking and other talk in any order. */
function chat(choices: Choices): Exchange[] {
  const left: Memory[] = drawMemories(choices, 3);
  const told: Memory[] = [];
  const exchanges: Exchange[] = [];
  for (let length = choices.integer(3, 7); exchanges.length < length;) {
    const step = choices.weighted([
      ['tell', left.length > 0 ? 3 : 0],
      ['recall', told.length > 0 ? 4 : 0],
      ['miss', left.length > 0 ? 1 : 0],
      ['talk', 3],
    ]);
    const [next] = step === 'tell' ? left.splice(-1) : [];
    if (next !== undefined) told.push(next);
    if (next !== undefined) exchanges.push(tell(choices, next));
    else if (step === 'recall') exchanges.push(recall(choices, choices.pick(told)));
    else if (step === 'miss') exchanges.push(miss(choices, choices.pick(left)));
    else exchanges.push(talkOnce(choices));
  }
  return exchanges;
}

/** A person corrects a value and asks for it: the second value holds. */
function correct(choices: Choices): Exchange[] {
  const [first] = drawMemories(choices, 1);
  const second = drawOtherValue(choices, first);
  const lead = draw(choices, 'corrections');
  const questions = second.told.questions.slice(0, 2);
  const { question, answer } = tell(choices, { told: { ...second.told, questions } });
  const corrected = lead === '' ? question : lead + question.replace(/^My\b/, 'my');
  return [
    tell(choices, first),
    ...talk(choices, 1),
    { question: corrected, answer },
    ...talk(choices, 1),
    recall(choices, second),
  ];
}

/** "Is my name Anna?" */
function check(choices: Choices): Exchange[] {
  const [memory] = drawMemories(choices, 1);
  const isRight = choices.chance(0.5);
  const { value } = isRight ? memory : drawOtherValue(choices, memory);
  const { question } = ask(choices, memory.checks, { keepCase: true });
  const answer = `${isRight ? 'Yes' : 'No'}, ${lowerFirst(memory.asked.answer)}`;
  const checked = { question: question.replace('VALUE', () => value), answer };
  return [tell(choices, memory), ...talk(choices, 2), checked];
}

function recallAll(choices: Choices): Exchange[] {
  const memories = choices.chance(0.2) ? [] : drawMemories(choices, choices.integer(1, 2));
  const known = memories.map(({ asked }) => asked.answer).join(' ');
  const answer = known === '' ? 'You have not told me anything about you yet.' : known;
  const asked = { questions: lines('ways to ask for everything'), answer };
  return [...memories.map((memory) => tell(choices, memory)), ...talk(choices, 2), ask(choices, asked)];
}
