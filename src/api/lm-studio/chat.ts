import type { AnswerDocument, FinishedGeneration } from '../../engine/generation/generation.ts';
import type { AppContext, AppDeps } from '../env.ts';
import { generationOf } from '../generation/checked-request.ts';
import { createLeaving } from '../generation/leaving.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { serveGeneration } from '../generation/serve-generation.ts';
import { Stopwatch } from '../generation/stopwatch.ts';
import { wantsProgress } from '../generation/wire/prompt-progress.ts';
import { toWireError, type ParameterPlace } from '../generation/wire/to-wire-error.ts';
import { readBody } from '../request/read-parameters.ts';
import { unsupported } from '../request/validate.ts';
import { toResponse } from '../responses/answer.ts';
import { input as responseInput } from '../responses/items/items.ts';
import { prepareResponse } from '../responses/prepare.ts';
import { responseOptions } from '../responses/route.ts';
import { ResponseKeeper } from '../responses/stored/response-keeper.ts';
import { LmStudioStream, toResult, type AnswerParts } from './answer.ts';
import { chatSchema } from './chat-schema.ts';

/** Where this route has the parameters of a response. */
const places: readonly ParameterPlace[] = [
  [/^input\[0\]\.content\[(\d+)\]\.image_url/, 'input[$1].data_url'],
  [/^input\[0\]\.content\[(\d+)\]/, 'input[$1]'],
  [/^reasoning\.effort$/, 'reasoning'],
];

const efforts = { off: 'none', on: 'medium', low: 'low', medium: 'medium', high: 'high' } as const;

/** POST /api/v1/chat: a response as LM Studio has it. It can be continued here and at /v1/responses. */
export async function lmStudioChat(c: AppContext, deps: AppDeps): Promise<Response> {
  const { input, system_prompt: instructions, reasoning, ...rest } = readBody(c, chatSchema);
  const { stream, store = true, integrations = [] } = rest;
  if (integrations.length > 0)
    throw unsupported(['integrations'], 'Servers of tools are called at /v1/responses: leave it out here.');
  const principal = c.get('principal');
  const keeper = new ResponseKeeper(deps);
  const parameters = {
    ...rest,
    store,
    instructions,
    input: responseInput.parse([{ type: 'message', role: 'user', content: toContent(input) }]),
    ...(reasoning && { reasoning: { effort: efforts[reasoning] } }),
  };
  const { signal: left } = createLeaving(c);
  const prepared = await prepareResponse(c, deps, keeper, parameters, left).catch((thrown: unknown) => {
    throw toWireError(thrown, places);
  });
  keeper.checkRoom(principal.accountId, store);
  const stopwatch = new Stopwatch(c.get('arrivedAtMs'));
  const options = responseOptions(deps, keeper, principal, parameters, prepared);
  const tellsProgress = wantsProgress(c, { stream, return_progress: stream }, prepared.named);
  const answer: AnswerParts = {
    model: prepared.named.name,
    stopwatch,
    async keep(end, blocks) {
      const { id } = await toResponse(options)(end, { blocks });
      return store ? id : undefined;
    },
  };
  return await serveGeneration(c, deps, {
    ...generationOf({ ...prepared, places: [...places, ...prepared.places] }, (signal) =>
      stopwatch.follow(deps.engine.generate({ ...prepared.request, tellsProgress }, signal)),
    ),
    route: meteredRoutes.lmStudioChat,
    answer:
      stream === true
        ? new LmStudioStream(answer)
        : async (end: FinishedGeneration, { blocks }: AnswerDocument) =>
            toResult(answer, blocks, end.usage, await answer.keep(end, blocks)),
    onBegun: () => stopwatch.answer(),
  });
}

const toContent = (input: ReturnType<typeof chatSchema.parse>['input']) =>
  typeof input === 'string'
    ? input
    : input.map((part) =>
        part.type === 'image'
          ? { type: 'input_image', image_url: part.data_url }
          : { type: 'input_text', text: part.content },
      );
