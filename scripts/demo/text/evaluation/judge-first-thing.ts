import type { FirstThing } from './first-things.ts';

export type Verdict = 'sensible' | 'graceful' | 'nonsense';

/** Words of an answer that admits its limits. */
const humble =
  /\b(do not know|don't know|cannot|can't|do not understand|did not understand|too much for|too small|know only|know little|not told me|not understood|no clock|no news)\b/iu;

/** By the rule of its line, as first-things/README.md has it; the turn has ended by itself. */
export function judgeFirstThing({ rule }: FirstThing, answer: string): Verdict {
  const isCall = answer.startsWith('CALL ');
  const isGraceful = !isCall && isHumble(answer);
  const takesGraceful = /^HONEST(?:\||$)/u.test(rule);
  const pattern = rule.replace(/^HONEST\|?/u, '');
  const isMatch = pattern !== '' && isCall === pattern.startsWith('CALL ') && matches(pattern, answer);
  if (isMatch || (takesGraceful && isGraceful)) return 'sensible';
  return isGraceful ? 'graceful' : 'nonsense';
}

/** Says in at most three sentences that it does not know, cannot, or did not understand. */
export function isHumble(answer: string): boolean {
  const sentences = answer.split(/[.!?](?:\s|$)/u).filter((part) => part.trim() !== '').length;
  return humble.test(answer) && sentences <= 3;
}

/** Rules that tell capitals from small letters say so by a range. */
const matches = (pattern: string, answer: string): boolean =>
  new RegExp(pattern, pattern.includes('a-z') || /^[A-Z]+$/u.test(pattern) ? 'su' : 'isu').test(answer);
