import { namedText } from '../../../../documents/document-text.ts';
import { joined } from '../../../words/formats.ts';
import { t } from '../../../words/dialog-texts.ts';
import { withTexts } from '../../answers/request.ts';
import { resultOf } from '../../messages/answer/steps.tsx';
import { branchOf, type Conversation, type Message, type ToolCall } from '../conversation.ts';
import { partsOf, type Part, type ServerCall, type WantedCall } from '../parts.ts';

/**
 * The shown branch of a chat as Markdown: a heading for each speaker, attached texts in fences, and what was called folded
 * between the texts of an answer.
 */
export function toMarkdown(conversation: Conversation): string {
  const branch = branchOf(conversation);
  let before = '';
  const parts = branch.flatMap((message) => {
    // What was said to a call stands with it.
    if (message.approves !== undefined) return [];
    const text = message.role === 'assistant' ? answerOf(message, branch) : saidIn(message);
    if (text === '') return [];
    const heading = `## ${speakerOf(message)}\n\n`;
    // An answer that goes on after its calls is one.
    const goesOn = message.role === 'assistant' && heading === before;
    before = heading;
    return `${goesOn ? '' : heading}${text}\n`;
  });
  const system = conversation.settings.system;
  const head = system === undefined ? [] : [`> ${system.replaceAll('\n', '\n> ')}\n`];
  return [`# ${conversation.title || t.chat.untitled}\n`, ...head, ...parts].join('\n');
}

function speakerOf({ role, model, toolName = '' }: Message): string {
  if (role === 'user') return t.chat.you;
  return role === 'tool' ? t.chat.toolResult(toolName) : (model ?? t.chat.model);
}

function saidIn({ content, attachments = [] }: Message): string {
  const files = attachments.flatMap(({ kind, name }) => (kind === 'text' ? [] : `*${name}*`));
  return [...files, withTexts(content, attachments)].join('\n\n').trim();
}

/** The texts of an answer, and the calls between and after them. */
const answerOf = (message: Message, branch: readonly Message[]): string =>
  [...partsOf(message).map((part) => partOf(part, branch)), ...(message.toolCalls ?? []).map(functionCall)]
    .filter((text) => text.trim() !== '')
    .join('\n\n');

function partOf(part: Part, branch: readonly Message[]): string {
  if ('text' in part) return part.text.trim();
  if (part.item.type === 'mcp_call') return serverCall(part.item);
  return part.item.type === 'mcp_approval_request' ? wantedCall(part.item, branch) : '';
}

function serverCall(call: ServerCall): string {
  const { name, server_label: label, arguments: args, status } = call;
  const note = status === 'in_progress' ? t.servers.isBrokenOff : status !== 'completed' && t.servers.failed;
  const result = status === 'in_progress' ? '' : resultOf(call);
  return folded(joined(t.servers.call(name, label), note), args, result);
}

/** A call that was not made: one that was allowed is told where it was made. */
function wantedCall(
  { id, name, server_label: label, arguments: args }: WantedCall,
  branch: readonly Message[],
) {
  const approves = branch.find(({ toolCallId }) => toolCallId === id)?.approves;
  if (approves === true) return '';
  const note = approves === false ? t.servers.refused : t.servers.unanswered;
  return folded(joined(t.servers.call(name, label), note), args, '');
}

const functionCall = ({ name, arguments: args }: ToolCall): string => folded(t.chat.call(name), args, '');

/** A line that unfolds what a tool was given, and what came of it. */
function folded(title: string, args: string, result: string): string {
  const texts = [
    args !== '' && namedText(t.servers.arguments, args),
    result !== '' && namedText(t.servers.result, result),
  ];
  const name = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return [`<details><summary>${name}</summary>`, ...texts.filter(Boolean), '</details>'].join('\n\n');
}
