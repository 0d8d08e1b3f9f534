import type { Choices } from './choices.ts';
import { greetingIntents } from './data/greetings.ts';
import { ask, type Exchange } from './wording.ts';

/** Small talk, and questions about the model itself. */
export function writeGreetingExchange(choices: Choices): Exchange {
  return ask(choices, choices.weighted(greetingIntents), { statement: true });
}
