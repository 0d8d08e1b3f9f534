import { z } from 'zod';
import { errorTable, type AppError, type ErrorCode } from '../../errors/errors.ts';
import type { Dialect } from '../dialect.ts';
import { namedObject } from '../openapi/json-schema.ts';

/** Anthropic's types of errors, for the statuses that have one of their own. */
const types = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  502: 'api_error',
  503: 'api_error',
  529: 'overloaded_error',
} as const;

export const anthropicError = namedObject('AnthropicError', {
  type: z.literal('error'),
  error: z.strictObject({
    type: z.enum(['invalid_request_error', ...Object.values(types)]),
    message: z.string().min(1).describe('What is wrong and what to do about it.'),
    details: z.strictObject({ error_code: z.literal('thread_unsupported_request') }).optional(),
  }),
  request_id: z.string().min(1),
});

export const anthropicDialect: Dialect = {
  keyHeader: 'x-api-key',
  requestIdHeader: 'request-id',
  errorBody: anthropicError,
  toErrorBody: toAnthropicError,
  toStatus,
};

export function toAnthropicError(error: AppError, requestId: string): z.output<typeof anthropicError> {
  const status = toStatus(error.code);
  const type = status in types ? types[status as keyof typeof types] : 'invalid_request_error';
  // By this Anthropic's client knows that it must send the whole conversation each time.
  const details = error.param === 'thread' && {
    details: { error_code: 'thread_unsupported_request' as const },
  };
  return { type: 'error', error: { type, message: toMessage(error), ...details }, request_id: requestId };
}

/** The message names the parameter, because the body has no other place for that. */
function toMessage({ code, message, param }: AppError): string {
  if (code === 'context_length_exceeded') return toTooLong(message);
  return param === null || message.includes(`'${param}'`) ? message : `${param}: ${message}`;
}

/** Claude Code looks for these words and both numbers, and then has the conversation summarised. */
function toTooLong(message: string): string {
  const counts = (message.match(/\d+/g) ?? []).map(Number);
  const numbers = `${Math.max(...counts)} tokens > ${Math.min(...counts)} maximum. `;
  return `prompt is too long: ${counts.length < 2 ? '' : numbers}${message}`;
}

function toStatus(code: ErrorCode) {
  return code === 'server_overloaded' ? 529 : errorTable[code].status;
}
