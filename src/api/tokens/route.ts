import type { TokenizedText, TokenizeRequest } from '../../engine/text-engine.ts';
import { AttachedFiles, refuseAttachments } from '../attachments/attached-files.ts';
import type { AppContext, AppDeps } from '../env.ts';
import { placesIn, toChatRequest } from '../chat-completions/convert.ts';
import { refuseUnavailable } from '../chat-completions/schema.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { serveWork, uncomputed, type WorkJob } from '../generation/serve-work.ts';
import { findPresentModelFor, findTokenModel } from '../model/find-model.ts';
import { toModelUse, type NamedModel } from '../model/model-names.ts';
import { readBody } from '../request/read-parameters.ts';
import { unsupported } from '../request/validate.ts';
import {
  applyTemplateSchema,
  detokenizeSchema,
  inputOf,
  tokenizeSchema,
  type ConversationParameters,
} from './schema.ts';

/** POST /tokenize: the tokens of a text or of a conversation, in the shapes of llama-server and vLLM at once. */
export async function tokenize(c: AppContext, deps: AppDeps): Promise<Response> {
  const parameters = readBody(c, tokenizeSchema);
  const { add_special: addSpecial, add_special_tokens: addTokens = addSpecial } = parameters;
  const input = inputOf(parameters);
  const named = findTokenModel(deps.catalog, c.get('principal'), parameters.model);
  const isChat = input.name === 'messages';
  const { conversation, places } = readConversation(c, deps, named, {
    ...parameters,
    messages: isChat ? input.messages : [],
  });
  const request: TokenizeRequest = {
    ...conversation,
    prompt: isChat ? conversation.prompt : { kind: 'text', text: input.text },
    addSpecial: addTokens ?? input.name === 'prompt',
    parseSpecial: parameters.parse_special ?? true,
    withPieces: parameters.with_pieces === true || parameters.return_token_strs === true,
  };
  const job: TokenJob = {
    route: meteredRoutes.tokenize,
    model: named.model,
    request,
    places: [[/^prompt$/, input.name], ...places],
  };
  return await answer(c, deps, job, ({ tokens, pieces, contextTokens }) => ({
    tokens:
      parameters.with_pieces === true ? tokens.map((id, at) => ({ id, piece: pieceOf(pieces[at]) })) : tokens,
    count: tokens.length,
    max_model_len: contextTokens,
    token_strs: parameters.return_token_strs === true ? pieces.map(({ token }) => token) : null,
  }));
}

/** POST /detokenize: the text of tokens. */
export async function detokenize(c: AppContext, deps: AppDeps): Promise<Response> {
  const { model: name, tokens } = readBody(c, detokenizeSchema);
  const principal = c.get('principal');
  const { model } = findTokenModel(deps.catalog, principal, name);
  const request: TokenizeRequest = {
    ...toModelUse(model, principal),
    prompt: { kind: 'tokens', tokens },
    addSpecial: false,
    parseSpecial: true,
    withPieces: false,
  };
  const job = { route: meteredRoutes.detokenize, model, request, places: [[/^prompt/, 'tokens'] as const] };
  return await answer(c, deps, job, ({ text }) => ({ content: text, prompt: text }));
}

/** POST /apply-template: the prompt that a conversation becomes, as llama-server has it. */
export async function applyTemplate(c: AppContext, deps: AppDeps): Promise<Response> {
  const parameters = readBody(c, applyTemplateSchema);
  const named = findPresentModelFor('chat', deps, c.get('principal'), parameters.model);
  const { conversation, places } = readConversation(c, deps, named, parameters);
  const request = { ...conversation, addSpecial: true, parseSpecial: true, withPieces: false };
  const job = { route: meteredRoutes.applyTemplate, model: named.model, request, places };
  return await answer(c, deps, job, ({ text }) => ({ prompt: text }));
}

/** The engine's request for the answer to a conversation without attachments, and where its parameters stand. */
function readConversation(
  c: AppContext,
  deps: AppDeps,
  named: NamedModel,
  parameters: ConversationParameters,
) {
  // vLLM's clients say both: the rest of an answer begins no turn.
  if (parameters.add_generation_prompt === false && parameters.continue_final_message !== true)
    throw unsupported(['add_generation_prompt'], 'Messages are read as they are answered: leave it out.');
  const chat = { ...parameters, model: named.name };
  refuseUnavailable(chat);
  const principal = c.get('principal');
  const files = new AttachedFiles(deps, principal, named, c.get('documents'));
  const conversation = toChatRequest(chat, named, principal, deps.settings.reasoningTokens, files);
  refuseAttachments(files);
  return { conversation, places: placesIn(chat) };
}

interface TokenJob extends Omit<WorkJob<never>, 'work'> {
  readonly request: TokenizeRequest;
}

function answer(
  c: AppContext,
  deps: AppDeps,
  { request, ...job }: TokenJob,
  toBody: (tokenized: TokenizedText) => object,
): Promise<Response> {
  const work = (signal: AbortSignal) => uncomputed(deps.engine.tokenize(request, signal), signal);
  return serveWork(c, deps, { ...job, work }, ({ result }) => c.json(toBody(result)));
}

/** A token's text, or its bytes where it is only a part of a character, as llama-server has it. */
function pieceOf(piece: TokenizedText['pieces'][number] | undefined): string | readonly number[] {
  const { token = '', bytes = [] } = piece ?? {};
  return bytes.length === 0 || Buffer.from(token).equals(Buffer.from(bytes)) ? token : bytes;
}
