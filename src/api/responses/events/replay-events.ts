import type { OutputItem } from '../items/items.ts';
import type { UnnumberedEvent } from '../items/output-items.ts';
import type { ResponseObject } from '../response-schema.ts';
import type { ResponseEvent } from './event-schema.ts';

/** The events of a response that is complete: those of its stream, but each text comes as one delta. */
export function replayEvents(response: ResponseObject): ResponseEvent[] {
  const begun: ResponseObject = {
    ...response,
    status: 'in_progress',
    completed_at: null,
    incomplete_details: null,
    output: [],
    usage: null,
  };
  const events: UnnumberedEvent[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...response.output.flatMap(itemEvents),
    { type: response.status === 'incomplete' ? 'response.incomplete' : 'response.completed', response },
  ];
  return events.map(
    ({ type, ...fields }, number) => ({ type, sequence_number: number, ...fields }) as ResponseEvent,
  );
}

function itemEvents(item: OutputItem, index: number): UnnumberedEvent[] {
  return [
    { type: 'response.output_item.added', output_index: index, item: toBegun(item) },
    ...contentEvents(item, { item_id: item.id, output_index: index }),
    { type: 'response.output_item.done', output_index: index, item },
  ];
}

/** `item` as it was when it began. */
function toBegun(item: OutputItem): OutputItem {
  switch (item.type) {
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'reasoning': {
      const { encrypted_content: _, ...rest } = item;
      return { ...rest, status: 'in_progress', content: [] };
    }
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' };
    case 'custom_tool_call':
      return { ...item, status: 'in_progress', input: '' };
    case 'tool_search_call':
      return { ...item, status: 'in_progress', arguments: {} };
    default:
      return item satisfies never;
  }
}

function contentEvents(
  item: OutputItem,
  ofItem: { item_id: string; output_index: number },
): UnnumberedEvent[] {
  switch (item.type) {
    case 'message':
      return item.content.flatMap((part, index) => {
        const place = { ...ofItem, content_index: index };
        const { text, logprobs } = part;
        return [
          { type: 'response.content_part.added', ...place, part: { ...part, text: '', logprobs: [] } },
          { type: 'response.output_text.delta', ...place, delta: text, logprobs },
          { type: 'response.output_text.done', ...place, text, logprobs },
          { type: 'response.content_part.done', ...place, part },
        ];
      });
    case 'reasoning':
      return item.content.flatMap((part, index) => {
        const place = { ...ofItem, content_index: index };
        return [
          { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
          { type: 'response.reasoning_text.delta', ...place, delta: part.text },
          { type: 'response.reasoning_text.done', ...place, text: part.text },
          { type: 'response.content_part.done', ...place, part },
        ];
      });
    case 'function_call': {
      const { name, arguments: text } = item;
      return [
        { type: 'response.function_call_arguments.delta', ...ofItem, delta: text },
        { type: 'response.function_call_arguments.done', ...ofItem, name, arguments: text },
      ];
    }
    case 'custom_tool_call':
      return [
        { type: 'response.custom_tool_call_input.delta', ...ofItem, delta: item.input },
        { type: 'response.custom_tool_call_input.done', ...ofItem, input: item.input },
      ];
    case 'tool_search_call':
      return [];
    default:
      return item satisfies never;
  }
}
