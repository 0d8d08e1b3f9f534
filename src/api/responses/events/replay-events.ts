import type { ResponseObject } from '../response-schema.ts';
import type { ResponseEvent } from './event-schema.ts';
import { courseOf, numbered } from './item-events.ts';

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
    ...response.output.flatMap((item, index) => {
      const { opening, content = ['', []], grow, closing } = courseOf(item, index);
      return [...opening, ...(grow ? [grow(...content)] : []), ...closing];
    }),
    { type: response.status === 'incomplete' ? 'response.incomplete' : 'response.completed', response },
  ]);
}
