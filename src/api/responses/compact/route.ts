import { textOf } from '../../../engine/generation/answer.ts';
import type { Usage } from '../../../engine/generation/generation.ts';
import type { GenerationRequest } from '../../../engine/types.ts';
import { AppError } from '../../../errors/errors.ts';
import type { AppDeps, AppContext } from '../../env.ts';
import { createLeaving } from '../../generation/leaving.ts';
import { meteredRoutes } from '../../generation/metering.ts';
import { generationOf } from '../../generation/checked-request.ts';
import { serveGeneration } from '../../generation/serve-generation.ts';
import { readBody } from '../../request/read-parameters.ts';
import { createWireId } from '../../generation/wire/wire-id.ts';
import { toWireUsage } from '../answer.ts';
import { type Item, type ItemOf, compactedItem } from '../items/items.ts';
import { packText } from '../items/packed-text.ts';
import { prepareResponse } from '../prepare.ts';
import type { ResponseKeeper } from '../stored/response-keeper.ts';
import { z } from 'zod';
import { namedObject } from '../../openapi/json-schema.ts';
import { createParameterParser } from '../../request/validate.ts';
import { responseUsage } from '../response-schema.ts';
import { inputTokensSchema, responseSchema, withIgnoredKinds } from '../schema.ts';

/** The conversation to compact. The other parameters are sent by OpenAI's own clients and have no effect here. */
export const compactSchema = inputTokensSchema
  .pick({ model: true, input: true, instructions: true, previous_response_id: true })
  .extend(
    responseSchema.pick({
      prompt_cache_key: true,
      service_tier: true,
      prompt_cache_options: true,
      prompt_cache_retention: true,
    }).shape,
  );

const parseCompact = withIgnoredKinds(createParameterParser(compactSchema));

export const compactedResponse = namedObject('CompactedResponse', {
  id: z.string().startsWith('resp_'),
  object: z.literal('response.compaction'),
  created_at: z.int().min(0).describe('Unix seconds.'),
  output: z
    .array(compactedItem)
    .describe('The messages of users and a summary of everything: to be sent back as the next input.'),
  usage: responseUsage,
});

type CompactedResponse = z.output<typeof compactedResponse>;

/** No summary of a conversation is shorter. A model that ended its turn at once would lose all of it. */
const leastSummaryTokens = 16;
const mostSummaryTokens = 4096;

const task =
  'Summarise this conversation for somebody who will continue it and has not seen it. Say what was asked for, what was ' +
  'done and decided and why, what was found out (with names, paths, numbers and quotations where they matter), what is ' +
  'not finished, and what comes next. Write nothing but the summary.';

/** POST /v1/responses/compact: the model writes a summary with which the conversation can go on in fewer tokens. */
export async function compactConversation(
  c: AppContext,
  deps: AppDeps,
  keeper: ResponseKeeper,
): Promise<Response> {
  const parameters = readBody(c, parseCompact);
  const { signal: left } = createLeaving(c);
  const prepared = await prepareResponse(c, deps, keeper, parameters, left);
  const items = [...prepared.history, ...prepared.input];
  const atSeconds = Math.floor(deps.clock.nowMs() / 1000);
  const request = toSummaryRequest(prepared.request);
  return await serveGeneration(c, deps, {
    ...generationOf(prepared, (signal) => deps.engine.generate(request, signal)),
    route: meteredRoutes.responsesCompact,
    answer: ({ usage }, { blocks }) => toCompacted(items, textOf(blocks, 'text').trim(), usage, atSeconds),
  });
}

/** The users' messages, and the model's summary. Throws engine_error without one: the conversation would be lost. */
function toCompacted(
  items: readonly Item[],
  summary: string,
  usage: Usage,
  atSeconds: number,
): CompactedResponse {
  if (summary === '')
    throw new AppError('engine_error', 'The model wrote no summary. Try again, or use another model.');
  return {
    id: createWireId('resp'),
    object: 'response.compaction',
    created_at: atSeconds,
    output: [
      ...items.filter(isOfUser),
      { type: 'compaction', id: createWireId('cmp'), encrypted_content: packText('summary', summary) },
    ],
    usage: toWireUsage(usage),
  };
}

const isOfUser = (item: Item): item is ItemOf<'message'> => item.type === 'message' && item.role === 'user';

/** The request for a summary of the conversation in `request`: without tools and thoughts. */
function toSummaryRequest(request: GenerationRequest): GenerationRequest {
  const { tools: _, ...rest } = request;
  const messages = request.prompt.kind === 'messages' ? request.prompt.messages : [];
  return {
    ...rest,
    prompt: { kind: 'messages', messages: [...messages, { role: 'user', content: task }] },
    minTokens: leastSummaryTokens,
    maxTokens: mostSummaryTokens,
    ...(request.reasoning && { reasoning: { enabled: false } }),
  };
}
