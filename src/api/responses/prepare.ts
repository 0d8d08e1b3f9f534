import type { Principal } from '../../accounts/types.ts';
import { AppError } from '../../errors/errors.ts';
import { AttachedFiles } from '../attachments/attached-files.ts';
import type { AppDeps } from '../env.ts';
import { findModelFor } from '../model/find-model.ts';
import type { CheckedRequest } from '../generation/checked-request.ts';
import { outputSchemaPlace, toolPlaces, type ParameterPlace } from '../generation/wire/to-wire-error.ts';
import { toGenerationRequest } from '../parameters/generation-parameters.ts';
import { toReasoningRequest } from '../parameters/reasoning-request.ts';
import { toOutputFormat } from '../parameters/format/output-format.ts';
import { toChatMessages } from './items/convert-items.ts';
import { refuseUnavailable, type PromptParameters, type ResponseParameters } from './schema.ts';
import { loadItems, type LoadedItems } from './stored/load-items.ts';
import type { ResponseKeeper } from './stored/response-keeper.ts';
import { toOfferedTools, type OfferedTool } from './tools/offered-tools.ts';
import { offerServers, type OfferedServers } from './mcp/offered-servers.ts';
import { toResponseToolUse } from './tools/tool-choice.ts';

/** A request, checked, with the conversation that it continues. */
export interface PreparedResponse extends CheckedRequest, LoadedItems {
  readonly tools: readonly OfferedTool[];
  readonly servers: OfferedServers;
}

/**
 * The engine's request for `parameters`. Without input the model goes on from the conversation before. Throws AppError
 * if parameters contradict each other or do not fit the model, or if something that they refer to is not kept; and the
 * reason of `signal`, where MCP servers are waited for.
 */
export async function prepareResponse(
  deps: AppDeps,
  principal: Principal,
  keeper: ResponseKeeper,
  given: PromptParameters,
  signal: AbortSignal,
): Promise<PreparedResponse> {
  const { catalog, settings } = deps;
  const parameters = { ...given, input: given.input ?? [] };
  refuseUnavailable(parameters);
  const named = findModelFor('chat', catalog, principal, parameters.model);
  const { history, input } = loadItems(keeper.sourceFor(principal.accountId), parameters);
  const files = new AttachedFiles(deps, principal, named);
  const messages = toChatMessages(parameters.instructions, history, input, files);
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
  return { named, request, files, tools, servers, history, input, places };
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
