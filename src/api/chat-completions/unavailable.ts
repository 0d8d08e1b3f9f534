import { AppError } from '../../errors/errors.ts';
import { formatPath } from '../../words/format-path.ts';
import { unsupported } from '../request/validate.ts';
import type { ChatMessageParameter } from './message-schema.ts';
import type { ChatCompletionParameters } from './schema.ts';

/**
 * Throws AppError for parameters that the endpoint knows but does not support: several answers, images, audio, and the
 * functions that were replaced by tools. All of these are checked here and nowhere else. A value that asks for nothing
 * is accepted.
 */
export function refuseUnavailable(parameters: ChatCompletionParameters): void {
  const { n, functions, function_call: functionCall } = parameters;
  if (n !== undefined && n !== 1) {
    throw unsupported(
      ['n'],
      'Only 1 completion per request is possible: leave it out and send several requests.',
    );
  }
  if (functions !== undefined && functions.length > 0) {
    throw unsupported(['functions'], "Send the functions as 'tools'.");
  }
  if (functionCall !== undefined && functionCall !== 'none' && functionCall !== 'auto') {
    throw unsupported(['function_call'], "Send the functions as 'tools' and the choice as 'tool_choice'.");
  }
  for (const [index, message] of parameters.messages.entries()) refuseInMessage(message, index);
}

function refuseInMessage(message: ChatMessageParameter, index: number): void {
  if (message.role === 'assistant' && message.function_call !== undefined && message.function_call !== null) {
    throw unsupported(['messages', index, 'function_call'], "Send the call in 'tool_calls'.");
  }
  if (typeof message.content !== 'object' || message.content === null) return;
  for (const [position, part] of message.content.entries()) {
    if (part.type !== 'image_url' && part.type !== 'input_audio') continue;
    const param = formatPath(['messages', index, 'content', position]);
    throw new AppError(
      'unsupported_content',
      `'${param}' is of type ${part.type}, which no model here understands. Send text parts only.`,
      { param },
    );
  }
}
