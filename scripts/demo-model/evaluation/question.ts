import type { Group, Tool } from '../conversation.ts';
import type { Answer, EvaluationCase } from './case.ts';
import { says, thinksAnd } from './judge.ts';

type Accepts = (answer: Answer) => boolean;

/** A question alone, right when the answer has all of these as whole words. */
export function question(
  group: Group,
  content: string,
  ...expected: readonly (string | number)[]
): EvaluationCase {
  return judged(group, content, says(...expected));
}

/** A question alone, judged by a function. */
export function judged(group: Group, content: string, accepts: Accepts): EvaluationCase {
  return { group, messages: [{ role: 'user', content }], accepts };
}

/** A question beside which tools are offered. */
export function offered(
  group: Group,
  tools: readonly Tool[],
  content: string,
  accepts: Accepts,
): EvaluationCase {
  return { ...judged(group, content, accepts), tools };
}

/** A question after a system prompt. */
export function instructed(system: string, content: string, accepts: Accepts): EvaluationCase {
  return {
    group: 'persona',
    messages: [
      { role: 'system', content: system },
      { role: 'user', content },
    ],
    accepts,
  };
}

/** What was said so far, user and assistant in turns, and the last question. */
export function memory(said: readonly string[], content: string, accepts: Accepts): EvaluationCase {
  return {
    group: 'memory',
    messages: [
      ...said.map((text, index) => ({
        role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content: text,
      })),
      { role: 'user', content },
    ],
    accepts,
  };
}

/** A question that is to be thought about first. */
export function thinks(content: string, accepts: Accepts, tools?: readonly Tool[]): EvaluationCase {
  return { ...judged('thinking', content, thinksAnd(accepts)), thinking: true, ...(tools && { tools }) };
}

/** A question that is to be answered without a thought. */
export function direct(content: string, accepts: Accepts): EvaluationCase {
  return judged('thinking', content, (answer) => answer.thought === '' && accepts(answer));
}

/** Accepts an answer in words that matches the pattern. */
export function matches(pattern: RegExp): Accepts {
  return ({ text, toolCalls }) => toolCalls.length === 0 && pattern.test(text);
}
