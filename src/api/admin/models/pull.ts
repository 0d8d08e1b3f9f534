import { DownloadError } from '../../../catalog/download/download-error.ts';
import type { PullProgress } from '../../../catalog/download/progress-reporter.ts';
import type { ServedPull } from '../../../catalog/pulls/model-puller.ts';
import { ModelSourceError } from '../../../catalog/pulls/model-source.ts';
import type { PullTarget } from '../../../catalog/pulls/pull-target.ts';
import { AppError, toAppError, invalidValue } from '../../../errors/errors.ts';
import type { Log } from '../../../telemetry/log.ts';
import type { Administration, AppContext, AppDeps } from '../../env.ts';
import { createLeaving } from '../../generation/leaving.ts';
import { logCause } from '../../middleware/on-error.ts';
import { readBody } from '../../request/read-parameters.ts';
import { jsonEvent, doneEvent, errorEvent, sseResponse } from '../../generation/wire/sse.ts';
import { toWirePulled, toWirePullProgress } from '../convert.ts';
import * as requests from '../schema.ts';

/** Writes a pull as the events of one endpoint's stream. */
export interface PullWriter {
  /** Default: that of server-sent events. */
  readonly contentType?: string;
  progress(progress: PullProgress): string;
  pulled(pulled: ServedPull): string;
  failed(error: AppError): string;
}

const events: PullWriter = {
  progress: (progress) => jsonEvent(toWirePullProgress(progress)),
  pulled: (pulled) => jsonEvent(toWirePulled(pulled)) + doneEvent,
  failed: errorEvent,
};

type PullDeps = Pick<AppDeps, 'administration' | 'log' | 'settings'>;

interface PullRequest {
  /** As the client calls it. */
  readonly model: string;
  readonly target: Parameters<Administration['pulls']['pull']>[0];
}

/** POST /admin/v1/models/pull: downloads a model, with its progress as events, while some client waits for it. */
export function pullModel(c: AppContext, deps: PullDeps): Response {
  const { model, sha256, id } = readBody(c, requests.pull);
  const target = findPull(deps.administration.pulls, model);
  return streamPull(c, deps, { model, target: { ...target, sha256: sha256 ?? target.sha256, id } }, events);
}

/** A response with the progress of a pull, in the words of `writer`. */
export function streamPull(
  c: AppContext,
  { administration, log, settings }: PullDeps,
  { model, target }: PullRequest,
  writer: PullWriter,
): Response {
  const leaving = createLeaving(c);
  const noted = notePull(c, model);
  const told = toPullEvents(
    async (onProgress) => {
      const pulled = await administration.pulls.pull(target, { signal: leaving.signal, onProgress });
      noted.pulled(pulled);
      return pulled;
    },
    (thrown) => {
      const requestId = c.get('requestId');
      const error = toPublicError(thrown, requestId);
      noted.failed(error);
      c.get('access').errorCode = error.code;
      if (!leaving.signal.aborted) logFailure(log, requestId, error);
      return error;
    },
    writer,
  );
  return sseResponse(c, told, () => leaving.abort(), settings, writer);
}

/** Resolves when the model is pulled. Throws AppError. */
export async function pullWhole(
  c: AppContext,
  { administration }: PullDeps,
  { model, target }: PullRequest,
): Promise<void> {
  const { signal } = createLeaving(c);
  const noted = notePull(c, model);
  try {
    noted.pulled(await administration.pulls.pull(target, { signal, onProgress: () => undefined }));
  } catch (thrown) {
    const error = toPublicError(thrown, c.get('requestId'));
    noted.failed(error);
    throw error;
  }
}

/** Has the audit log tell that a pull began, and by the functions that come back how it ended. */
function notePull(c: AppContext, model: string) {
  const note = c.get('note');
  c.set('act', ['model.pull', model]);
  return {
    pulled: ({ id }: ServedPull) => note('model.pulled', id ?? model),
    failed: (error: AppError) =>
      error.cause instanceof Error && error.cause.name === 'AbortError'
        ? note('model.pull_stopped', model)
        : note('model.pull_failed', model, {}, { reason: error.message }),
  };
}

/** A failed download is not an error in hearth, so its reason is logged in one line without a stack. */
function logFailure(log: Log, requestId: string, error: AppError): void {
  const { cause } = error;
  if (!(cause instanceof DownloadError)) logCause(log, requestId, error);
  else log.warn({ requestId, errorCode: error.code, ...cause.toLogFields() }, 'pull failed');
}

/** The model to pull for `name`. Throws invalid_value. */
export function findPull(pulls: Administration['pulls'], name: string): PullTarget {
  try {
    const target = pulls.find(name);
    if (target?.publicOnly === true && /^http:/i.test(target.source))
      throw invalidModel('A URL must begin with https://.');
    if (target !== undefined) return target;
  } catch (error) {
    if (error instanceof ModelSourceError) throw invalidModel(`${error.message}.`);
    throw error;
  }
  const { near, searchUrl } = pulls.unknown(name);
  const suggestion = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : '';
  throw invalidModel(
    `No model '${name}' is known by name.${suggestion} Use hf:Owner/Repository:QUANT or an https URL; ` +
      `${searchUrl} lists what there is.`,
  );
}

const invalidModel = (message: string) => invalidValue('model', message);

function toPublicError(thrown: unknown, requestId: string): AppError {
  if (!(thrown instanceof DownloadError)) return toAppError(thrown, requestId);
  const hint = thrown.hint === undefined ? '' : ` (${thrown.hint})`;
  return new AppError('pull_failed', `The model could not be downloaded: ${thrown.message}${hint}.`, {
    cause: thrown,
  });
}

/** The events of a pull; the last one is its end. A client that reads slowly misses some of the progress. */
async function* toPullEvents(
  pull: (onProgress: (progress: PullProgress) => void) => Promise<ServedPull>,
  toError: (thrown: unknown) => AppError,
  writer: PullWriter,
): AsyncGenerator<string> {
  const untold: PullProgress[] = [];
  let news = Promise.withResolvers<undefined>();
  const ended = pull((progress) => {
    if (progress.note === undefined && untold.at(-1)?.note === undefined) untold.pop();
    untold.push(progress);
    news.resolve(undefined);
  }).then(
    (pulled) => writer.pulled(pulled),
    (thrown: unknown) => writer.failed(toError(thrown)),
  );
  while (true) {
    for (const progress of untold.splice(0)) yield writer.progress(progress);
    const last = await Promise.race([news.promise, ended]);
    news = Promise.withResolvers();
    if (last === undefined) continue;
    yield last;
    return;
  }
}
