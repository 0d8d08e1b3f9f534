import type { GenerationRequest } from '../../engine/types.ts';
import { AppError } from '../../errors/errors.ts';
import { AttachedFiles } from '../attachments/attached-files.ts';
import type { AppContext, AppDeps } from '../env.ts';
import { findChatModel } from '../model/find-model.ts';
import type { NamedModel } from '../model/model-names.ts';
import { outputSchemaPlace, toolPlaces } from '../generation/to-wire-error.ts';
import type { ParameterPlace } from '../generation/to-wire-error.ts';
import { toGenerationRequest } from './convert.ts';
import { toChatMessages } from './items/convert-items.ts';
import type { PromptParameters } from './schema.ts';
import { loadConversation } from './stored/conversation.ts';
import type { Conversation } from './stored/conversation.ts';
import type { ResponseKeeper } from './stored/response-keeper.ts';
import { toOfferedTools } from './tools/offered-tools.ts';
import type { OfferedTool } from './tools/offered-tools.ts';
import { toResponseToolUse } from './tools/tool-choice.ts';
import { refuseUnavailable } from './unavailable.ts';

/** A request, checked, with the conversation that it continues. */
interface PreparedResponse extends Conversation {
  readonly named: NamedModel;
  readonly request: GenerationRequest;
  readonly files: AttachedFiles;
  readonly tools: readonly OfferedTool[];
  /** Where the request has the parameters that the engine's errors name. */
  readonly places: readonly ParameterPlace[];
}

/**
 * What the engine is asked for by `parameters`. Without input it is asked about what came before. Throws AppError if
 * parameters contradict each other or do not fit the model, or if something that they refer to is not kept.
 */
export function prepareResponse(
  c: AppContext,
  deps: AppDeps,
  keeper: ResponseKeeper,
  given: PromptParameters,
): PreparedResponse {
  const { catalog, settings } = deps;
  const parameters = { ...given, input: given.input ?? [] };
  refuseUnavailable(parameters);
  const principal = c.get('principal');
  const named = findChatModel(catalog, principal, parameters.model);
  const { history, input } = loadConversation(keeper.sourceFor(principal.accountId), parameters);
  const files = new AttachedFiles(deps, principal, named);
  const messages = toChatMessages(parameters.instructions, history, input, files);
  const tools = toOfferedTools(parameters.tools ?? [], history, input);
  const toolUse = toResponseToolUse(tools, parameters);
  if (messages.length === 0) throw nothingGiven();
  const request = toGenerationRequest(
    parameters,
    messages,
    toolUse,
    named,
    principal,
    settings.reasoningTokens,
  );
  const toolPaths = tools.map(({ path }) => path);
  const places: readonly ParameterPlace[] = [
    [outputSchemaPlace, 'text.format.schema'],
    [/^messages$/, 'input'],
    ...toolPlaces(toolPaths, { grammar: ['format', 'definition'] }),
  ];
  return { named, request, files, tools, history, input, places };
}

function nothingGiven(): AppError {
  return new AppError(
    'missing_required_parameter',
    "Missing required parameter 'input': it must have a message, unless 'instructions' or 'previous_response_id' do.",
    { param: 'input' },
  );
}
