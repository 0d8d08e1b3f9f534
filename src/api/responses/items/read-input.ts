import type { AppError } from '../../../errors/errors.ts';
import { createWireId } from '../../generation/wire-id.ts';
import { invalid } from '../../request/validate.ts';
import type { InputContentParameter, InputItemParameter, InputParameter } from './input-schema.ts';
import type { FunctionCallOutput, InputImage, Item, Message, Reasoning } from './item-schema.ts';
import { unpackText } from './packed-text.ts';
import { toWireTools } from '../tools/wire-tools.ts';

/**
 * The items of a request's input, all with ids. `findItem` finds what a reference names; throws not_found if there is
 * none.
 */
export function readInput(
  input: InputParameter,
  findItem: (id: string) => Item | undefined,
): readonly Item[] {
  if (typeof input === 'string') return [toMessage({ type: 'message', role: 'user', content: input })];
  return input.map((given, index) => {
    if (given.type !== 'item_reference') return toItem(given, index);
    const item = findItem(given.id);
    if (item === undefined) throw unknownItem(index);
    return item;
  });
}

function toItem(given: Exclude<InputItemParameter, { type: 'item_reference' }>, index: number): Item {
  switch (given.type) {
    case 'message':
      return toMessage(given);
    case 'additional_tools': {
      const { type, id, role, tools } = given;
      return { type, id: id ?? createWireId('at'), role, tools: toWireTools(tools) };
    }
    case 'compaction': {
      const { type, id, encrypted_content: packed } = given;
      if (unpackText('summary', packed) === undefined) throw foreignText(index);
      return { type, id: id ?? createWireId('cmp'), encrypted_content: packed };
    }
    case 'reasoning': {
      const { type, id, summary, status } = given;
      const content = toThought(given, index);
      return {
        type,
        id: id ?? createWireId('rs'),
        summary: summary ?? [],
        content,
        status: status ?? 'completed',
      };
    }
    case 'function_call':
    case 'function_call_output':
    case 'custom_tool_call':
    case 'custom_tool_call_output':
    case 'tool_search_call':
    case 'tool_search_output':
      return toToolItem(given);
    default:
      return given satisfies never;
  }
}

type ToolItemParameter = Extract<InputItemParameter, { type: `${string}_call` | `${string}_output` }>;

function toToolItem(given: ToolItemParameter): Item {
  const status = given.status ?? 'completed';
  switch (given.type) {
    case 'function_call': {
      const { type, id, call_id: callId, name, arguments: text } = given;
      const called = { call_id: callId, name, ...namespaceOf(given), arguments: text };
      return { type, id: id ?? createWireId('fc'), ...called, status };
    }
    case 'function_call_output': {
      const { type, id, call_id: callId, name, output } = given;
      const named = { ...(typeof name === 'string' && { name }), ...namespaceOf(given) };
      return {
        type,
        id: id ?? createWireId('fco'),
        call_id: callId,
        output: toOutput(output),
        ...named,
        status,
      };
    }
    case 'custom_tool_call': {
      const { type, id, call_id: callId, name, input } = given;
      return {
        type,
        id: id ?? createWireId('ctc'),
        call_id: callId,
        name,
        ...namespaceOf(given),
        input,
        status,
      };
    }
    case 'custom_tool_call_output': {
      const { type, id, call_id: callId, output } = given;
      return { type, id: id ?? createWireId('ctco'), call_id: callId, output: toOutput(output), status };
    }
    case 'tool_search_call': {
      const { type, id, arguments: searched } = given;
      return { type, id: id ?? createWireId('tsc'), ...searchOf(given), arguments: searched, status };
    }
    case 'tool_search_output': {
      const { type, id, tools } = given;
      return { type, id: id ?? createWireId('tso'), ...searchOf(given), tools: toWireTools(tools), status };
    }
    default:
      return given satisfies never;
  }
}

const namespaceOf = ({ namespace }: { namespace?: string | null | undefined }) =>
  typeof namespace === 'string' ? { namespace } : {};

function searchOf(given: Extract<ToolItemParameter, { type: `tool_search_${string}` }>) {
  return { call_id: given.call_id ?? null, execution: given.execution ?? 'server' };
}

function toMessage(given: Extract<InputItemParameter, { type: 'message' }>): Message {
  const { type, id, role, content, status } = given;
  const parts = typeof content === 'string' ? [{ type: 'input_text' as const, text: content }] : content;
  return {
    type,
    id: id ?? createWireId('msg'),
    status: status ?? 'completed',
    role,
    content: parts.map((part) => {
      if (part.type === 'refusal') return part;
      const picture = pictureOf(part);
      if (picture !== undefined) return picture;
      const text = textOf(part);
      return role === 'assistant'
        ? { type: 'output_text', text, annotations: [], logprobs: [] }
        : { type: 'input_text', text };
    }),
  };
}

function toOutput(content: InputContentParameter): FunctionCallOutput['output'] {
  if (typeof content === 'string') return content;
  return content.map((part) => pictureOf(part) ?? { type: 'input_text', text: textOf(part) });
}

type ContentPart = Exclude<InputContentParameter, string>[number];

/** A picture, which may have been sent as a file; undefined for other parts. */
function pictureOf(part: ContentPart): InputImage | undefined {
  if (part.type === 'input_image' && part.image_url)
    return { type: 'input_image', image_url: part.image_url, detail: part.detail ?? 'auto' };
  return part.type === 'input_file' && part.file_data
    ? { type: 'input_image', image_url: part.file_data, detail: 'auto' }
    : undefined;
}

function textOf(part: ContentPart): string {
  if (part.type === 'refusal') return part.refusal;
  if ('text' in part) return part.text;
  throw new TypeError(`a part of the type ${part.type} should have been refused`);
}

/** The thought in the item's own text or in its `encrypted_content`. */
function toThought(
  { content, encrypted_content: packed }: Extract<InputItemParameter, { type: 'reasoning' }>,
  index: number,
): Reasoning['content'] {
  if (content && content.length > 0) return content;
  if (packed === undefined || packed === null) return [];
  const text = unpackText('thought', packed);
  if (text === undefined) throw foreignText(index);
  return [{ type: 'reasoning_text', text }];
}

function unknownItem(index: number): AppError {
  const complaint =
    'is the id of no item that is kept here. Send the item itself, or create the responses with "store": true that later ones refer to';
  return invalid(['input', index, 'id'], complaint, 'not_found');
}

function foreignText(index: number): AppError {
  const complaint = 'was not written by this server, which cannot read it. Leave the item out';
  return invalid(['input', index, 'encrypted_content'], complaint);
}
