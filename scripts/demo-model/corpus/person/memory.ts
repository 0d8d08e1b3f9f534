import type { Conversation } from '../../conversation.ts';
import { conversationOf } from '../chat/exchanges.ts';
import type { Choices } from '../text/choices.ts';
import { lines } from '../text/data.ts';
import { draw } from '../text/forms.ts';
import { ask, type Exchange } from '../text/wording.ts';
import { miss, recall, several, talk, talkOnce, tell } from './memory-exchanges.ts';
import { drawOtherValue, type Memory } from './memory-kinds.ts';

/** Something told, other talk between, and then the question for it; or a question for what was never told. */
export function writeMemoryConversation(choices: Choices): Conversation {
  const write = choices.weighted([
    [rememberOne, 36],
    [tellAndAsk, 7],
    [missOne, 10],
    [rememberOneOfSeveral, 15],
    [missAnother, 10],
    [chat, 16],
    [correct, 4],
    [check, 5],
    [rememberAll, 3],
  ]);
  return conversationOf('memory', write(choices), { choices });
}

function rememberOne(choices: Choices): Exchange[] {
  const [memory] = several(choices, 1);
  return [tell(choices, memory), ...talk(choices), recall(choices, memory)];
}

/** Told and asked for in one message. */
function tellAndAsk(choices: Choices): Exchange[] {
  const [memory] = several(choices, 1);
  const statement = tell(choices, memory).question.replace(/[.!?]?$/, '.');
  const { question, answer } = recall(choices, memory);
  return [{ question: `${statement} ${question}`, answer }];
}

function missOne(choices: Choices): Exchange[] {
  const [memory] = several(choices, 1);
  return [...talk(choices), miss(choices, memory)];
}

/** Two or three things told, at times in one message, and one of them asked for. */
function rememberOneOfSeveral(choices: Choices): Exchange[] {
  const memories = several(choices, choices.chance(0.75) ? 2 : 3);
  const [wanted] = memories;
  const told = choices.shuffle(memories).map((memory) => tell(choices, memory));
  return [
    ...(choices.chance(0.3) ? [joinTold(told)] : told),
    ...talk(choices).slice(0, 2),
    recall(choices, wanted),
  ];
}

/** "I am Anna. I live in Oslo." */
function joinTold(told: readonly Exchange[]): Exchange {
  return {
    question: told.map(({ question }) => question.replace(/[.!?]?$/, '.')).join(' '),
    answer: told.map(({ answer }) => answer).join(' '),
  };
}

/** One thing told, and another asked for. */
function missAnother(choices: Choices): Exchange[] {
  const [missing, ...told] = several(choices, choices.chance(0.75) ? 2 : 3);
  return [
    ...told.map((memory) => tell(choices, memory)),
    ...talk(choices).slice(0, 2),
    miss(choices, missing),
  ];
}

/** Telling, asking and other talk in any order. */
function chat(choices: Choices): Exchange[] {
  const left: Memory[] = several(choices, 3);
  const told: Memory[] = [];
  const exchanges: Exchange[] = [];
  for (let length = choices.integer(3, 7); exchanges.length < length;) {
    const step = choices.weighted([
      ['tell', left.length > 0 ? 3 : 0],
      ['recall', told.length > 0 ? 4 : 0],
      ['miss', left.length > 0 ? 1 : 0],
      ['talk', 3],
    ] as const);
    if (step === 'talk') exchanges.push(talkOnce(choices));
    else if (step === 'recall') exchanges.push(recall(choices, choices.pick(told)));
    else if (step === 'miss') exchanges.push(miss(choices, choices.pick(left)));
    else {
      const memory = left.pop();
      if (memory === undefined) continue;
      told.push(memory);
      exchanges.push(tell(choices, memory));
    }
  }
  return exchanges;
}

/** What was told last holds. */
function correct(choices: Choices): Exchange[] {
  const [first] = several(choices, 1);
  const second = drawOtherValue(choices, first);
  const lead = draw(choices, 'corrections');
  const { question, answer } = ask(
    choices,
    { ...second.told, questions: second.told.questions.slice(0, 2) },
    { keepCase: true, statement: true },
  );
  const corrected = lead === '' ? question : lead + question.replace(/^My\b/, 'my');
  return [
    tell(choices, first),
    ...talk(choices).slice(0, 1),
    { question: corrected, answer },
    ...talk(choices).slice(0, 1),
    recall(choices, second),
  ];
}

/** "Is my name Anna?" */
function check(choices: Choices): Exchange[] {
  const [memory] = several(choices, 1);
  const isRight = choices.chance(0.5);
  const { value } = isRight ? memory : drawOtherValue(choices, memory);
  const { question } = ask(choices, memory.checks, { keepCase: true });
  return [
    tell(choices, memory),
    ...talk(choices).slice(0, 2),
    {
      question: question.replace('VALUE', () => value),
      answer: `${isRight ? 'Yes' : 'No'}, ${inside(memory)}`,
    },
  ];
}

const inside = ({ asked: { answer } }: Memory): string => answer.charAt(0).toLowerCase() + answer.slice(1);

function rememberAll(choices: Choices): Exchange[] {
  const memories: readonly Memory[] = choices.chance(0.2) ? [] : several(choices, choices.integer(1, 2));
  return [
    ...memories.map((memory) => tell(choices, memory)),
    ...talk(choices).slice(0, 2),
    ask(choices, {
      questions: lines('ways to ask for everything'),
      answer:
        memories.length === 0
          ? 'You have not told me anything about you yet.'
          : memories.map(({ asked }) => asked.answer).join(' '),
    }),
  ];
}
