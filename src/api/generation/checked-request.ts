import type { GenerationRequest } from '../../engine/types.ts';
import type { AttachedFiles } from '../attachments/attached-files.ts';
import type { AppContext, AppDeps } from '../env.ts';
import type { NamedModel } from '../model/model-names.ts';
import { mostTokensOf } from './most-tokens.ts';
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
