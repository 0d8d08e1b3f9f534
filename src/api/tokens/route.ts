import type { TokenizedText, TokenizeRequest } from '../../engine/text-engine.ts';
import { AttachedFiles, refuseAttachments } from '../attachments/attached-files.ts';
import type { AppContext, AppDeps } from '../env.ts';
import { placesIn, toChatRequest } from '../chat-completions/convert.ts';
import { refuseUnavailable } from '../chat-completions/schema.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { serveWork, uncomputed, type WorkJob } from '../generation/serve-work.ts';
import type { ParameterPlace } from '../generation/wire/to-wire-error.ts';
import { findTokenModel } from '../model/find-model.ts';
import { toModelUse } from '../model/model-names.ts';
import { readBody } from '../request/read-parameters.ts';
import { inputOf, detokenizeSchema, tokenizeSchema } from './schema.ts';

/** POST /tokenize: the tokens of a text or of a conversation, in the shapes of llama-server and vLLM at once. */
export async function tokenize(c: AppContext, deps: AppDeps): Promise<Response> {
  const parameters = readBody(c, tokenizeSchema);
  const { add_special: addSpecial, add_special_tokens: addTokens = addSpecial } = parameters;
  const input = inputOf(parameters);
  const principal = c.get('principal');
  const named = findTokenModel(deps.catalog, principal, parameters.model);
  const isChat = input.name === 'messages';
  const chat = { ...parameters, model: named.name, messages: isChat ? input.messages : [] };
  refuseUnavailable(chat);
  const files = new AttachedFiles(deps, principal, named, c.get('documents'));
  const conversation = toChatRequest(chat, named, principal, deps.settings.reasoningTokens, files);
  refuseAttachments(files);
  const request: TokenizeRequest = {
    ...conversation,
    prompt: isChat ? conversation.prompt : { kind: 'text', text: input.text },
    addSpecial: addTokens ?? input.name === 'prompt',
    parseSpecial: parameters.parse_special ?? true,
    withPieces: parameters.with_pieces === true || parameters.return_token_strs === true,
  };
  const places: ParameterPlace[] = [[/^prompt$/, input.name], ...placesIn(chat)];
  const job = { route: meteredRoutes.tokenize, model: named.model, request, places };
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
