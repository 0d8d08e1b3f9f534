import { AppError, errorTable, type ErrorCode } from '../../errors/errors.ts';
import { overloaded } from '../../errors/unavailable.ts';

/**
 * `unreachable`: no connection. `silent`: a connection, but no answer or not all of it. `misconfigured`: the server
 * refuses hearth itself. `busy`: it has no room now. `faulty`: it answered with something that is no answer.
 */
export type FailureKind = 'unreachable' | 'silent' | 'misconfigured' | 'busy' | 'faulty';

/** A request that an address did not serve. Its message is for the operator, so it may name the address. */
export class AddressFailure extends Error {
  override readonly name = 'AddressFailure';
  readonly kind: FailureKind;
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: FailureKind, message: string, { retryAfterSeconds, cause }: FailureDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface FailureDetails {
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** The answer of an upstream is no valid answer. `what` is a part of a sentence such as `it has no choices`. */
export const invalidAnswer = (what: string): AddressFailure =>
  new AddressFailure('faulty', `its answer is not valid: ${what}`);

const defaultRetrySeconds = 5;

/** The client's error when no address has served its request. */
export function toClientError(failure: AddressFailure, retryAfterSeconds = defaultRetrySeconds): AppError {
  switch (failure.kind) {
    case 'busy':
      return overloaded(
        'The server that runs this model has no room.',
        (failure.retryAfterSeconds ?? 1) * 1000,
        failure,
      );
    case 'faulty':
      return new AppError(
        'upstream_error',
        'The server that runs this model failed, or sent no valid answer. Try again later, or tell the operator.',
        { cause: failure },
      );
    case 'unreachable':
    case 'silent':
    case 'misconfigured': {
      const what = failure.kind === 'misconfigured' ? 'does not serve it' : 'does not answer';
      return new AppError(
        'model_unavailable',
        `The server that runs this model ${what} now. Try again later.`,
        { retryAfterSeconds, cause: failure },
      );
    }
    default:
      return failure.kind satisfies never;
  }
}

/** The client's error when an answer breaks off that has begun. */
export function brokenOff(failure: AddressFailure): AppError {
  return new AppError(
    'upstream_error',
    'The answer broke off: the server that runs this model failed. Try again.',
    { cause: failure },
  );
}

/** Codes of errors about the request that may be passed on as they are, where an upstream uses the same ones. */
function isRequestCode(code: unknown): code is ErrorCode {
  return (
    typeof code === 'string' &&
    Object.hasOwn(errorTable, code) &&
    [400, 413].includes(errorTable[code as ErrorCode].status) &&
    code !== 'previous_response_not_found'
  );
}

const codesByStatus: Readonly<Record<number, ErrorCode>> = {
  413: 'request_too_large',
  501: 'unsupported_value',
};
const contextWords = /context (?:length|size|window)|maximum context|exceed_context|too many tokens/i;

/** An upstream's words about a request that it refuses. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly code: unknown;
  readonly type: unknown;
  readonly param: unknown;
}

/**
 * The client's own error for a request that the upstream refuses. `toParam` gives the engine's name of a parameter;
 * `promptParam` is that of the prompt.
 */
export function refusedByUpstream(
  { status, message, code, type, param }: Refusal,
  toParam: (param: string) => string,
  promptParam: string,
): AppError {
  const isTooLong = code === 'context_length_exceeded' || contextWords.test(`${String(type)} ${message}`);
  const known = isRequestCode(code) ? code : (codesByStatus[status] ?? 'invalid_value');
  const named = typeof param === 'string' && /^[\w.[\]-]{1,200}$/.test(param) ? toParam(param) : undefined;
  const place = named ?? (isTooLong ? promptParam : undefined);
  return new AppError(
    isTooLong ? 'context_length_exceeded' : known,
    `The server that runs this model refuses the request: ${message}`,
    place === undefined ? {} : { param: place },
  );
}

const mostCharacters = 300;

/** A text of an upstream that a client or an operator may read: one short line without addresses, paths and `secret`. */
export function cleanText(text: string, secret: string | undefined): string {
  const plain = text
    .slice(0, 10 * mostCharacters)
    .toWellFormed()
    .replaceAll(secret || '\0', '…')
    .replaceAll(/\b[a-z][a-z+.-]*:\/\/\S+/gi, '…')
    .replaceAll(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, '…')
    .replaceAll(/(?<![\w.])(?:[A-Za-z]:)?[/\\][^\s'"]+[/\\]/g, '…')
    // oxlint-disable-next-line no-control-regex -- control characters must not get out
    .replaceAll(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .trim();
  if (plain === '') return 'it says nothing about why.';
  const short = plain.length > mostCharacters ? `${plain.slice(0, mostCharacters).toWellFormed()}…` : plain;
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}
