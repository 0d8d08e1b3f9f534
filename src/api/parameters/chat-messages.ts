import type { ChatMessage, ToolCall } from '../../engine/types.ts';

/**
 * Far above real conversations. Limits the time to render and tokenise one request, which the byte limit alone does
 * not.
 */
export const maxMessages = 4096;
export const maxContentParts = 1024;

/** The texts of a message as one, a line each. Lone surrogates, which UTF-8 cannot hold, become U+FFFD. */
export function joinTexts(texts: readonly string[]): string {
  return texts.join('\n').toWellFormed();
}

/** A message of the assistant in the engine's form, with what it thought before and the calls that it made. */
export function toAssistantMessage(
  content: string,
  toolCalls: readonly ToolCall[],
  reasoning: string | null | undefined,
): ChatMessage {
  return {
    role: 'assistant',
    content,
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(reasoning && { reasoning: reasoning.toWellFormed() }),
  };
}
