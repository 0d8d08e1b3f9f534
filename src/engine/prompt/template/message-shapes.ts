import type { TemplateMessage } from './template-messages.ts';

/** A way to reshape messages so that a stricter template takes them. */
export type MessageShape = (messages: readonly TemplateMessage[]) => readonly TemplateMessage[];

/** From not at all to what the strictest templates accept, in the order in which to try them. */
export function messageShapes(systemRole: boolean): readonly MessageShape[] {
  const strict: MessageShape = (messages) => mergeNeighbours(foldSystemIntoUser(messages));
  if (!systemRole) return [foldSystemIntoUser, strict];
  return [
    (messages) => messages,
    gatherSystem,
    (messages) => mergeNeighbours(gatherSystem(messages)),
    foldSystemIntoUser,
    strict,
  ];
}

/** One system message, in front: many templates look for it nowhere else. */
function gatherSystem(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const { system, rest } = splitSystem(messages);
  return system.length === 0 ? rest : [{ role: 'system', content: join(...system) }, ...rest];
}

/** System texts go in front of the first user message, which is made when there is none. */
function foldSystemIntoUser(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const { system, rest } = splitSystem(messages);
  if (system.length === 0) return rest;
  const [first, ...others] = rest;
  if (first?.role !== 'user') return [{ role: 'user', content: join(...system) }, ...rest];
  return [{ ...first, content: join(...system, first.content ?? '') }, ...others];
}

function splitSystem(messages: readonly TemplateMessage[]) {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content ?? '');
  return { system, rest: messages.filter(({ role }) => role !== 'system') };
}

function mergeNeighbours(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const merged: TemplateMessage[] = [];
  for (const message of messages) {
    const previous = merged.at(-1);
    if (previous?.role === message.role && message.role !== 'tool' && !previous.tool_calls)
      merged[merged.length - 1] = { ...previous, ...message, content: mergeContents(previous, message) };
    else merged.push(message);
  }
  return merged;
}

function mergeContents(previous: TemplateMessage, message: TemplateMessage): string | null {
  if (previous.content === null) return message.content;
  return message.content === null ? previous.content : join(previous.content, message.content);
}

const join = (...texts: string[]) => texts.filter((text) => text !== '').join('\n\n');
