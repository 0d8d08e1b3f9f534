import { AppError } from '../../errors/errors.ts';
import { overloaded } from '../../errors/unavailable.ts';
import { MemoryInUseError, type LoadPlan, type PooledModel } from './loadable.ts';
import { formatMemory, type MemoryUse } from './memory-use.ts';

/** The error of a model that needs more memory than all models may take together. */
export function neverFits(id: string, plan: LoadPlan<PooledModel>, budget: MemoryUse): AppError {
  const needed = formatMemory(plan.memory);
  const text = `The model '${id}' needs about ${needed}, but models may take ${formatMemory(budget)} here.`;
  return new AppError('model_load_failed', `${text} ${plan.remedy}`);
}

/** The error for all callers of a model that could not be loaded because of `cause`. */
export function toFailure(id: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  if (cause instanceof MemoryInUseError) return overloaded(cause.message, 0, cause);
  return new AppError('model_load_failed', `The model '${id}' cannot be loaded: ${messageOf(cause)}`, {
    cause,
  });
}

/** The error of a model that is not loaded again for a while because it was lost too often. */
export function keepsCrashing(id: string, cause: Error): AppError {
  const text = `The model '${id}' keeps failing: ${messageOf(cause)} It is not loaded again for a while.`;
  return new AppError('model_load_failed', text, { cause });
}

/** The failure for one caller, with the time that is left until the next try. */
export function untilRetry(failure: AppError, retryAtMs: number): AppError {
  const { code, message, param, cause } = failure;
  const retryAfterSeconds = Math.max(1, Math.ceil((retryAtMs - Date.now()) / 1000));
  return new AppError(code, message, { ...(param !== null && { param }), retryAfterSeconds, cause });
}

/** The first line of the error, without paths, since clients see it. */
function messageOf(cause: unknown): string {
  const [line = 'unknown reason'] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  const text = line.replaceAll(/(?:[A-Za-z]:)?[/\\][^\s'"]+[/\\]/g, '');
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
