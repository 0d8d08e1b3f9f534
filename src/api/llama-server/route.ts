import type { Principal } from '../../accounts/types.ts';
import type { GenerationRequest, Prompt } from '../../engine/types.ts';
import type { CatalogModel } from '../../catalog/types.ts';
import type { AppDeps, AppContext } from '../env.ts';
import { mostTokensOf } from '../generation/checked-request.ts';
import { meteredRoutes, type MeteredRoute } from '../generation/metering.ts';
import { serveGeneration } from '../generation/serve-generation.ts';
import { Stopwatch } from '../generation/stopwatch.ts';
import { toWireError, type ParameterPlace } from '../generation/wire/to-wire-error.ts';
import { findPresentModelFor } from '../model/find-model.ts';
import { fillsIn, type NamedModel } from '../model/model-names.ts';
import { toAnswerFormat } from '../parameters/format/answer-format.ts';
import { toGenerationRequest } from '../parameters/generation-parameters.ts';
import { inputPlace } from '../parameters/text-inputs.ts';
import { readBody } from '../request/read-parameters.ts';
import { toPiece, toWrittenAnswer } from './answer.ts';
import type { Middleware, Routes } from '../add-routes.ts';
import { getProps, listSlots } from './props.ts';
import { completionSchema, infillSchema, type CommonParameters, type InfillParameters } from './operation.ts';

export const llamaServerRoutes = (deps: AppDeps, json: Middleware): Routes => ({
  '/completion': { POST: [json, (c) => continueText(c, deps)] },
  '/infill': { POST: [json, (c) => infill(c, deps)] },
  '/props': { GET: (c) => getProps(c, deps) },
  '/slots': { GET: (c) => listSlots(c, deps) },
});

/** POST /completion: llama-server's own route for programs that write their prompts themselves. */
async function continueText(c: AppContext, deps: AppDeps): Promise<Response> {
  const parameters = readBody(c, completionSchema);
  const [text = ''] = parameters.prompt.items;
  return await write(c, deps, parameters, {
    route: meteredRoutes.llamaCompletion,
    prompt: typeof text === 'string' ? { kind: 'text', text } : { kind: 'tokens', tokens: text },
    places: [inputPlace('prompt', 0, parameters.prompt)],
  });
}

/** POST /infill: llama-server's route for editors, which writes the text between two others. */
async function infill(c: AppContext, deps: AppDeps): Promise<Response> {
  const parameters = readBody(c, infillSchema);
  return await write(c, deps, parameters, {
    route: meteredRoutes.infill,
    prompt: toGap(parameters),
    places: gapPlaces,
    isFit: fillsIn,
  });
}

const gapPlaces: readonly ParameterPlace[] = [
  [/^suffix$/, 'input_suffix'],
  [/^prompt$/, 'input_prefix'],
  [/^begun$/, 'prompt'],
  [/^snippets$/, 'input_extra'],
];

const toGap = ({ input_prefix, input_suffix, input_extra = [], prompt }: InfillParameters): Prompt => ({
  kind: 'text',
  text: input_prefix.toWellFormed(),
  suffix: input_suffix.toWellFormed(),
  begun: prompt.toWellFormed(),
  snippets: input_extra.map(({ filename = 'file', text }) => ({
    name: filename.toWellFormed(),
    text: text.toWellFormed(),
  })),
});

interface Writing {
  readonly route: MeteredRoute;
  readonly prompt: Prompt;
  readonly places: readonly ParameterPlace[];
  /** The models that are preferred where the request names none. */
  readonly isFit?: (model: CatalogModel) => boolean;
}

async function write(
  c: AppContext,
  deps: AppDeps,
  parameters: CommonParameters,
  writing: Writing,
): Promise<Response> {
  const principal = c.get('principal');
  const named = findPresentModelFor('text', deps, principal, parameters.model, writing.isFit);
  const { format, place } = toAnswerFormat(parameters);
  const places = [...writing.places, place];
  const request = toRequest(parameters, { ...writing, places, format }, named, principal);
  const stopwatch = new Stopwatch(c.get('arrivedAtMs'));
  const answer = toWrittenAnswer(named.name, stopwatch, parameters);
  return await serveGeneration(c, deps, {
    route: writing.route,
    model: named.model,
    mostTokens: (contextTokens) => mostTokensOf(request, contextTokens),
    generate: (signal) => stopwatch.follow(deps.engine.generate(request, signal)),
    answer: parameters.stream === true ? { add: toPiece(parameters), end: answer.last } : answer.whole,
    onBegun: () => stopwatch.answer(),
    places,
  });
}

function toRequest(
  parameters: CommonParameters,
  { prompt, places, format }: Writing & { readonly format: GenerationRequest['outputFormat'] },
  named: NamedModel,
  principal: Principal,
): GenerationRequest {
  const { n_predict: most, n_probs: alternatives } = parameters;
  const fields = {
    prompt,
    maxTokens: most < 0 ? undefined : most,
    topLogprobs: alternatives > 0 ? alternatives : undefined,
    outputFormat: format,
  };
  try {
    return toGenerationRequest(parameters, fields, named, principal);
  } catch (thrown) {
    throw toWireError(thrown, places);
  }
}
