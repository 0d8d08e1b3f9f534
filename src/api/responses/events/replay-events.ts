import type { OutputItem } from '../items/items.ts';
import type { ResponseObject } from '../response-schema.ts';
import type { ResponseEvent } from './event-schema.ts';
import { closingEvents, deltaEvents, numbered, openingEvents, type Logprobs } from './item-events.ts';

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
  return numbered([
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...response.output.flatMap((item, index) => [
      ...openingEvents(item, index),
      ...deltaEvents(item, index, ...contentOf(item)),
      ...closingEvents(item, index),
    ]),
    { type: response.status === 'incomplete' ? 'response.incomplete' : 'response.completed', response },
  ]);
}

function contentOf(item: OutputItem): [text: string, logprobs: Logprobs] {
  switch (item.type) {
    case 'message': {
      const [{ text, logprobs } = { text: '', logprobs: [] }] = item.content;
      return [text, logprobs];
    }
    case 'reasoning':
      return [(item.summary[0] ?? item.content[0])?.text ?? '', []];
    case 'function_call':
      return [item.arguments, []];
    case 'custom_tool_call':
      return [item.input, []];
    case 'mcp_call':
      return [item.arguments, []];
    case 'tool_search_call':
    case 'mcp_list_tools':
    case 'mcp_approval_request':
      return ['', []];
    default:
      return item satisfies never;
  }
}
