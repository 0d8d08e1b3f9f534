import type { ChatTemplate } from '../../../src/engine/prompt/chat-template.ts';
import { ReasoningParser } from '../../../src/engine/prompt/thoughts/reasoning-parser.ts';
import type { JsonObject } from '../../../src/engine/types.ts';
import { nastyTools, parseCalls, type ParsedCall, type ParsedTurn } from './call-fixtures.ts';

/** An assistant's call of the tool `note_down`. */
export const noteCall = (id: string, values: unknown) => ({
  id,
  name: 'note_down',
  arguments: JSON.stringify(values),
});

/** Calls with `values` and two others, rendered by `template` and read back: the outcome, and the expected calls. */
export function roundTrip(
  template: ChatTemplate,
  values: JsonObject,
): { readonly parsed: ParsedTurn; readonly expected: readonly ParsedCall[] } {
  const { toolSyntax } = template.facts;
  const calls = [
    noteCall('call00000', values),
    { ...noteCall('call00001', {}), name: 'wait' },
    noteCall('call00002', { text: 'z' }),
  ].slice(0, toolSyntax.parallel ? 3 : 1);
  const user = 'Question to it';
  const { text } = template.renderPrompt({
    messages: [
      { role: 'user', content: user },
      { role: 'assistant', content: '', toolCalls: calls },
    ],
    tools: nastyTools,
  });
  return {
    parsed: parseCalls(toolSyntax, nastyTools, lastTurn(template, text, user)),
    expected: calls.map(({ name, arguments: json }) => ({
      name,
      arguments: JSON.parse(json) as unknown,
      complete: true,
    })),
  };
}

/** The text that the model would have generated for the last message of `text`, free of thoughts. */
function lastTurn(template: ChatTemplate, text: string, user: string): string {
  const { toolSyntax } = template.facts;
  const from = text.lastIndexOf(user) + user.length;
  // A template writes the recipient before the channel.
  const begin = toolSyntax.channels ? ' to=functions.' : (toolSyntax.triggers[0]?.text ?? '');
  const turn = text.slice(text.indexOf(begin, from));
  if (!toolSyntax.channels) return turn;
  const parser = new ReasoningParser({ syntax: { kind: 'channels' }, startsInThought: false });
  return [...parser.push(turn), ...parser.finish()].map((event) => event.text).join('');
}
