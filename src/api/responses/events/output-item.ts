import type { z } from 'zod';
import { readArguments } from '../../../engine/generation/answer.ts';
import { toWireTokens } from '../../generation/wire/completion-wire.ts';
import { createWireId } from '../../generation/wire/wire-id.ts';
import { TextInputReader } from '../../parameters/tools/custom-tools.ts';
import type { outputText } from '../items/content.ts';
import type { OutputItem } from '../items/items.ts';
import { packText } from '../items/packed-text.ts';
import type { LoopBlock, Served } from '../mcp/served-call.ts';
import type { OfferedTool } from '../tools/offered-tools.ts';

export interface ItemOptions {
  /** Where items have thoughts. */
  readonly thoughtPlace: 'content' | 'summary';
  /** Items have thoughts packed as well, as `encrypted_content`. */
  readonly packsThoughts: boolean;
  readonly tools: readonly OfferedTool[];
}

type ServedItem = Extract<OutputItem, { type: 'mcp_call' }>;

const inProgress = { status: 'in_progress' } as const;

export function beginItem(block: LoopBlock, { thoughtPlace, tools }: ItemOptions): OutputItem {
  if (block.type === 'text')
    return { type: 'message', id: createWireId('msg'), ...inProgress, role: 'assistant', content: [] };
  if (block.type === 'call')
    return block.served === undefined ? beginCall(block.name, tools) : beginServedCall(block.served);
  const summary = thoughtPlace === 'summary' ? [{ type: 'summary_text' as const, text: '' }] : [];
  return { type: 'reasoning', id: createWireId('rs'), summary, content: [], ...inProgress };
}

/** A call that the client is to make. */
function beginCall(calledName: string, tools: readonly OfferedTool[]): OutputItem {
  const called = tools.find(({ name }) => name === calledName)?.called;
  const tool = called?.kind === 'mcp' ? undefined : called;
  const { kind, name, namespace } = tool ?? { kind: 'function', name: calledName };
  const callId = createWireId('call');
  const named = { call_id: callId, name, ...(namespace !== undefined && { namespace }) };
  if (kind === 'function')
    return { type: 'function_call', id: createWireId('fc'), ...named, arguments: '', ...inProgress };
  if (kind === 'custom')
    return { type: 'custom_tool_call', id: createWireId('ctc'), ...named, input: '', ...inProgress };
  const ofSearch = { call_id: callId, execution: 'client', arguments: {} } as const;
  return { type: 'tool_search_call', id: createWireId('tsc'), ...ofSearch, ...inProgress };
}

/** A request for a person's approval is shown only when it is whole. */
function beginServedCall(served: Served): OutputItem {
  const asks = served.tool.needsApproval && served.approvalId === null;
  return asks ? toApprovalRequest(served, served.id, '') : toServedCall(served, '', inProgress);
}

function toServedCall(
  { id, tool, approvalId }: Served,
  text: string,
  result: Pick<ServedItem, 'status'> & Partial<ServedItem>,
): ServedItem {
  const call = { id, server_label: tool.label, name: tool.name, arguments: text };
  const nothing = { output: null, error: null };
  return { type: 'mcp_call', ...call, approval_request_id: approvalId, ...nothing, ...result };
}

const toApprovalRequest = ({ tool }: Served, id: string, text: string): OutputItem => ({
  type: 'mcp_approval_request',
  id,
  server_label: tool.label,
  name: tool.name,
  arguments: text,
});

/** `begun` with all that its block holds in the end. */
export function completeItem(
  begun: OutputItem,
  block: LoopBlock,
  { packsThoughts }: ItemOptions,
  annotations: z.output<typeof outputText>['annotations'] = [],
): OutputItem {
  const { text, isCutOff } = block;
  const status = isCutOff ? 'incomplete' : 'completed';
  switch (begun.type) {
    case 'message': {
      const logprobs = block.type === 'text' ? toWireTokens(block.logprobs) : [];
      const part = { type: 'output_text' as const, text, annotations, logprobs };
      return { ...begun, status, content: [part] };
    }
    case 'reasoning': {
      const whole: OutputItem =
        begun.summary.length > 0
          ? { ...begun, status, summary: [{ type: 'summary_text', text }] }
          : { ...begun, status, content: [{ type: 'reasoning_text', text }] };
      return packsThoughts ? { ...whole, encrypted_content: packText('thought', text) } : whole;
    }
    case 'function_call':
      return { ...begun, status, arguments: text };
    case 'custom_tool_call':
      return { ...begun, status, input: new TextInputReader().read(text) };
    case 'tool_search_call': {
      const given = block.type === 'call' && !isCutOff ? readArguments(block) : undefined;
      return { ...begun, status, arguments: given ?? {} };
    }
    case 'mcp_call':
    case 'mcp_approval_request':
      return block.type === 'call' && block.served !== undefined
        ? completeServedCall(block.served, text)
        : begun;
    case 'mcp_list_tools':
      return begun;
    default:
      return begun satisfies never;
  }
}

/** A call that was cut off is incomplete: nobody can allow it. */
function completeServedCall(served: Served, text: string): OutputItem {
  const { outcome } = served;
  if (outcome !== undefined && 'askedAs' in outcome) return toApprovalRequest(served, outcome.askedAs, text);
  return toServedCall(served, text, outcome?.fields ?? { status: 'incomplete' });
}
