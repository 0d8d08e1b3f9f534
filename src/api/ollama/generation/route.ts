import { AttachedFiles } from '../../attachments/attached-files.ts';
import type { AppContext, AppDeps } from '../../env.ts';
import { meteredRoutes, type MeteredRoute } from '../../generation/metering.ts';
import { Stopwatch } from '../../generation/stopwatch.ts';
import { generationOf, type CheckedRequest } from '../../generation/checked-request.ts';
import { serveGeneration } from '../../generation/serve-generation.ts';
import { serveWork, uncomputed } from '../../generation/serve-work.ts';
import { outputSchemaPlace, type ParameterPlace } from '../../generation/wire/to-wire-error.ts';
import { findModelFor } from '../../model/find-model.ts';
import { readBody } from '../../request/read-parameters.ts';
import { linesType, toLine, withoutTag } from '../dialect.ts';
import { AnswerLines, toMessage, toObject, toResponse, type AnswerPart } from './answer.ts';
import { toChatGeneration, toPromptGeneration } from './convert.ts';
import { parseChat, parseGenerate } from './schema.ts';

const places: readonly ParameterPlace[] = [
  [outputSchemaPlace, 'format'],
  [/^tools\[(\d+)\]\.parameters(?=$|[.[])/, 'tools[$1].function.parameters'],
  [/^logit_bias/, 'options.logit_bias'],
  [/^reasoning\.effort$/, 'think'],
];

/** POST /api/chat: answers a conversation, or loads or unloads the model where there is none. */
export async function chat(c: AppContext, deps: AppDeps): Promise<Response> {
  const parameters = readBody(c, parseChat);
  const { principal, ...opened } = openRequest(c, deps, parameters.model);
  const { named, files } = opened;
  const request = toChatGeneration(parameters, named, principal, deps.settings.reasoningTokens, files);
  const job = { ...opened, request, stream: parameters.stream, toFields: toMessage };
  const isEmpty = (parameters.messages?.length ?? 0) === 0;
  return await (isEmpty ? prepare : answer)(c, deps, { ...job, route: meteredRoutes.ollamaChat, places });
}

/** POST /api/generate: answers a prompt, or continues it; loads or unloads the model where there is none. */
export async function generate(c: AppContext, deps: AppDeps): Promise<Response> {
  const parameters = readBody(c, parseGenerate);
  const { principal, ...opened } = openRequest(c, deps, parameters.model);
  const { named, files } = opened;
  const request = toPromptGeneration(parameters, named, principal, deps.settings.reasoningTokens, files);
  const job = { ...opened, request, stream: parameters.stream, toFields: toResponse };
  const isEmpty = !parameters.prompt && !parameters.suffix && files.count === 0;
  const ofPrompt: ParameterPlace[] = [...places, [/^messages$/, 'prompt']];
  const route = meteredRoutes.ollamaGenerate;
  return await (isEmpty ? prepare : answer)(c, deps, { ...job, route, places: ofPrompt });
}

/** Who asks which model, and the files that come with it. */
function openRequest(c: AppContext, deps: AppDeps, asked: string) {
  const principal = c.get('principal');
  const named = findModelFor('chat', deps.catalog, principal, withoutTag(deps.catalog, asked));
  return { principal, asked, named, files: new AttachedFiles(deps, principal, named) };
}

interface OllamaJob extends CheckedRequest {
  readonly route: MeteredRoute;
  readonly asked: string;
  readonly stream: boolean | undefined;
  readonly toFields: (part: AnswerPart) => object;
}

function answer(c: AppContext, deps: AppDeps, job: OllamaJob): Promise<Response> {
  const stopwatch = new Stopwatch(c.get('arrivedAtMs'));
  const { asked: model, toFields } = job;
  const shape = { model, nowMs: () => deps.clock.nowMs(), stopwatch, toFields };
  return serveGeneration(c, deps, {
    ...generationOf(job, (signal) => stopwatch.follow(deps.engine.generate(job.request, signal))),
    route: job.route,
    answer: job.stream === false ? toObject(shape) : new AnswerLines(shape),
    onBegun: () => stopwatch.answer(),
  });
}

/** Loads the model, or with `keep_alive: 0` frees it as soon as nobody uses it. */
function prepare(c: AppContext, deps: AppDeps, job: OllamaJob): Promise<Response> {
  const { modelId, accountId, keyId, keepAliveMs } = job.request;
  const frees = keepAliveMs === 0;
  const load = async (signal: AbortSignal) => {
    // A use without work loads the model, and sets how long it stays.
    const use = { addSpecial: false, parseSpecial: false, withPieces: false };
    const empty = { modelId, accountId, keyId, prompt: { kind: 'text', text: '' }, ...use } as const;
    const isElsewhere = job.named.model.path === undefined;
    if (isElsewhere || (frees && deps.models.state(modelId) !== 'loaded')) return;
    await deps.engine.tokenize({ ...empty, ...(keepAliveMs !== undefined && { keepAliveMs }) }, signal);
  };
  const work = (signal: AbortSignal) => uncomputed(load(signal), signal);
  const { route, places: own } = job;
  return serveWork(c, deps, { route, model: job.named.model, work, places: own }, () => {
    const fields = job.toFields({ text: '', thinking: '', calls: [] });
    const created_at = new Date(deps.clock.nowMs()).toISOString();
    const done_reason = frees ? 'unload' : 'load';
    const body = { model: job.asked, created_at, ...fields, done: true, done_reason };
    if (job.stream === false) return c.json(body);
    return c.body(toLine(body), 200, { 'content-type': linesType });
  });
}
