/** Messages between hearth and the processes of isolated models. All of them survive structured cloning. */
import { AppError, type AppErrorDetails, type ErrorCode } from '../../errors/errors.ts';
import { messageOf } from '../../words/describe-error.ts';
import type { LogLevel } from '../../telemetry/log.ts';
import type { EngineFileSpec } from '../file-engines.ts';
import type { GenerationTimes } from '../observer.ts';
import type { ModelWork } from '../model-backend.ts';
import { DeviceFullError, type PooledModel } from '../pool/loadable.ts';
import type { MemoryBudget, MemoryUse } from '../pool/memory-use.ts';
import type { GenerationEvent, Usage } from '../generation/generation.ts';

/** Settings of the server that hold for the process; its first argument, as JSON. */
export interface ProcessSettings {
  readonly logLevel: LogLevel;
  /** False: the machine has none. */
  readonly gpu: 'auto' | false;
  readonly mathCores: number;
  readonly targetGapMs: number;
  readonly queueLimit: number;
  readonly queueTimeoutMs: number;
}

/** The batch of a request, told by a number because the other requests of the batch come in messages of their own. */
export interface SentBatch {
  readonly id: number;
  readonly size: number;
}

/** The messages to the process. A model is planned, then loaded, then used. */
export type Call =
  | { readonly method: 'devices' }
  | { readonly method: 'plan'; readonly spec: EngineFileSpec; readonly budget: MemoryBudget }
  | { readonly method: 'load' }
  | WorkCall
  /** The model is freed, which may write caches into files. Nothing else is asked after it. */
  | { readonly method: 'dispose' };

/** A request to the model itself. Its samples, if it has any, were sent before, in `samples` messages of the same id. */
export interface WorkCall {
  readonly method: 'work';
  readonly work: keyof ModelWork;
  readonly request: object;
  readonly batch: SentBatch | undefined;
}

export type ToProcess =
  | { readonly kind: 'call'; readonly id: number; readonly call: Call }
  | { readonly kind: 'samples'; readonly id: number; readonly samples: Float32Array }
  | { readonly kind: 'abort'; readonly id: number }
  /** The answer to a report of kind `claim`. */
  | { readonly kind: 'claimed'; readonly id: number; readonly isGranted: boolean }
  /** Is answered at once by a message, which may hold no reports. */
  | { readonly kind: 'ping' }
  /** The share of this process in the memory for caches of idle conversations. */
  | { readonly kind: 'cache'; readonly bytes: number };

export type Report =
  | { readonly kind: 'accepted'; readonly id: number }
  /** `usage`: the work until the event, so that it can be charged if nothing follows. */
  | { readonly kind: 'event'; readonly id: number; readonly event: GenerationEvent; readonly usage: Usage }
  /** A transcription reports TranscriptionProgress before its end, speech each SpokenPiece. */
  | { readonly kind: 'progress'; readonly id: number; readonly progress: object }
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SentError }
  /** The model asks for more memory; once it has answered that with `settled`, its status tells its memory. */
  | { readonly kind: 'claim'; readonly id: number; readonly more: MemoryUse; readonly unloadsOthers: boolean }
  | { readonly kind: 'settled'; readonly id: number }
  | { readonly kind: 'timed'; readonly times: GenerationTimes };

/** How the model is now. */
export interface ProcessStatus extends Pick<
  PooledModel,
  'memory' | 'contextTokens' | 'slots' | 'busySlots' | 'waiting'
> {
  readonly cacheBytes: number;
}

/** All that happened in one turn of the event loop, and so in one step of the model. */
export interface FromProcess {
  readonly reports: readonly Report[];
  /** Undefined before the model is loaded. */
  readonly status: ProcessStatus | undefined;
}

/** An error on its way to the other process. */
export type SentError =
  | {
      readonly kind: 'app';
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: AppErrorDetails;
    }
  | { readonly kind: 'device-full' | 'other'; readonly message: string; readonly stack?: string | undefined };

export function toSentError(error: unknown): SentError {
  if (error instanceof AppError) {
    const { code, message, param, retryAfterSeconds, cause } = error;
    const details = {
      ...(param !== null && { param }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      ...(cause !== undefined && { cause: cause instanceof Error ? cause.stack : messageOf(cause) }),
    };
    return { kind: 'app', code, message, details };
  }
  const kind = error instanceof DeviceFullError ? 'device-full' : 'other';
  return { kind, message: messageOf(error), stack: error instanceof Error ? error.stack : undefined };
}

export function fromSentError(sent: SentError): Error {
  if (sent.kind === 'app') return new AppError(sent.code, sent.message, sent.details);
  const error = sent.kind === 'device-full' ? new DeviceFullError(sent.message) : new Error(sent.message);
  if (sent.stack !== undefined) error.stack = sent.stack;
  return error;
}

/** The end of some work, with its error, if it failed, made fit to be sent. */
export const toSentEnd = (end: unknown): unknown =>
  typeof end === 'object' && end !== null && 'error' in end ? { ...end, error: toSentError(end.error) } : end;

/** The end of some work as `toSentEnd` was given it. */
export const fromSentEnd = (end: unknown): unknown =>
  typeof end === 'object' && end !== null && 'error' in end
    ? { ...end, error: fromSentError(end.error as SentError) }
    : end;
