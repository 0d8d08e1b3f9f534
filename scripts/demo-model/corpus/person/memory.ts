import type { Conversation } from '../../conversation.ts';
import type { Choices } from '../text/choices.ts';
import { conversationOf } from '../chat/exchanges.ts';
import { writeAnyExchange, writeImpersonalExchange } from '../chat/joined.ts';
import { drawMemories, drawOtherValue } from './memory-kinds.ts';
import type { Memory } from './memory-plan.ts';
import { ask, type Exchange } from '../text/wording.ts';

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
  const [memory] = draw(choices, 1);
  return [tell(choices, memory), ...talk(choices), recall(choices, memory)];
}

/** Told and asked for in one message. */
function tellAndAsk(choices: Choices): Exchange[] {
  const [memory] = draw(choices, 1);
  const statement = tell(choices, memory).question.replace(/[.!?]?$/, '.');
  const { question, answer } = recall(choices, memory);
  return [{ question: `${statement} ${question}`, answer }];
}

function missOne(choices: Choices): Exchange[] {
  const [memory] = draw(choices, 1);
  return [...talk(choices), miss(choices, memory)];
}

/** Two or three things told, at times in one message, and one of them asked for. */
function rememberOneOfSeveral(choices: Choices): Exchange[] {
  const memories = draw(choices, choices.chance(0.75) ? 2 : 3);
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
  const [missing, ...told] = draw(choices, choices.chance(0.75) ? 2 : 3);
  return [
    ...told.map((memory) => tell(choices, memory)),
    ...talk(choices).slice(0, 2),
    miss(choices, missing),
  ];
}

/** Telling, asking and other talk in any order. */
function chat(choices: Choices): Exchange[] {
  const left: Memory[] = draw(choices, 3);
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
  const [first] = draw(choices, 1);
  const second = drawOtherValue(choices, first);
  const lead = choices.pick([
    'Sorry, ',
    'No, ',
    'Actually, ',
    'I was wrong: ',
    'Now it has changed: ',
    'Wait, ',
    '',
  ]);
  const { question, answer } = ask(
    choices,
    { questions: second.told.questions.slice(0, 2), answer: second.told.answer },
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
  const [memory] = draw(choices, 1);
  const isRight = choices.chance(0.5);
  const { value } = isRight ? memory : drawOtherValue(choices, memory);
  const { question } = ask(choices, { questions: memory.checks, answer: '' }, { keepCase: true });
  return [
    tell(choices, memory),
    ...talk(choices).slice(0, 2),
    {
      question: question.replace('VALUE', () => value),
      answer: `${isRight ? 'Yes' : 'No'}, ${inside(memory)}`,
    },
  ];
}

const inside = ({ answer }: Memory): string => answer.charAt(0).toLowerCase() + answer.slice(1);

const allAsked = [
  'what do you (know|remember|recall) about me?',
  'what (did I tell you|have I told you|did I say|have you learned) about (me|myself)?',
  '(tell me|say|repeat|list|sum up) (what|all|everything) (you know|you remember|I told you) about (me|myself).',
  '(which facts|what facts|what) (do you know|have you noted|did you note) about me?',
  '(do you know|do you remember) (anything|something) about me?',
];

function rememberAll(choices: Choices): Exchange[] {
  const memories: readonly Memory[] = choices.chance(0.2) ? [] : draw(choices, choices.integer(1, 2));
  return [
    ...memories.map((memory) => tell(choices, memory)),
    ...talk(choices).slice(0, 2),
    ask(choices, {
      questions: allAsked,
      answer:
        memories.length === 0
          ? 'You have not told me anything about you yet.'
          : memories.map(({ answer }) => answer).join(' '),
    }),
  ];
}

function draw(choices: Choices, count: number): [Memory, ...Memory[]] {
  const [first, ...others] = drawMemories(choices, count);
  if (first === undefined) throw new RangeError('no memory asked for');
  return [first, ...others];
}

function tell(choices: Choices, { told }: Memory): Exchange {
  return ask(choices, told, { keepCase: true, statement: true });
}

function recall(choices: Choices, { asked, answer }: Memory): Exchange {
  return ask(choices, { questions: asked, answer });
}

/** Asked for, though it was never told. */
function miss(choices: Choices, { asked, untold }: Memory): Exchange {
  return ask(choices, { questions: asked, answer: untold });
}

/** Up to five exchanges about other things. */
function talk(choices: Choices): Exchange[] {
  const length = choices.weighted([
    [0, 38],
    [1, 28],
    [2, 17],
    [3, 11],
    [4, 6],
    [5, 4],
  ]);
  return Array.from({ length }, () => talkOnce(choices));
}

function talkOnce(choices: Choices): Exchange {
  return choices.chance(0.2) ? writeAnyExchange(choices) : writeImpersonalExchange(choices);
}
