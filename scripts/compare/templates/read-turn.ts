import type { Conversation } from '../../../src/engine/prompt/conversation.ts';
import type { TemplateFacts } from '../../../src/engine/prompt/template/template-facts.ts';
import { planTurn } from '../../../src/engine/prompt/turn-plan.ts';
import { TurnReader } from '../../../src/engine/prompt/turn-reader.ts';
import type { GenerationRequest } from '../../../src/engine/types.ts';

/** The contents of a turn, as a reader found them. */
export interface Turn {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
}

/** The value of `json`, or the text itself where it is none. */
export const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
};

/** The turn `text` as it is read here. `required`: it has to be a call. */
export function readTurn(
  facts: TemplateFacts,
  { tools, reasoning, messages, continuesLast }: Conversation,
  startsInThought: boolean,
  text: string,
  required = false,
): Turn {
  const request = {
    prompt: { kind: 'messages', messages, continuesLast },
    ...(reasoning && { reasoning }),
    ...(tools && { tools: { definitions: tools, required, parallel: true } }),
  } as unknown as GenerationRequest;
  const plan = planTurn(request, facts, startsInThought, undefined);
  const read = { text: '', reasoning: '', calls: [] as { name: string; arguments: string }[] };
  if (plan === undefined) return { ...read, text };
  const reader = new TurnReader(plan.reader);
  for (const event of [...reader.push(text), ...reader.finish()]) {
    if (event.type === 'text') read.text += event.text;
    else if (event.type === 'reasoning') read.reasoning += event.text;
    else if (event.type === 'tool-call') read.calls.push({ name: event.name, arguments: '' });
    else (read.calls.at(-1) ?? { arguments: '' }).arguments += event.text;
  }
  return {
    ...read,
    calls: read.calls.map((call) => ({ name: call.name, arguments: parsed(call.arguments) })),
  };
}
