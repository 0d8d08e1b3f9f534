import type { toWireTokens } from '../../generation/wire/completion-wire.ts';
import type { OutputItem } from '../items/items.ts';
import type { ResponseEvent } from './event-schema.ts';

export type UnnumberedEvent = ResponseEvent extends infer Event
  ? Event extends ResponseEvent
    ? Omit<Event, 'sequence_number'>
    : never
  : never;

/** `events` with their numbers, of which `first` is that of the first. */
export const numbered = (events: readonly UnnumberedEvent[], first = 0): ResponseEvent[] =>
  events.map(
    ({ type, ...fields }, index) => ({ type, sequence_number: first + index, ...fields }) as ResponseEvent,
  );

type Logprobs = ReturnType<typeof toWireTokens>;

interface Course {
  /** The item as it was when it began; undefined: it is shown only once it is whole. */
  readonly begun: OutputItem | undefined;
  /** Behind the event that shows the item as it was. */
  readonly opening?: readonly UnnumberedEvent[];
  /** The part of the content in pieces that it already holds. */
  readonly content?: readonly [text: string, logprobs: Logprobs];
  /** The event of one more piece. */
  readonly grow?: (delta: string, logprobs: Logprobs) => UnnumberedEvent;
  /** Before the event that shows the whole item. */
  readonly closing?: readonly UnnumberedEvent[];
}

interface Place {
  readonly item_id: string;
  readonly output_index: number;
}

const status = 'in_progress' as const;

const courses: {
  readonly [Type in OutputItem['type']]: (item: Extract<OutputItem, { type: Type }>, place: Place) => Course;
} = {
  message(item, place) {
    const ofPart = { ...place, content_index: 0 };
    const empty = { type: 'output_text' as const, text: '', annotations: [], logprobs: [] };
    const [part = empty] = item.content;
    const { text, logprobs, annotations } = part;
    return {
      begun: { ...item, status, content: [] },
      opening: [{ type: 'response.content_part.added', ...ofPart, part: empty }],
      content: [text, logprobs],
      grow: (delta, more) => ({ type: 'response.output_text.delta', ...ofPart, delta, logprobs: more }),
      closing: [
        ...annotations.map((annotation, index) => ({
          type: 'response.output_text.annotation.added' as const,
          ...ofPart,
          annotation_index: index,
          annotation,
        })),
        { type: 'response.output_text.done', ...ofPart, text, logprobs },
        { type: 'response.content_part.done', ...ofPart, part },
      ],
    };
  },
  reasoning(item, place) {
    const { encrypted_content: _, ...rest } = item;
    const begun = { ...rest, status, summary: [], content: [] };
    const [summary] = item.summary;
    if (summary !== undefined) {
      const ofSummary = { ...place, summary_index: 0 };
      const empty = { type: 'summary_text' as const, text: '' };
      return {
        begun,
        opening: [{ type: 'response.reasoning_summary_part.added', ...ofSummary, part: empty }],
        content: [summary.text, []],
        grow: (delta) => ({ type: 'response.reasoning_summary_text.delta', ...ofSummary, delta }),
        closing: [
          { type: 'response.reasoning_summary_text.done', ...ofSummary, text: summary.text },
          { type: 'response.reasoning_summary_part.done', ...ofSummary, part: summary },
        ],
      };
    }
    const ofPart = { ...place, content_index: 0 };
    const empty = { type: 'reasoning_text' as const, text: '' };
    const [part = empty] = item.content;
    return {
      begun,
      opening: [{ type: 'response.content_part.added', ...ofPart, part: empty }],
      content: [part.text, []],
      grow: (delta) => ({ type: 'response.reasoning_text.delta', ...ofPart, delta }),
      closing: [
        { type: 'response.reasoning_text.done', ...ofPart, text: part.text },
        { type: 'response.content_part.done', ...ofPart, part },
      ],
    };
  },
  function_call: (item, place) => ({
    begun: { ...item, status, arguments: '' },
    content: [item.arguments, []],
    grow: (delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta }),
    closing: [
      {
        type: 'response.function_call_arguments.done',
        ...place,
        name: item.name,
        arguments: item.arguments,
      },
    ],
  }),
  custom_tool_call: (item, place) => ({
    begun: { ...item, status, input: '' },
    content: [item.input, []],
    grow: (delta) => ({ type: 'response.custom_tool_call_input.delta', ...place, delta }),
    closing: [{ type: 'response.custom_tool_call_input.done', ...place, input: item.input }],
  }),
  tool_search_call: (item) => ({ begun: { ...item, status, arguments: {} } }),
  mcp_call(item, place) {
    const whole = { type: 'response.mcp_call_arguments.done', ...place, arguments: item.arguments } as const;
    const type = item.status === 'completed' ? 'response.mcp_call.completed' : 'response.mcp_call.failed';
    return {
      begun: { ...item, status, arguments: '', output: null, error: null },
      opening: [{ type: 'response.mcp_call.in_progress', ...place }],
      content: [item.arguments, []],
      grow: (delta) => ({ type: 'response.mcp_call_arguments.delta', ...place, delta }),
      closing: item.status === 'incomplete' ? [whole] : [whole, { type, ...place }],
    };
  },
  mcp_list_tools(item, place) {
    const outcome = item.error === null ? 'completed' : 'failed';
    return {
      begun: { ...item, tools: [], error: null },
      opening: [{ type: 'response.mcp_list_tools.in_progress', ...place }],
      closing: [{ type: `response.mcp_list_tools.${outcome}`, ...place }],
    };
  },
  mcp_approval_request: () => ({ begun: undefined }),
};

/** How the output item of that index comes about. */
export function courseOf<Type extends OutputItem['type']>(
  item: Extract<OutputItem, { type: Type }>,
  index: number,
): Required<Pick<Course, 'opening' | 'closing'>> & Pick<Course, 'content' | 'grow'> {
  const at = { output_index: index };
  const type: Type = item.type;
  const { begun, opening = [], closing = [], ...rest } = courses[type](item, { item_id: item.id, ...at });
  const added = (shown: OutputItem) => ({ type: 'response.output_item.added', ...at, item: shown }) as const;
  return {
    ...rest,
    opening: begun === undefined ? [] : [added(begun), ...opening],
    closing: [
      ...(begun === undefined ? [added(item)] : []),
      ...closing,
      { type: 'response.output_item.done', ...at, item },
    ],
  };
}
