import type { z } from 'zod';
import type { AppError, ErrorCode, errorTable } from '../errors/errors.ts';

/** The keys and errors of a group of routes that another API defined, in place of OpenAI's. */
export interface Dialect {
  /** A header in which the key may come, besides `Authorization: Bearer`. */
  readonly keyHeader?: string;
  /** A header of every response that repeats `x-request-id`. */
  readonly requestIdHeader?: string;
  /** The component of the OpenAPI document that describes the bodies of `toErrorBody`. */
  readonly errorBody: z.ZodType;
  toErrorBody(error: AppError, requestId: string): object;
  /** The HTTP status of an error; 529 is Anthropic's for an overloaded server. */
  toStatus(code: ErrorCode): (typeof errorTable)[ErrorCode]['status'] | 529;
}
