import type { toWireTokens } from '../../generation/wire/completion-wire.ts';
import type { OutputItem } from '../items/items.ts';
import type { ResponseEvent } from './event-schema.ts';

/** An event before it gets its number. */
export type UnnumberedEvent = ResponseEvent extends infer Event
  ? Event extends ResponseEvent
    ? Omit<Event, 'sequence_number'>
    : never
  : never;

export type Logprobs = ReturnType<typeof toWireTokens>;

/** Whether the item has its thought in its summary. */
export const isSummarised = (item: OutputItem): boolean =>
  item.type === 'reasoning' && item.summary.length > 0;

/** `item` as it was when it began. */
function emptied(item: OutputItem): OutputItem {
  switch (item.type) {
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'reasoning': {
      const { encrypted_content: _, ...rest } = item;
      return { ...rest, status: 'in_progress', summary: [], content: [] };
    }
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' };
    case 'custom_tool_call':
      return { ...item, status: 'in_progress', input: '' };
    case 'tool_search_call':
      return { ...item, status: 'in_progress', arguments: {} };
    case 'mcp_call':
      return { ...item, status: 'in_progress', arguments: '', output: null, error: null };
    case 'mcp_list_tools':
      return { ...item, tools: [], error: null };
    case 'mcp_approval_request':
      return item;
    default:
      return item satisfies never;
  }
}

/** The events with which an item begins, whatever it holds by now. */
export function openingEvents(item: OutputItem, index: number): UnnumberedEvent[] {
  const added = { type: 'response.output_item.added', output_index: index, item: emptied(item) } as const;
  const type = 'response.content_part.added';
  const place = placeOf(item, index);
  const ofPart = { ...place, content_index: 0 };
  if (item.type === 'message')
    return [
      added,
      { type, ...ofPart, part: { type: 'output_text', text: '', annotations: [], logprobs: [] } },
    ];
  // It is shown only once it is whole.
  if (item.type === 'mcp_approval_request') return [];
  if (item.type === 'mcp_call') return [added, { type: 'response.mcp_call.in_progress', ...place }];
  if (item.type === 'mcp_list_tools')
    return [added, { type: 'response.mcp_list_tools.in_progress', ...place }];
  if (item.type !== 'reasoning') return [added];
  if (!isSummarised(item)) return [added, { type, ...ofPart, part: { type: 'reasoning_text', text: '' } }];
  const part = { type: 'summary_text', text: '' } as const;
  return [added, { type: 'response.reasoning_summary_part.added', ...place, summary_index: 0, part }];
}

/** The event that adds `delta` to the item, where its kind has one. */
export function deltaEvents(
  item: OutputItem,
  index: number,
  delta: string,
  logprobs: Logprobs,
): UnnumberedEvent[] {
  const place = placeOf(item, index);
  switch (item.type) {
    case 'message':
      return [{ type: 'response.output_text.delta', ...place, content_index: 0, delta, logprobs }];
    case 'reasoning':
      return isSummarised(item)
        ? [{ type: 'response.reasoning_summary_text.delta', ...place, summary_index: 0, delta }]
        : [{ type: 'response.reasoning_text.delta', ...place, content_index: 0, delta }];
    case 'function_call':
      return [{ type: 'response.function_call_arguments.delta', ...place, delta }];
    case 'custom_tool_call':
      return [{ type: 'response.custom_tool_call_input.delta', ...place, delta }];
    case 'mcp_call':
      return [{ type: 'response.mcp_call_arguments.delta', ...place, delta }];
    case 'tool_search_call':
    case 'mcp_list_tools':
    case 'mcp_approval_request':
      return [];
    default:
      return item satisfies never;
  }
}

/** The events with which an item ends. */
export function closingEvents(item: OutputItem, index: number): UnnumberedEvent[] {
  return [...contentEnds(item, index), { type: 'response.output_item.done', output_index: index, item }];
}

function contentEnds(item: OutputItem, index: number): UnnumberedEvent[] {
  const place = placeOf(item, index);
  const ofPart = { ...place, content_index: 0 };
  const ofSummary = { ...place, summary_index: 0 };
  switch (item.type) {
    case 'message':
      return item.content.flatMap((part) => [
        { type: 'response.output_text.done', ...ofPart, text: part.text, logprobs: part.logprobs },
        { type: 'response.content_part.done', ...ofPart, part },
      ]);
    case 'reasoning':
      return [
        ...item.summary.flatMap((part): UnnumberedEvent[] => [
          { type: 'response.reasoning_summary_text.done', ...ofSummary, text: part.text },
          { type: 'response.reasoning_summary_part.done', ...ofSummary, part },
        ]),
        ...item.content.flatMap((part): UnnumberedEvent[] => [
          { type: 'response.reasoning_text.done', ...ofPart, text: part.text },
          { type: 'response.content_part.done', ...ofPart, part },
        ]),
      ];
    case 'function_call': {
      const { name, arguments: text } = item;
      return [{ type: 'response.function_call_arguments.done', ...place, name, arguments: text }];
    }
    case 'custom_tool_call':
      return [{ type: 'response.custom_tool_call_input.done', ...place, input: item.input }];
    case 'mcp_call': {
      const done = { type: 'response.mcp_call_arguments.done', ...place, arguments: item.arguments } as const;
      if (item.status === 'incomplete') return [done];
      const isDone = item.status === 'completed';
      return [done, { type: isDone ? 'response.mcp_call.completed' : 'response.mcp_call.failed', ...place }];
    }
    case 'mcp_list_tools': {
      const isListed = item.error === null;
      return [
        { type: isListed ? 'response.mcp_list_tools.completed' : 'response.mcp_list_tools.failed', ...place },
      ];
    }
    case 'mcp_approval_request':
      return [{ type: 'response.output_item.added', output_index: index, item }];
    case 'tool_search_call':
      return [];
    default:
      return item satisfies never;
  }
}

const placeOf = ({ id }: OutputItem, index: number) => ({ item_id: id, output_index: index });

/** `events` with their numbers, of which `first` is that of the first. */
export const numbered = (events: readonly UnnumberedEvent[], first = 0): ResponseEvent[] =>
  events.map(
    ({ type, ...fields }, index) => ({ type, sequence_number: first + index, ...fields }) as ResponseEvent,
  );
