import type { GenerationEvent } from '../../../engine/generation.ts';
import type { CallOutcome } from '../events/open-item.ts';
import type { ItemOf } from '../items/items.ts';

/**
 * The events of an answer that may take several turns of the model. A call of a server's tool is a
 * call as any other until its arguments are complete; then comes its end, before anything else.
 */
export type LoopEvent =
  | GenerationEvent
  /** A call begins that the model wanted before, and that a person has allowed since. Its end comes next. */
  | { readonly type: 'approved-call'; readonly request: ItemOf<'mcp_approval_request'> }
  | { readonly type: 'call-ended'; readonly outcome: CallOutcome }
  /** The model's turn is over, and another one follows. */
  | { readonly type: 'turn-ended' };
