import { AppError } from '../../errors.ts';
import { formatParameterPath } from '../parameter-error.ts';
import { unsupported } from '../validate.ts';
import type { ChatCompletionParameters, ChatMessageParameter } from './schema.ts';

/**
 * Refuses what the endpoint knows but cannot do: tools, structured output, reasoning, images and audio.
 * Every such parameter is judged here and nowhere else; one whose value asks for nothing passes.
 */
export function refuseUnavailable(parameters: ChatCompletionParameters): void {
  const { n, tools, tool_choice: toolChoice, response_format: responseFormat } = parameters;
  if (n !== undefined && n !== 1) {
    throw unsupported(
      ['n'],
      'Only 1 completion per request is possible: leave it out and send several requests.',
    );
  }
  if (tools !== undefined && tools.length > 0) {
    throw unsupported(['tools'], 'Tools are not available: leave them out.');
  }
  if (toolChoice !== undefined && toolChoice !== 'none' && toolChoice !== 'auto') {
    throw unsupported(['tool_choice'], "Tools are not available: use 'none' or leave it out.");
  }
  if (responseFormat !== undefined && responseFormat.type !== 'text') {
    throw unsupported(
      ['response_format', 'type'],
      "Only 'text' is available: describe the format in the messages.",
    );
  }
  if (parameters.reasoning_effort !== undefined) {
    throw unsupported(['reasoning_effort'], 'Reasoning is not available: leave it out.');
  }
  if (parameters.reasoning_enabled === true) {
    throw unsupported(['reasoning_enabled'], 'Reasoning is not available: use false or leave it out.');
  }
  if (parameters.keep_alive !== undefined) {
    throw unsupported(
      ['keep_alive'],
      "It cannot be chosen per request: the operator's keepAlive setting decides.",
    );
  }
  for (const [index, message] of parameters.messages.entries()) refuseInMessage(message, index);
}

function refuseInMessage(message: ChatMessageParameter, index: number): void {
  if (message.role === 'assistant' && (message.tool_calls?.length ?? 0) > 0) {
    throw unsupported(['messages', index, 'tool_calls'], 'Tools are not available: leave the calls out.');
  }
  if (typeof message.content === 'string' || message.content === null) return;
  for (const [position, part] of message.content.entries()) {
    if (part.type === 'text') continue;
    const param = formatParameterPath(['messages', index, 'content', position]);
    throw new AppError(
      'unsupported_content',
      `'${param}' is of type ${part.type}, which no model here understands. Send text parts only.`,
      { param },
    );
  }
}
