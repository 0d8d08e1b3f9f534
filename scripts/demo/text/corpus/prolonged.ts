import type { Conversation, Message } from '../conversation.ts';
import { talkOnce } from './chat/joined.ts';
import { writeExchangeAlone } from './first/first.ts';
import type { Choices } from './text/choices.ts';
import { lines } from './text/data.ts';
import { turn } from './text/exchanges.ts';

/** Characters that come before, about 130 to 1,600 tokens; most often few. */
const drawLength = (choices: Choices): number => Math.round(400 * 10 ** (choices.integer(0, 100) / 100));

/**
 * The conversation after much else: the user talked of other things before, or the system prompt has many rules.
 * Where no example is longer than 350 tokens, a model writes nonsense behind so many.
 */
export function prolong(choices: Choices, conversation: Conversation): Conversation {
  const { group, messages, thinking } = conversation;
  const length = drawLength(choices);
  const [first] = messages;
  const system = first?.role === 'system' ? first.content : '';
  if (thinking === true || system !== '' || choices.chance(0.2)) {
    const rules = drawRules(choices, length);
    const content = system === '' ? rules : `${system}${choices.pick([' ', '\n', '\n\n'])}${rules}`;
    const turns = system === '' ? messages : messages.slice(1);
    return { ...conversation, messages: [{ role: 'system', content }, ...turns] };
  }
  // A thing to be remembered may also be told long ago.
  const at = group === 'memory' ? 2 * choices.integer(0, Math.floor((messages.length - 1) / 2)) : 0;
  return { ...conversation, messages: messages.toSpliced(at, 0, ...talkOfOtherThings(choices, length)) };
}

function talkOfOtherThings(choices: Choices, length: number): Message[] {
  const said: Message[] = [];
  for (let left = length; left > 0;) {
    const { question, answer } = (choices.chance(0.7) ? writeExchangeAlone : talkOnce)(choices);
    const taken = question.length + answer.length + turnLength;
    // A text that was pasted may be longer than all that is left.
    if (taken > Math.max(left, 400)) continue;
    said.push(...turn(question, answer));
    left -= taken;
  }
  return said;
}

/** The chat template's text around two messages takes about as many tokens as so many characters. */
const turnLength = 30;

/** Rules that change nothing about the answers, in any order, as sentences or as a list. */
function drawRules(choices: Choices, length: number): string {
  const before = choices.pick(['', '', '- ', '* ']);
  const rules: string[] = [];
  for (let left = length; left > 0; left -= rules.at(-1)?.length ?? 0)
    rules.push(`${before}${choices.pick(lines('rules of long system prompts'))}`);
  return rules.join(before === '' ? choices.pick([' ', ' ', '\n']) : '\n');
}
