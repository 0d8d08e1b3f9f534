import type { Principal } from '../../../accounts/types.ts';
import type { GenerationRequest, OutputFormat, ChatMessage } from '../../../engine/types.ts';
import type { AttachedFiles } from '../../attachments/attached-files.ts';
import type { NamedModel } from '../../model/model-names.ts';
import { toGenerationRequest } from '../../parameters/generation-parameters.ts';
import {
  toReasoningRequest,
  type ReasoningParameters,
  type ReasoningTokens,
} from '../../parameters/reasoning-request.ts';
import { toToolUse } from '../../parameters/tools/tool-use.ts';
import { unsupported, invalid } from '../../request/validate.ts';
import { type ChatParameters, type GenerateParameters, maxTokensOf, type OllamaMessage } from './schema.ts';
import { readContent, type MessageContent } from '../../conversation/message-content.ts';
import { Conversation } from '../../conversation/conversation.ts';

/** The engine's request for an answer to a conversation. Throws AppError. */
export function toChatGeneration(
  parameters: ChatParameters,
  named: NamedModel,
  principal: Principal,
  reasoningTokens: ReasoningTokens,
  files: AttachedFiles,
  imagesPath?: (message: number) => readonly PropertyKey[],
): GenerationRequest {
  const { messages = [], tools = [], options } = parameters;
  const maxTokens = maxTokensOf(options);
  const offered = tools.map((tool, index) => ({ ...tool.function, path: ['tools', index, 'function'] }));
  const fields = {
    prompt: { kind: 'messages' as const, messages: toChatMessages(messages, files, imagesPath) },
    maxTokens,
    topLogprobs: undefined,
    tools: toToolUse(offered, 'auto', true),
    outputFormat: toFormat(parameters.format),
    reasoning: toReasoningRequest(toReasoning(parameters.think), named, reasoningTokens, maxTokens),
  };
  return toGenerationRequest(withKeepAlive(parameters), fields, named, principal);
}

/** The engine's request for the answer to a prompt, or for its continuation. Throws AppError. */
export function toPromptGeneration(
  parameters: GenerateParameters,
  named: NamedModel,
  principal: Principal,
  reasoningTokens: ReasoningTokens,
  files: AttachedFiles,
): GenerationRequest {
  const { prompt = '', system, suffix, images, template, context = [] } = parameters;
  if (template)
    throw unsupported(
      ['template'],
      "A model's own template is used. Leave it out, or send a finished prompt with 'raw'.",
    );
  if (context.length > 0)
    throw unsupported(
      ['context'],
      "Send the conversation to /api/chat as 'messages': what was computed is kept.",
    );
  if (parameters.raw !== true && !suffix) {
    const systems = system ? [{ role: 'system' as const, content: system }] : [];
    const messages = [...systems, { role: 'user' as const, content: prompt, images }];
    const chat = { ...parameters, messages };
    return toChatGeneration(chat, named, principal, reasoningTokens, files, () => ['images']);
  }
  if (images !== undefined && images.length > 0)
    throw unsupported(
      ['images'],
      "A raw prompt has no place for them. Leave them out, or leave 'raw' and 'suffix' out.",
    );
  if (system)
    throw unsupported(
      ['system'],
      "A raw prompt has it in itself. Leave it out, or leave 'raw' and 'suffix' out.",
    );
  if (parameters.think !== undefined && parameters.think !== false && parameters.think !== 'none')
    throw unsupported(
      ['think'],
      "A raw prompt is continued as it is. Leave it out, or leave 'raw' and 'suffix' out.",
    );
  const fields = {
    prompt: {
      kind: 'text' as const,
      text: prompt.toWellFormed(),
      ...(suffix && { suffix: suffix.toWellFormed() }),
    },
    maxTokens: maxTokensOf(parameters.options),
    topLogprobs: undefined,
    outputFormat: toFormat(parameters.format),
  };
  return toGenerationRequest(withKeepAlive(parameters), fields, named, principal);
}

const withKeepAlive = ({ options, keep_alive }: ChatParameters | GenerateParameters) => ({
  ...options,
  ...(keep_alive !== undefined && { keep_alive }),
});

function toFormat(format: ChatParameters['format']): OutputFormat | undefined {
  if (!format) return undefined;
  return format === 'json' ? { kind: 'json-object' } : { kind: 'json-schema', schema: format };
}

function toReasoning(think: ChatParameters['think']): ReasoningParameters {
  if (typeof think === 'boolean') return { effortPath: [], switches: [{ path: ['think'], on: think }] };
  return { effort: think, effortPath: ['think'] };
}

/** The conversation in the engine's form. A result without a call's id belongs to the first open call of its name. */
function toChatMessages(
  messages: readonly OllamaMessage[],
  files: AttachedFiles,
  imagesPath: (index: number) => readonly PropertyKey[] = (index) => ['messages', index, 'images'],
): readonly ChatMessage[] {
  const conversation = new Conversation();
  const open: { readonly id: string; readonly name: string }[] = [];
  let calls = 0;
  for (const [index, message] of messages.entries()) {
    const content = toContent(message, imagesPath(index), files);
    if (message.role === 'tool') {
      const { tool_call_id: id, tool_name: name } = message;
      const at = open.findIndex((call) => (id ? call.id === id : name ? call.name === name : true));
      const [answered] = at < 0 ? [] : open.splice(at, 1);
      if (answered === undefined)
        throw invalid(
          ['messages', index],
          'is the result of a tool, but no earlier message has a call without a result that it could belong to',
        );
      conversation.addResult(answered.id, content);
    } else if (message.role === 'assistant') {
      conversation.endTurn();
      conversation.think(message.thinking ?? '');
      conversation.say(content.text, content.attachments);
      for (const { id: asked, function: called } of message.tool_calls ?? []) {
        const { name, arguments: given } = called;
        const id = asked ?? `call_${calls++}`;
        conversation.call(id, name, JSON.stringify(given ?? {}));
        open.push({ id, name });
      }
    } else conversation.add(message.role, content);
  }
  return conversation.messages;
}

function toContent(
  { content, images }: OllamaMessage,
  path: readonly PropertyKey[],
  files: AttachedFiles,
): MessageContent {
  const toPart = (data: string) => ({ add: 'addPictureData', data, what: 'is an image' }) as const;
  return readContent(images ?? [], path, files, toPart).addText(content ?? '');
}
