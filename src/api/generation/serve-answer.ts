import type { FinishedGeneration, GenerationEvent } from '../../engine/generation.ts';
import type { GenerationRequest } from '../../engine/types.ts';
import type { AttachedFiles } from '../attachments/attached-files.ts';
import type { AppContext, AppDeps } from '../env.ts';
import type { NamedModel } from '../model/model-names.ts';
import { createLeaving } from './leaving.ts';
import type { MeteredRoute } from './metering.ts';
import {
  serveGeneration,
  type GenerationJob,
  type RunningGeneration,
  type Typed,
} from './serve-generation.ts';
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

/** How a checked request is answered. `Event`: what its events are beside those of the engine. */
export interface AnswerJob<Event extends Typed = GenerationEvent> extends CheckedRequest {
  readonly route: MeteredRoute;
  readonly answer: GenerationJob<GenerationEvent | Event, FinishedGeneration>['answer'];
  /** Begins another generation instead of the engine's own. */
  readonly generate?: GenerationJob<GenerationEvent | Event, FinishedGeneration>['generate'];
}

/** The response to a checked request, whose pictures are fetched before anything is generated. */
export function serveAnswer<Event extends Typed = GenerationEvent>(
  c: AppContext,
  deps: AppDeps,
  { route, named, request, files, places, answer, ...job }: AnswerJob<Event>,
): Promise<Response> {
  type Running = RunningGeneration<GenerationEvent | Event, FinishedGeneration>;
  const { generate = (signal: AbortSignal): Running => deps.engine.generate(request, signal) } = job;
  return serveGeneration<GenerationEvent | Event, FinishedGeneration>(c, deps, {
    route,
    model: named.model,
    generate: (signal) => files.whenFetched(signal, () => generate(signal)),
    answer,
    places,
  });
}

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
