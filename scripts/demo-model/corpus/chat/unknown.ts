import type { Choices } from '../text/choices.ts';
import { pickForm } from '../text/forms.ts';
import { capitalize, lowerFirst } from '../text/inflect.ts';
import { ask, drawIntent, type Exchange } from '../text/intents.ts';

/** A question beyond what the model can know: about names that nobody knows, or about more than it has learned. */
export function writeUnknownExchange(choices: Choices): Exchange {
  const intent = drawIntent(choices, pickForm(choices, 'unknown matters'));
  const exchange = ask(choices, intent, { keepCase: true });
  const name = intent.slots?.name;
  if (name === undefined) return exchange;
  // The answer has the name as it is typed; so must the question, also where the name begins it.
  const typed = [capitalize, lowerFirst].map((change) => change(String(name)));
  const question = typed.reduce((text, form) => text.replaceAll(form, String(name)), exchange.question);
  return { ...exchange, question };
}
