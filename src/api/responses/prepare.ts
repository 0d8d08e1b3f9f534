import { QuoteIndex } from '../../documents/quotes/quote-index.ts';
import { AppError } from '../../errors/errors.ts';
import { AttachedFiles } from '../attachments/attached-files.ts';
import type { AppContext, AppDeps } from '../env.ts';
import { findModelFor } from '../model/find-model.ts';
import type { CheckedRequest } from '../generation/checked-request.ts';
import { outputSchemaPlace, toolPlaces, type ParameterPlace } from '../generation/wire/to-wire-error.ts';
import { toGenerationRequest } from '../parameters/generation-parameters.ts';
import { toReasoningRequest } from '../parameters/reasoning-request.ts';
import { toOutputFormat } from '../parameters/format/output-format.ts';
import type { FileQuotes } from './events/file-annotations.ts';
import { toChatMessages } from './items/convert-items.ts';
import { refuseUnavailable, type PromptParameters, type ResponseParameters } from './schema.ts';
import { loadItems, type LoadedItems } from './stored/load-items.ts';
import type { ResponseKeeper } from './stored/response-keeper.ts';
import { toOfferedTools, type OfferedTool } from './tools/offered-tools.ts';
import { offerServers, type OfferedServers } from './mcp/offered-servers.ts';
import type { ToolUse } from '../../engine/types.ts';
import { notOffered, toToolUse, type ToolChoice } from '../parameters/tools/tool-use.ts';
import type { ToolChoiceParameter } from './tools/tools.ts';

/** A request, checked, with the conversation that it continues. */
export interface PreparedResponse extends CheckedRequest, LoadedItems {
  readonly tools: readonly OfferedTool[];
  readonly servers: OfferedServers;
  readonly quotes: FileQuotes;
}

/** The engine's request; without input the model goes on from before. Throws AppError, or the reason of `signal`. */
export async function prepareResponse(
  c: AppContext,
  deps: AppDeps,
  keeper: ResponseKeeper,
  given: PromptParameters,
  signal: AbortSignal,
): Promise<PreparedResponse> {
  const { catalog, settings } = deps;
  const principal = c.get('principal');
  const parameters = { ...given, input: given.input ?? [] };
  refuseUnavailable(parameters);
  const named = findModelFor('chat', catalog, principal, parameters.model);
  const { history, input } = loadItems(keeper.sourceFor(principal.accountId), parameters);
  const files = new AttachedFiles(deps, principal, named, c.get('documents'));
  const quotes: FileQuotes = new QuoteIndex();
  const messages = toChatMessages(parameters.instructions, history, input, files, quotes);
  const servers = await offerServers(deps.mcp, principal, parameters.tools ?? [], signal);
  const tools = toOfferedTools(parameters.tools ?? [], history, input, servers.tools);
  const maxTokens = parameters.max_output_tokens;
  const fields = {
    prompt: { kind: 'messages' as const, messages },
    maxTokens,
    topLogprobs: toTopLogprobs(parameters),
    tools: toResponseToolUse(tools, parameters),
    outputFormat: toOutputFormat(parameters.text?.format),
  };
  const allowsCall = input.some(({ type }) => type === 'mcp_approval_response');
  if (messages.length === 0 && !allowsCall) throw nothingGiven();
  const asked = { effort: parameters.reasoning?.effort, effortPath: ['reasoning', 'effort'] };
  const reasoning = toReasoningRequest(asked, named, settings.reasoningTokens, maxTokens);
  const request = toGenerationRequest(parameters, { ...fields, reasoning }, named, principal);
  const places: readonly ParameterPlace[] = [
    [outputSchemaPlace, 'text.format.schema'],
    [/^messages$/, 'input'],
    ...toolPlaces(tools, { grammar: ['format', 'definition'] }),
  ];
  return { named, request, files, quotes, tools, servers, history, input, places };
}

/** The number of alternatives; undefined if neither of the two parameters asks for log-probabilities. */
function toTopLogprobs({ include = [], top_logprobs: top = 0 }: ResponseParameters): number | undefined {
  return top > 0 || include.includes('message.output_text.logprobs') ? top : undefined;
}

function nothingGiven(): AppError {
  return new AppError(
    'missing_required_parameter',
    "Missing required parameter 'input': it must have a message, unless 'instructions' or 'previous_response_id' do.",
    { param: 'input' },
  );
}

/** How the model may use `offered`. Throws invalid_value if tools are chosen that are not offered. */
function toResponseToolUse(
  offered: readonly OfferedTool[],
  { tool_choice: choice = 'auto', parallel_tool_calls: parallel = true }: ResponseParameters,
): ToolUse | undefined {
  return toToolUse(offered, toChoice(choice, offered), parallel);
}

/** The choice by the names that the model sees. */
function toChoice(choice: ToolChoiceParameter, offered: readonly OfferedTool[]): ToolChoice {
  if (typeof choice === 'string') return choice;
  const chosenBy = (tool: NamedTool, path: readonly PropertyKey[]) =>
    namesOf(tool, offered, path).map((name) => ({ name, path }));
  if (choice.type !== 'allowed_tools') {
    const path = ['tool_choice', 'name'];
    if (choice.type === 'mcp') return { kind: 'allowed', chosen: chosenBy(choice, path), required: true };
    return { kind: 'function', chosen: { name: namesOf(choice, offered, path)[0], path } };
  }
  const { mode, tools } = choice;
  if (mode === 'none') return mode;
  const chosen = tools.flatMap((tool, index) =>
    tool.type === 'ignored' ? [] : chosenBy(tool, ['tool_choice', 'tools', index, 'name']),
  );
  return chosen.length === 0 ? noneAllowed(mode) : { kind: 'allowed', chosen, required: mode === 'required' };
}

type NamedTool =
  | { readonly type: 'function' | 'custom' | 'namespace'; readonly name: string }
  | { readonly type: 'mcp'; readonly server_label: string; readonly name?: string | undefined };

/** The names that `tool` stands for: its own, or all of a namespace or server. Throws invalid_value if none is. */
function namesOf(
  tool: NamedTool,
  offered: readonly OfferedTool[],
  path: readonly PropertyKey[],
): [string, ...string[]] {
  if (tool.type === 'mcp') {
    const [first, ...others] = offered.flatMap(({ name, called }) => {
      const isMeant = called.kind === 'mcp' && called.label === tool.server_label;
      return isMeant && called.name === (tool.name ?? called.name) ? name : [];
    });
    if (first === undefined) throw notOffered(path);
    return [first, ...others];
  }
  const namespaceOf = ({ called }: OfferedTool) => (called.kind === 'mcp' ? undefined : called.namespace);
  const meant = offered.filter((one) =>
    tool.type === 'namespace'
      ? namespaceOf(one) === tool.name
      : one.called.kind === tool.type && one.called.name === tool.name,
  );
  const first = meant.find((one) => namespaceOf(one) === undefined) ?? meant[0];
  if (first === undefined) throw notOffered(path);
  return tool.type === 'namespace' ? [first.name, ...meant.slice(1).map(({ name }) => name)] : [first.name];
}

function noneAllowed(mode: 'auto' | 'required'): ToolChoice {
  if (mode === 'auto') return 'none';
  throw new AppError(
    'unsupported_value',
    "'tool_choice.tools' has only tools that this server would have to run, and it has none of them. Name one of your functions.",
    { param: 'tool_choice.tools' },
  );
}
