import type { AssistantMessage, Conversation, Group, Message } from '../../conversation.ts';
import type { Choices } from './choices.ts';
import { hasSection, lines, memo } from './data.ts';
import { drawSlots, pickForm, readSlotLine } from './forms.ts';
import { fill, type Slots } from './slots.ts';
import { type Manner, typed, vary } from './wording.ts';

/** A question that a user may ask in several ways, and the one answer to it. */
export interface Intent {
  /** Templates for `vary`. */
  readonly questions: readonly string[];
  /** Contents of their slots. */
  readonly slots?: Slots;
  readonly answer: string;
  /** The thought before the answer, step by step. */
  readonly steps?: readonly string[];
}

/** One user message and its answer. */
export interface Exchange extends Pick<Intent, 'answer' | 'steps'> {
  readonly question: string;
  /** The answer without the steps, where it differs. */
  readonly direct?: string;
}

/** A question of the intent as typed by somebody, and its answer. */
export function ask(choices: Choices, intent: Intent, manner?: Manner): Exchange {
  const { questions, slots = {}, answer, steps = [] } = intent;
  const question = fill(choices.pick(questions), slots);
  return { question: typed(choices, vary(choices, question), manner), answer, steps };
}

/** The intent that a section describes as README.md says. Given slots are not drawn. */
export function drawIntent(choices: Choices, section: string, given: Slots = {}): Intent {
  let slots = given;
  const questions: string[] = [];
  const known = readLines(section);
  for (const { mark, text, slotLine } of known) {
    if (slotLine !== undefined) {
      if (!slotLine.names.every((name) => name in slots))
        slots = { ...drawSlots(choices, [slotLine], slots), ...slots };
    } else if (mark === undefined) questions.push(text);
    else if (mark === '+' && hasSection(fill(text, slots))) {
      const other = drawIntent(choices, fill(text, slots), slots);
      questions.push(...other.questions);
      slots = { ...other.slots };
    }
  }
  const filled = (wanted: string): string[] =>
    known.filter(({ mark }) => mark === wanted).map(({ text }) => fill(text, slots));
  return { questions, slots, answer: filled('=').join(''), steps: filled('>') };
}

/** An exchange that a section describes. */
export const exchangeOf = (choices: Choices, section: string, given?: Slots, manner?: Manner): Exchange =>
  ask(choices, drawIntent(choices, section, given), manner);

const readLines = memo((section) =>
  lines(section).map((line) => {
    const [, mark, text = line] = /^([=>+]) (.*)$/u.exec(line) ?? [];
    return { mark, text, slotLine: readSlotLine(line) };
  }),
);

/** A message of the user and the assistant's answer; `more` has its thought and its calls. */
export const turn = (question: string, answer: string, more?: Partial<AssistantMessage>): Message[] => [
  { role: 'user', content: question },
  { role: 'assistant', content: answer, ...more },
];

/** A system prompt where there is one. */
export const systemMessages = (content: string | undefined): Message[] =>
  content === undefined ? [] : [{ role: 'system', content }];

/** The exchanges as one conversation. */
export function conversationOf(group: Group, exchanges: readonly Exchange[], system?: string): Conversation {
  const turns = exchanges.flatMap(({ question, answer }) => turn(question, answer));
  return { group, messages: [...systemMessages(system), ...turns] };
}

/** The exchanges as one conversation, now and then under a system prompt that changes nothing. */
export function plainConversation(choices: Choices, group: Group, exchanges: Exchange[]): Conversation {
  const system = choices.chance(0.25) ? pickForm(choices, 'plain system prompts') : undefined;
  return conversationOf(group, exchanges, system);
}
