import type {
  StartedEvent,
  BlockEvent,
  CallBlock,
  TextBlock,
  ThoughtBlock,
  ProgressEvent,
} from '../../../engine/generation.ts';
import type { Attachment } from '../../../engine/types.ts';
import type { OutputItem } from '../items/items.ts';
import type { ServerTool } from '../tools/offered-tools.ts';

/** The part of a call by which this server makes it. */
export interface Served {
  /** Of its item. */
  readonly id: string;
  readonly tool: ServerTool;
  /** The id under which a person has allowed it. */
  readonly approvalId: string | null;
  /** How it ended; undefined: it was not made. */
  outcome?: CallOutcome;
}

/** The result of a call that was made, or the id under which a person is asked for it. */
export type CallOutcome = MadeCall | { readonly askedAs: string };

export interface MadeCall {
  readonly fields: Pick<Extract<OutputItem, { type: 'mcp_call' }>, 'status' | 'output' | 'error'>;
  /** The pictures of the result that the model can see. */
  readonly attachments: readonly Attachment[];
}

export type ServedCall = CallBlock & { readonly served: Served };

/** A block of an answer for which the model may call tools of servers. */
export type LoopBlock = TextBlock | ThoughtBlock | (CallBlock & { readonly served?: Served });

/** Blocks of several turns of the model. A call that this server makes is closed once it has ended. */
export type LoopEvent = StartedEvent | ProgressEvent | BlockEvent<LoopBlock>;
