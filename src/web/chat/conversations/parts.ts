import type { ResponseItem } from '../../api/types.ts';
import type { Message } from './conversation.ts';

export type ServerCall = Extract<ResponseItem, { type: 'mcp_call' }>;
export type WantedCall = Extract<ResponseItem, { type: 'mcp_approval_request' }>;

/** A text of an answer, or a call or thought between its texts. */
export type Part =
  | { readonly text: string }
  | { readonly item: Exclude<ResponseItem, { type: 'message' | 'mcp_list_tools' }> };

/** The texts of an answer and the items between them, in order. The end of a text that broke off is in no item. */
export function partsOf({ content, items = [] }: Pick<Message, 'content' | 'items'>): readonly Part[] {
  const last = items.findLastIndex(({ type }) => type === 'message');
  let at = 0;
  const parts = items.flatMap((item, index): Part[] => {
    if (item.type === 'mcp_list_tools') return [];
    if (item.type !== 'message') return [{ item }];
    if (index === last) return [{ text: content.slice(at) }];
    const text = item.content.map((part) => part.text).join('');
    at = content.indexOf(text, at) + text.length;
    return [{ text }];
  });
  return last < 0 && content !== '' ? [...parts, { text: content }] : parts;
}

/** The calls of servers' tools that the model wants to make and somebody has to allow. */
export const wantedCalls = ({ items = [] }: Pick<Message, 'items'>): WantedCall[] =>
  items.filter((item) => item.type === 'mcp_approval_request');

/** The tool of a call, as it is allowed in a chat. */
export const toolOf = ({ server_label: label, name }: WantedCall): string => `${label} ${name}`;

/** The call that was made when `wanted` had been allowed, as far as one of `messages` knows of it. */
export const callOf = (messages: readonly Message[], wanted: WantedCall): ServerCall | undefined =>
  messages
    .flatMap(({ items = [] }) => items)
    .find((item): item is ServerCall => item.type === 'mcp_call' && item.approval_request_id === wanted.id);
