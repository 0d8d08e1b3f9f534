import type { ChatMessage, JsonObject, ToolCall } from '../../types.ts';
import { parseArguments } from '../tools/schema/call-arguments.ts';
import type { Variables } from './finish-prompt.ts';
import { pairResults } from './pair-results.ts';
import type { TemplateFacts, ToolsVariable } from './template-facts.ts';
import { filler, shapeTurns, type TemplateMessage } from './turn-shape.ts';
import { toTemplateJson, type TemplateTool } from '../tools/template-tools.ts';
import { spelledId } from '../tools/tool-syntax.ts';
import { writeToolCalls, writeToolInstructions } from '../tools/write-tool-calls.ts';
import { callMessage } from '../probe/template-probe.ts';

/** `tools` in the form that `variable` takes. */
export const toToolsItem = (variable: ToolsVariable, tools: readonly unknown[]): unknown =>
  variable === 'tools' ? tools : JSON.stringify(tools, null, 4);

/** Variables of a template: `messages` and `tools` in the forms that it takes, with every text where it was said. */
export function templateItems(
  messages: readonly ChatMessage[],
  tools: readonly TemplateTool[],
  facts: TemplateFacts,
): Variables {
  const { knowsSyntax, toolsVariable, turns } = facts;
  const instructed = withInstructions(toTemplateMessages(messages, facts), tools, facts);
  // A template's words about its own calls must not contradict the syntax that the prompt explains.
  const shown = knowsSyntax && tools.length > 0 ? toolsVariable : undefined;
  return {
    messages: shapeTurns(instructed, turns),
    ...(shown && { [shown]: toToolsItem(shown, tools) }),
  };
}

/** `messages` in the forms that the template with these facts takes for calls, results and thoughts. */
function toTemplateMessages(messages: readonly ChatMessage[], facts: TemplateFacts): TemplateMessage[] {
  const ids = new CallIds(facts);
  return pairResults(messages, facts).flatMap((message) => {
    for (const call of message.toolCalls ?? []) ids.meet(call);
    if (message.role === 'tool') return [toResult(message, facts, ids)];
    if (message.role !== 'assistant') return [{ role: message.role, content: message.content }];
    return toAssistant(message, facts, ids);
  });
}

/** `messages` with a system message that tells the model about its tools, where the template does not. */
function withInstructions(
  messages: readonly TemplateMessage[],
  tools: readonly TemplateTool[],
  facts: TemplateFacts,
): readonly TemplateMessage[] {
  if (tools.length === 0) return messages;
  const [first, ...rest] = messages;
  if (facts.toolsVariable !== undefined && facts.knowsSyntax)
    return facts.toolsNeedSystem && first?.role !== 'system'
      ? [{ role: 'system', content: '' }, ...messages]
      : messages;
  const instructions = writeToolInstructions(tools, facts.toolSyntax);
  if (first?.role !== 'system') return [{ role: 'system', content: instructions }, ...messages];
  return [{ ...first, content: `${first.content ?? ''}\n\n${instructions}`.trimStart() }, ...rest];
}

function toAssistant(message: ChatMessage, facts: TemplateFacts, ids: CallIds): TemplateMessage[] {
  const { content, toolCalls = [] } = message;
  const thought = thoughtItems(message, facts);
  const spoken = facts.thoughts?.field === 'content' ? inlineThought(message, facts) + content : content;
  if (toolCalls.length === 0) return [{ role: 'assistant', content: spoken, ...thought }];
  if (!facts.calls) {
    const written = writeToolCalls(facts.toolSyntax, toolCalls);
    return [{ role: 'assistant', content: spoken === '' ? written : `${spoken}\n${written}`, ...thought }];
  }
  const { form, emptyContent } = facts.calls;
  const calls = toolCalls.map((call) => ({
    id: ids.of(call.id).id,
    name: call.name,
    arguments: toTemplateJson(parseArguments(call.arguments)) as JsonObject,
  }));
  const apart = facts.turns.spoken;
  if (spoken === '' || apart === undefined)
    return [{ ...callMessage(calls, form, spoken || emptyContent), ...thought }];
  return [
    { role: 'assistant', content: spoken, ...thought },
    ...(apart === 'prompted' ? [{ role: 'user', content: filler.prompt }] : []),
    callMessage(calls, form, emptyContent),
  ];
}

function thoughtItems(message: ChatMessage, { thoughts, turns }: TemplateFacts): Record<string, string> {
  const field = turns.forgets ? undefined : thoughts?.field;
  if (field === undefined || field === 'content' || !message.reasoning) return {};
  return { [field]: message.reasoning };
}

function inlineThought(message: ChatMessage, { thoughts }: TemplateFacts): string {
  if (thoughts?.syntax.kind !== 'tags' || !message.reasoning) return '';
  const { begin, end } = thoughts.syntax.tags;
  return `${begin}\n${message.reasoning}\n${end}\n\n`;
}

/** The result of a call, as a message of its own role or of the user. */
function toResult(message: ChatMessage, facts: TemplateFacts, ids: CallIds): TemplateMessage {
  const { content, toolCallId = '' } = message;
  if (facts.turns.tellsResults)
    return { role: 'user', content: `<tool_response>\n${content}\n</tool_response>` };
  const { id, name } = ids.of(toolCallId);
  return { role: 'tool', content, tool_call_id: id, name };
}

/** Changes ids of calls to a form that the template accepts, each to another: clients count anew in each turn. */
class CallIds {
  readonly #facts: TemplateFacts;
  readonly #known = new Map<string, Pick<ToolCall, 'id' | 'name'>>();
  readonly #used = new Set<string>();

  constructor(facts: TemplateFacts) {
    this.#facts = facts;
  }

  /** Takes note of a call, before `of` is asked for its id. */
  meet(call: ToolCall): void {
    const id = spelledId(this.#facts.toolSyntax, call.name, this.#used.size) ?? this.#unused(call.id);
    this.#known.set(call.id, { id, name: call.name });
    this.#used.add(id);
  }

  /** The id and the name of the latest call that had `id`. Some templates raise an error where the name is missing. */
  of(id: string): Pick<ToolCall, 'id' | 'name'> {
    return this.#known.get(id) ?? { id: this.#unused(id), name: 'tool' };
  }

  #unused(id: string): string {
    const hasNine = this.#facts.callIds === 'nine';
    const isTaken = (candidate: string) => this.#used.has(candidate);
    if (!isTaken(id) && (!hasNine || /^[a-zA-Z0-9]{9}$/.test(id))) return id;
    for (let number = this.#used.size; ; number++) {
      const candidate = hasNine ? `call${String(number).padStart(5, '0')}` : `${id}_${number}`;
      if (!isTaken(candidate)) return candidate;
    }
  }
}
