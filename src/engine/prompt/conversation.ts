import type {
  Attachment,
  ChatMessage,
  JsonObject,
  JsonValue,
  ReasoningRequest,
  TemplateVariables,
  ToolDefinition,
} from '../types.ts';
import { isJsonArray, mapParts, parseArguments } from './tools/schema/call-arguments.ts';

export interface Conversation {
  readonly messages: readonly ChatMessage[];
  /** The last message is the beginning of the answer, whose rest is to come. */
  readonly continuesLast?: boolean;
  readonly tools?: readonly ToolDefinition[];
  /** Undefined: the template decides. */
  readonly reasoning?: ReasoningRequest;
  /** Set in the template as they are, whatever else would set them. */
  readonly variables?: TemplateVariables;
}

/** The texts before, between and behind the attachments of a message: one more than these. */
export function textsAround(content: string, attachments: readonly Attachment[]): string[] {
  const cuts = [0, ...attachments.map(({ offset }) => offset), content.length];
  return cuts.slice(1).map((end, index) => content.slice(cuts[index], end));
}

/** Every text in `conversation` that a client or a model wrote: contents, thoughts, names, ids, arguments, schemas, variables. */
export function conversationTexts(conversation: Conversation): string[] {
  const texts: string[] = [];
  mapConversationTexts(conversation, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/**
 * `conversation` with `change` applied to each text of `conversationTexts`, in the same order. Arguments of calls are
 * parsed as JSON first, so that an escape such as `\u003c` hides nothing, and written as JSON again.
 */
export function mapConversationTexts(
  conversation: Conversation,
  change: (text: string) => string,
): Conversation {
  return {
    ...conversation,
    messages: conversation.messages.map((message) => mapMessage(message, change)),
    ...(conversation.tools && { tools: conversation.tools.map((tool) => mapTool(tool, change)) }),
    ...(conversation.variables && {
      variables: mapParts(conversation.variables, (value) =>
        typeof value === 'string' ? change(value) : value,
      ) as TemplateVariables,
    }),
  };
}

function mapMessage(message: ChatMessage, change: (text: string) => string): ChatMessage {
  const { toolCallId, toolCalls, reasoning } = message;
  return {
    ...message,
    content: change(message.content),
    ...(toolCallId !== undefined && { toolCallId: change(toolCallId) }),
    ...(reasoning !== undefined && { reasoning: change(reasoning) }),
    ...(toolCalls && {
      toolCalls: toolCalls.map((call) => ({
        id: change(call.id),
        name: change(call.name),
        arguments: JSON.stringify(mapJson(parseArguments(call.arguments), change)),
      })),
    }),
  };
}

const mapTool = (tool: ToolDefinition, change: (text: string) => string): ToolDefinition => ({
  name: change(tool.name),
  ...(tool.description !== undefined && { description: change(tool.description) }),
  ...(tool.parameters && { parameters: mapJson(tool.parameters, change) as JsonObject }),
});

function mapJson(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isJsonArray(value)) return value.map((item) => mapJson(item, change));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapJson(item, change)]));
}
