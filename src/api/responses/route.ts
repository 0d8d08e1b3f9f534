import type { Handler } from 'hono';
import type { AppDeps, AppEnv } from '../env.ts';
import { findChatModel } from '../model/find-model.ts';
import { serveGeneration } from '../generation/serve-generation.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { readBody } from '../request/read-parameters.ts';
import { outputSchemaPlace, toolPlaces } from '../generation/to-wire-error.ts';
import type { ParameterPlace } from '../generation/to-wire-error.ts';
import { toGenerationRequest } from './convert.ts';
import { toChatMessages } from './items/convert-items.ts';
import { loadConversation } from './stored/conversation.ts';
import { ResponseKeeper } from './stored/response-keeper.ts';
import { ResponseEvents } from './events/response-events.ts';
import { toBegunResponse } from './response-object.ts';
import { parseResponse } from './schema.ts';
import { StreamedResponse, WholeResponse } from './events/stream.ts';
import { toOfferedTools } from './tools/offered-tools.ts';
import { toResponseToolUse } from './tools/tool-choice.ts';
import { generateTruncated } from './truncate.ts';
import { refuseUnavailable } from './unavailable.ts';

const places: readonly ParameterPlace[] = [
  [outputSchemaPlace, 'text.format.schema'],
  [/^messages$/, 'input'],
];

/** POST /v1/responses: checks the request in the public order, then generates. */
export function createResponse(deps: AppDeps): Handler<AppEnv> {
  const { catalog, clock, engine, settings } = deps;
  const keeper = new ResponseKeeper(deps);
  return async (c) => {
    const parameters = readBody(c, parseResponse);
    refuseUnavailable(parameters);
    const principal = c.get('principal');
    const named = findChatModel(catalog, principal, parameters.model);
    const { store, stream, truncation, include } = parameters;
    keeper.checkRoom(principal.accountId, store);
    const { history, input } = loadConversation(keeper.sourceFor(principal.accountId), parameters);
    const messages = toChatMessages(parameters.instructions, history, input);
    const tools = toOfferedTools(parameters, history, input);
    const toolUse = toResponseToolUse(tools, parameters);
    const request = toGenerationRequest(
      parameters,
      messages,
      toolUse,
      named,
      principal,
      settings.reasoningTokens,
    );
    const atSeconds = () => Math.floor(clock.nowMs() / 1000);
    const events = new ResponseEvents(toBegunResponse(parameters, request.sampling, atSeconds()), {
      withPackedThought: include?.includes('reasoning.encrypted_content') === true,
      tools,
    });
    const response = {
      events,
      ending: () => ({ store: store === true, atSeconds: atSeconds() }),
      keep: () => keeper.keep(principal.accountId, input, events.response, store),
    };
    return await serveGeneration(c, deps, {
      route: meteredRoutes.responses,
      model: named.model,
      generate: async (signal) =>
        truncation === 'auto'
          ? await generateTruncated(engine, request, signal)
          : engine.generate(request, signal),
      answer:
        stream === true
          ? { kind: 'streamed', mapping: new StreamedResponse(response) }
          : { kind: 'whole', mapping: new WholeResponse(response) },
      places: [
        ...places,
        ...toolPlaces(
          tools.map(({ path }) => path),
          ['format', 'definition'],
        ),
      ],
    });
  };
}
