import { namedText } from '../../../documents/document-text.ts';
import { isDemo } from '../../state/models.ts';
import {
  branchOf,
  type AttachedFile,
  type Attachment,
  type ChatSettings,
  type Conversation,
  type Message,
} from '../conversations/conversation.ts';

import { demoTemperature, numberParameters } from '../settings/parameters.ts';

/** The base64 of a file that was attached. */
export type ReadBase64 = (file: AttachedFile) => string;

/** The body of the chat completion that continues the shown branch of `conversation`. */
export function toChatRequest(
  conversation: Conversation,
  model: string,
  base64Of: ReadBase64,
): Record<string, unknown> {
  const { settings } = conversation;
  const system = settings.system?.trim() ?? '';
  return {
    model,
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system }]),
      ...branchOf(conversation)
        .filter(saysSomething)
        .map((message) => toWireMessage(message, base64Of)),
    ],
    stream: true,
    stream_options: { include_usage: true },
    ...(isDemo(model) && { temperature: demoTemperature }),
    ...toWireSettings(settings),
  };
}

/** Whether a message is more than an error: the text of an answer that broke off, and its calls, are part of the conversation. */
export const saysSomething = ({ error, content, items = [] }: Message): boolean =>
  error === undefined || content !== '' || items.some(({ type }) => type === 'mcp_call');

/** Those that are undefined are in no JSON. */
function toWireSettings(settings: ChatSettings): Record<string, unknown> {
  const { effort, schema, tools, stop, logitBias } = settings;
  const numbers = numberParameters.flatMap(({ name, wire }) =>
    settings[name] === undefined ? [] : [[wire, settings[name]] as const],
  );
  return {
    ...Object.fromEntries(numbers),
    reasoning_effort: effort,
    response_format: schema && {
      type: 'json_schema',
      json_schema: { name: 'answer', schema: JSON.parse(schema) as unknown },
    },
    tools: tools && (JSON.parse(tools) as unknown),
    stop: stop?.split('\n').filter((line) => line !== ''),
    logit_bias: logitBias && (JSON.parse(logitBias) as unknown),
  };
}

function toWireMessage(
  { role, content, attachments = [], toolCallId, toolCalls, approves }: Message,
  base64Of: ReadBase64,
): Record<string, unknown> {
  if (approves !== undefined) return { role: 'user', content: approves ? 'Yes.' : 'No.' };
  if (role === 'tool') return { role, tool_call_id: toolCallId, content };
  if (role === 'assistant') {
    const calls = toolCalls?.map(({ id, name, arguments: args }) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    }));
    return { role, content, ...(calls !== undefined && { tool_calls: calls }) };
  }
  const text = withTexts(content, attachments);
  const files = attachments.filter((attachment) => attachment.kind !== 'text');
  if (files.length === 0) return { role, content: text };
  const parts = files.map((file) => toWirePart(file, base64Of(file)));
  return { role, content: text.trim() === '' ? parts : [...parts, { type: 'text', text }] };
}

function toWirePart({ kind, type }: AttachedFile, base64: string): object {
  if (kind === 'image') return { type: 'image_url', image_url: { url: `data:${type};base64,${base64}` } };
  const format = type === 'audio/mpeg' ? 'mp3' : 'wav';
  return { type: 'input_audio', input_audio: { data: base64, format } };
}

/** The attached texts, each under its name and in a fence that is longer than any in it, before the question. */
export function withTexts(question: string, attachments: readonly Attachment[]): string {
  const files = attachments.flatMap((attachment) => {
    if (attachment.kind !== 'text') return [];
    return namedText(attachment.name, attachment.text);
  });
  return [...files, question].join('\n\n');
}
