import type { TemplateMessage } from './template-messages.ts';

/** A way to rewrite messages so that a stricter template accepts them. */
export type MessageShape = (messages: readonly TemplateMessage[]) => readonly TemplateMessage[];

/** The shapes to try in this order: the first changes little or nothing, the last suits the strictest templates. */
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

/** `messages` with one system message at the beginning, the only place where many templates look for it. */
function gatherSystem(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const { system, rest } = splitSystem(messages);
  return system.length === 0 ? rest : [{ role: 'system', content: join(...system) }, ...rest];
}

/** `messages` with the system texts put before the text of the first user message, which is added if need be. */
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

/** `messages` with neighbours of one role joined, save for results of tools and what follows a call. */
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
