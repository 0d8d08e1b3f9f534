import type { ChatMessage, JsonObject, ToolCall } from '../../types.ts';
import { parseArguments } from '../tools/call-arguments.ts';
import type { TemplateFacts } from './template-facts.ts';
import { toTemplateJson } from '../tools/template-tools.ts';
import type { ToolSyntax } from '../tools/tool-syntax.ts';
import { writeToolCalls } from '../tools/write-tool-calls.ts';
import { toArgumentsForm, type ArgumentsForm } from '../probe/template-probe.ts';

/** A message as a chat template gets it. */
export interface TemplateMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly TemplateCall[];
  readonly tool_call_id?: string;
  /** The name of the tool that a result comes from. */
  readonly name?: string;
  /** A thought, in the field from which the template reads it. */
  readonly [thoughtField: string]: unknown;
}

interface TemplateCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: JsonObject | string };
}

/** `messages` in the forms that the template with these facts takes for calls, results and thoughts. */
export function toTemplateMessages(
  messages: readonly ChatMessage[],
  facts: TemplateFacts,
): TemplateMessage[] {
  const ids = new CallIds(facts);
  const ordered = facts.calls && !facts.calls.several ? oneCallEach(messages) : messages;
  const names = new Map<string, string>();
  return ordered.flatMap((message): readonly TemplateMessage[] => {
    for (const [index, call] of (message.toolCalls ?? []).entries()) {
      names.set(call.id, call.name);
      ids.meet(call, index);
    }
    if (message.role === 'tool') return [toResult(message, facts, ids, names)];
    if (message.role !== 'assistant') return [{ role: message.role, content: message.content }];
    return toAssistant(message, facts, ids);
  });
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
  const { form, emptyContent, besideContent } = facts.calls;
  const calls = { tool_calls: toolCalls.map((call) => toTemplateCall(call, form, ids)) };
  if (spoken === '') return [{ role: 'assistant', content: emptyContent, ...calls, ...thought }];
  if (besideContent) return [{ role: 'assistant', content: spoken, ...calls, ...thought }];
  return [
    { role: 'assistant', content: spoken, ...thought },
    { role: 'assistant', content: emptyContent, ...calls },
  ];
}

function thoughtItems(message: ChatMessage, facts: TemplateFacts): Record<string, string> {
  const field = facts.thoughts?.field;
  if (field === undefined || field === 'content' || !message.reasoning) return {};
  return { [field]: message.reasoning };
}

function inlineThought(message: ChatMessage, { thoughts }: TemplateFacts): string {
  if (thoughts?.syntax.kind !== 'tags' || !message.reasoning) return '';
  const { begin, end } = thoughts.syntax.tags;
  return `${begin}\n${message.reasoning}\n${end}\n\n`;
}

function toTemplateCall(call: ToolCall, form: ArgumentsForm, ids: CallIds): TemplateCall {
  const values = toTemplateJson(parseArguments(call.arguments)) as JsonObject;
  return {
    id: ids.of(call.id),
    type: 'function',
    function: { name: call.name, arguments: toArgumentsForm(values, form) },
  };
}

/** The result of a call. Where the template knows no such role it is a user message, in tags that most models know. */
function toResult(
  message: ChatMessage,
  facts: TemplateFacts,
  ids: CallIds,
  names: ReadonlyMap<string, string>,
): TemplateMessage {
  const { content, toolCallId = '' } = message;
  if (!facts.toolRole) return { role: 'user', content: `<tool_response>\n${content}\n</tool_response>` };
  // Some templates raise an error where the name is missing.
  const name = names.get(toolCallId) ?? 'tool';
  return { role: 'tool', content, tool_call_id: ids.of(toolCallId), name };
}

/** `messages` with each message of several calls replaced by one message for each call, followed by its result. */
function oneCallEach(messages: readonly ChatMessage[]): ChatMessage[] {
  const apart: ChatMessage[] = [];
  const moved = new Set<ChatMessage>();
  for (const [at, message] of messages.entries()) {
    const calls = message.toolCalls ?? [];
    if (moved.has(message)) continue;
    if (calls.length < 2) {
      apart.push(message);
      continue;
    }
    const answers = resultsAfter(messages, at);
    for (const [index, call] of calls.entries()) {
      const { content, reasoning, ...rest } = message;
      const first = { content, ...(reasoning !== undefined && { reasoning }) };
      apart.push({ ...rest, content: '', ...(index === 0 && first), toolCalls: [call] });
      const answer = answers.find((result) => result.toolCallId === call.id && !moved.has(result));
      if (answer === undefined) continue;
      moved.add(answer);
      apart.push(answer);
    }
  }
  return apart;
}

function resultsAfter(messages: readonly ChatMessage[], at: number): ChatMessage[] {
  const rest = messages.slice(at + 1);
  const end = rest.findIndex((message) => message.role !== 'tool');
  return end < 0 ? rest : rest.slice(0, end);
}

/** Changes ids of calls to a form that the template accepts; within a conversation equal ids stay equal. */
class CallIds {
  readonly #facts: TemplateFacts;
  readonly #known = new Map<string, string>();

  constructor(facts: TemplateFacts) {
    this.#facts = facts;
  }

  /** Takes note of a call, before `of` is asked for its id; `index` is its place in its turn. */
  meet(call: ToolCall, index: number): void {
    const spelled = spelledId(this.#facts.toolSyntax, call, index);
    if (spelled !== undefined) this.#known.set(call.id, spelled);
    else if (this.#facts.callIds === 'nine' && !this.#known.has(call.id))
      this.#known.set(call.id, /^[a-zA-Z0-9]{9}$/.test(call.id) ? call.id : this.#short());
  }

  of(id: string): string {
    const known = this.#known.get(id) ?? (this.#facts.callIds === 'nine' ? this.#short() : id);
    this.#known.set(id, known);
    return known;
  }

  #short(): string {
    return `call${String(this.#known.size).padStart(5, '0')}`;
  }
}

/** The id that a call's text spells itself, as Kimi's `functions.NAME:0` does: results have to repeat it. */
function spelledId({ body, call: { begin } }: ToolSyntax, call: ToolCall, index: number): string | undefined {
  if (body.kind !== 'tagged') return undefined;
  const [between, number] = body.afterName;
  if (typeof between !== 'string' || typeof number !== 'object' || number.kind !== 'index') return undefined;
  return `${/[^>\]]*$/.exec(begin)?.[0] ?? ''}${call.name}${between}${index}`;
}
