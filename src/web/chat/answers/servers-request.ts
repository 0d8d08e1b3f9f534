import { ApiError } from '../../api/request.ts';
import { parsed } from '../../state/stored.ts';
import { t } from '../../words/dialog-texts.ts';
import { branchOf, type Conversation, type Message } from '../conversations/conversation.ts';
import { callOf, partsOf, wantedCalls, type ServerCall, type WantedCall } from '../conversations/parts.ts';
import { numberParameters } from '../settings/parameters.ts';
import { saysSomething, toChatRequest, withTexts, type ReadBase64 } from './request.ts';

/** Parameters that have the same name in both APIs: all numbers of the settings but one. */
const sameNames: readonly string[] = [
  'model',
  'stream',
  'logit_bias',
  'stop',
  ...numberParameters.map(({ wire }) => wire).filter((wire) => wire !== 'max_completion_tokens'),
];

interface ChatBody {
  readonly max_completion_tokens?: number;
  readonly reasoning_effort?: string;
  readonly response_format?: { readonly json_schema: object };
  readonly tools?: readonly { readonly type: string; readonly function?: object }[];
}

/**
 * The body of the response that continues the shown branch of `conversation`, with the tools of its servers. Throws where
 * a recording is attached, which responses cannot have. Without `makesCalls` calls that were allowed last are told as ones
 * that broke off.
 */
export function toServersRequest(
  conversation: Conversation,
  model: string,
  base64Of: ReadBase64,
  makesCalls = true,
): Record<string, unknown> {
  const chat = toChatRequest(conversation, model, base64Of);
  const {
    max_completion_tokens: maxTokens,
    reasoning_effort: effort,
    response_format: format,
    tools = [],
  } = chat as ChatBody;
  const { system, servers = [], serverTools = {} } = conversation.settings;
  const branch = branchOf(conversation).filter(saysSomething);
  const calls = new CallRecord(branch, conversation.messages, makesCalls);
  return {
    ...Object.fromEntries(Object.entries(chat).filter(([name]) => sameNames.includes(name))),
    store: false,
    return_progress: true,
    ...(system?.trim() && { instructions: system.trim() }),
    input: branch.flatMap((message) => toItems(message, calls, base64Of)),
    tools: [
      ...tools.map((tool) => ({ type: 'function', ...tool.function })),
      // The operator sets which calls need approval; the page asks for none of its own.
      ...servers.map((label) => ({
        type: 'mcp',
        server_label: label,
        require_approval: 'never',
        allowed_tools: serverTools[label],
      })),
    ],
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
    ...(effort !== undefined && { reasoning: { effort } }),
    ...(format !== undefined && { text: { format: { type: 'json_schema', ...format.json_schema } } }),
  };
}

/** Whether `error` refuses the answer to a call: the server has made that call, or was not the one that asked. */
export const isRefusedApproval = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 400 && error.message.includes('approval_request_id');

/** The outcomes of the wanted calls of servers' tools, as a request tells them. */
class CallRecord {
  readonly #branch: readonly Message[];
  readonly #all: readonly Message[];
  readonly #makesCalls: boolean;

  /** `makesCalls`: whether the server is to make the calls that were allowed at the end of `branch`. */
  constructor(branch: readonly Message[], all: readonly Message[], makesCalls: boolean) {
    this.#branch = branch;
    this.#all = all;
    this.#makesCalls = makesCalls;
  }

  /**
   * The items of a wanted call. The server takes the answer to each question once, and makes each call once, so only a
   * call that is still to be made goes as it was asked for; of any other its end is told.
   */
  ofWanted(wanted: WantedCall): readonly object[] {
    const answer = this.#branch.find(
      ({ toolCallId, approves }) => approves !== undefined && toolCallId === wanted.id,
    );
    if (answer === undefined || this.#isNext(answer)) return [wanted];
    if (answer.approves === false) return [toCall(wanted, { output: t.servers.notAllowed })];
    // Its call stands in the answer that follows.
    if (callOf(this.#branch, wanted) !== undefined) return [];
    const elsewhere = callOf(this.#all, wanted);
    return [toCall(wanted, elsewhere === undefined ? brokenOff : endOf(elsewhere))];
  }

  /** A call that was made, or was to be: nothing where it broke off before its arguments were there. */
  ofMade(call: ServerCall): readonly object[] {
    const wanted = this.#branch.flatMap(wantedCalls).find(({ id }) => id === call.approval_request_id);
    const args = wanted?.arguments ?? call.arguments;
    return call.status !== 'in_progress' || parsed<unknown>(args, undefined) !== undefined
      ? [{ ...call, arguments: args, ...endOf(call) }]
      : [];
  }

  /** The permission to make a call that is still to be made. */
  ofAnswer(answer: Message): readonly object[] {
    const { toolCallId: id, approves: approve } = answer;
    if (!this.#isNext(answer) || !this.#branch.flatMap(wantedCalls).some((wanted) => wanted.id === id))
      return [];
    return [{ type: 'mcp_approval_response', approval_request_id: id, approve }];
  }

  /** Whether a call is to be made by this request. */
  #isNext(answer: Message): boolean {
    const wanted = this.#branch.flatMap(wantedCalls).find(({ id }) => id === answer.toolCallId);
    const isAtEnd = this.#branch
      .slice(this.#branch.indexOf(answer))
      .every(({ approves }) => approves !== undefined);
    return (
      this.#makesCalls &&
      isAtEnd &&
      answer.approves === true &&
      wanted !== undefined &&
      callOf(this.#all, wanted) === undefined
    );
  }
}

const toCall = ({ id, server_label: label, name, arguments: args }: WantedCall, end: object) => ({
  type: 'mcp_call',
  id: id.replace(/^mcpr/, 'mcp'),
  server_label: label,
  name,
  arguments: args,
  output: null,
  error: null,
  ...end,
});

const brokenOff = {
  status: 'incomplete',
  error: { type: 'mcp_protocol_error', code: 0, message: t.servers.brokenOff },
} as const;

const endOf = ({ status, output, error }: ServerCall) =>
  status === 'in_progress' ? brokenOff : { status, output, error };

function toItems(message: Message, calls: CallRecord, base64Of: ReadBase64): readonly object[] {
  const { role, content, attachments = [], toolCallId, toolCalls = [], approves } = message;
  if (approves !== undefined) return calls.ofAnswer(message);
  if (role === 'tool') return [{ type: 'function_call_output', call_id: toolCallId, output: content }];
  if (role === 'user') {
    const sound = attachments.find(({ kind }) => kind === 'audio');
    if (sound !== undefined) throw new Error(t.servers.noSound(sound.name));
    const pictures = attachments.flatMap((file) =>
      file.kind === 'image'
        ? { type: 'input_image', image_url: `data:${file.type};base64,${base64Of(file)}` }
        : [],
    );
    return [{ role, content: [...pictures, { type: 'input_text', text: withTexts(content, attachments) }] }];
  }
  const parts = partsOf(message).flatMap((part): readonly object[] => {
    if ('text' in part) return part.text === '' ? [] : [{ role, content: part.text }];
    const { item } = part;
    if (item.type === 'mcp_call') return calls.ofMade(item);
    if (item.type === 'mcp_approval_request') return calls.ofWanted(item);
    // Calls of functions follow.
    return item.type === 'function_call' || ('status' in item && item.status === 'in_progress') ? [] : [item];
  });
  const functions = toolCalls.map(({ id, name, arguments: args }) => ({
    type: 'function_call',
    call_id: id,
    name,
    arguments: args,
  }));
  return [...parts, ...functions];
}
