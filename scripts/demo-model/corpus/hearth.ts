import type { Choices } from './choices.ts';
import { apiTopics } from './data/hearth/api.ts';
import { toIntent } from './data/hearth/intent.ts';
import { keyTopics } from './data/hearth/keys.ts';
import { modelTopics } from './data/hearth/models.ts';
import { ask, type Exchange, type Intent } from './wording.ts';

const intents: readonly Intent[] = [...keyTopics, ...modelTopics, ...apiTopics].map(toIntent);

/** A question about hearth itself, answered with the exact command or fact. */
export function writeHearthExchange(choices: Choices): Exchange {
  return ask(choices, choices.pick(intents));
}
