import type { GenerationRequest } from '../../engine/types.ts';
import type { AttachedFiles } from '../attachments/attached-files.ts';
import type { AppContext, AppDeps } from '../env.ts';
import type { NamedModel } from '../model/model-names.ts';
import { createLeaving } from './leaving.ts';
import { toWireError, type ParameterPlace } from './wire/to-wire-error.ts';

/** A request for an answer to a conversation that has passed its checks. Nothing of it is computed yet. */
export interface CheckedRequest {
  readonly named: NamedModel;
  readonly request: GenerationRequest;
  /** Its pictures and recordings, of which some may have to be fetched. */
  readonly files: AttachedFiles;
  /** Where the request has the parameters that the engine's errors name. */
  readonly places: readonly ParameterPlace[];
}

/** The part of a job that `generate` does for a checked request, once its pictures are fetched. */
export const generationOf = <Running>(
  { named, request, files, places }: CheckedRequest,
  generate: (signal: AbortSignal) => Running | Promise<Running>,
) => ({
  model: named.model,
  mostTokens: (contextTokens: number) => mostTokensOf(request, contextTokens),
  generate: (signal: AbortSignal) => files.whenFetched(signal, () => generate(signal)),
  places,
});

/** The number of tokens of the prompt. Nothing is computed, so nothing is charged. */
export async function countPromptTokens(
  c: AppContext,
  { engine }: AppDeps,
  { named, request, files, places }: CheckedRequest,
): Promise<number> {
  c.get('access').model = named.model.id;
  const { signal } = createLeaving(c);
  try {
    return await files.whenFetched(signal, () => engine.countTokens(request, signal));
  } catch (thrown) {
    throw toWireError(thrown, places);
  }
}

/** A chat template adds no more than this to a conversation without tools. */
const templateTokens = 512;
/** And this to each message. */
const tokensPerMessage = 16;

/** The most tokens, in and out, that a request can use: each token of a text has a byte or more of it. */
export function mostTokensOf(request: GenerationRequest, contextTokens: number): number {
  const { prompt, maxTokens, tools } = request;
  if (maxTokens === undefined || tools !== undefined) return contextTokens;
  return Math.min(contextTokens, mostPromptTokens(prompt, contextTokens) + maxTokens);
}

function mostPromptTokens(prompt: GenerationRequest['prompt'], contextTokens: number): number {
  if (prompt.kind === 'tokens') return prompt.tokens.length + Buffer.byteLength(prompt.suffix ?? '');
  if (prompt.kind === 'text') {
    const { text, suffix = '', begun = '', snippets = [] } = prompt;
    const others = snippets.reduce(
      (bytes, { name, text: other }) => bytes + Buffer.byteLength(name + other) + tokensPerMessage,
      0,
    );
    // A token in front of a text, or the few around a gap.
    const markers = suffix === '' && begun === '' ? 1 : tokensPerMessage;
    return Buffer.byteLength(text + suffix + begun) + others + markers;
  }
  let bytes = templateTokens;
  for (const { content, reasoning = '', attachments = [], toolCalls = [] } of prompt.messages) {
    if (attachments.length + toolCalls.length > 0) return contextTokens;
    bytes += Buffer.byteLength(content) + Buffer.byteLength(reasoning) + tokensPerMessage;
  }
  return bytes;
}
