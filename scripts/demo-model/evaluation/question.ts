import type { Group } from '../conversation.ts';
import type { Answer, EvaluationCase } from './case.ts';
import { says } from './judge.ts';

/** A question alone, right when the answer has all of these as whole words. */
export function question(
  group: Group,
  content: string,
  ...expected: readonly (string | number)[]
): EvaluationCase {
  return judged(group, content, says(...expected));
}

/** A question alone, judged by a function. */
export function judged(group: Group, content: string, accepts: (answer: Answer) => boolean): EvaluationCase {
  return { group, messages: [{ role: 'user', content }], accepts };
}

/** Accepts an answer in words that matches the pattern. */
export function matches(pattern: RegExp): (answer: Answer) => boolean {
  return ({ text, toolCalls }) => toolCalls.length === 0 && pattern.test(text);
}
