/** nginx's status for a client that left before it got its answer. */
export const clientClosedRequest = 499;

interface ErrorRow {
  readonly status: 400 | 401 | 402 | 403 | 404 | 405 | 413 | 415 | 416 | 429 | 500 | 502 | 503;
  readonly type:
    | 'invalid_request_error'
    | 'authentication_error'
    | 'permission_error'
    | 'rate_limit_error'
    | 'insufficient_quota'
    | 'server_error';
  readonly retryable: boolean;
}

const invalidRequest = (status: ErrorRow['status'] = 400): ErrorRow => ({
  status,
  type: 'invalid_request_error',
  retryable: false,
});
const unavailable: ErrorRow = { status: 503, type: 'server_error', retryable: true };

/** The one table of public errors: a code that has no row here cannot be thrown. */
export const errorTable = {
  missing_api_key: { status: 401, type: 'authentication_error', retryable: false },
  invalid_api_key: { status: 401, type: 'authentication_error', retryable: false },
  invalid_sign_in_code: { status: 401, type: 'authentication_error', retryable: false },
  invalid_invitation: { status: 403, type: 'permission_error', retryable: false },
  insufficient_permissions: { status: 403, type: 'permission_error', retryable: false },
  invalid_json: invalidRequest(),
  missing_required_parameter: invalidRequest(),
  invalid_type: invalidRequest(),
  invalid_value: invalidRequest(),
  unsupported_value: invalidRequest(),
  unknown_parameter: invalidRequest(),
  context_length_exceeded: invalidRequest(),
  invalid_json_schema: invalidRequest(),
  schema_too_complex: invalidRequest(),
  unsupported_content: invalidRequest(),
  unsupported_file: invalidRequest(),
  invalid_audio: invalidRequest(),
  audio_too_long: invalidRequest(),
  invalid_image: invalidRequest(),
  invalid_document: invalidRequest(),
  previous_response_not_found: invalidRequest(),
  model_not_found: invalidRequest(404),
  not_found: invalidRequest(404),
  method_not_allowed: invalidRequest(405),
  request_too_large: invalidRequest(413),
  unsupported_media_type: invalidRequest(415),
  range_not_satisfiable: invalidRequest(416),
  rate_limit_exceeded: { status: 429, type: 'rate_limit_error', retryable: true },
  insufficient_quota: { status: 402, type: 'insufficient_quota', retryable: false },
  server_overloaded: unavailable,
  storage_unavailable: unavailable,
  model_loading: unavailable,
  model_load_failed: unavailable,
  model_unavailable: unavailable,
  server_shutting_down: unavailable,
  not_ready: unavailable,
  pull_failed: unavailable,
  model_broken: { status: 503, type: 'server_error', retryable: false },
  request_cancelled: { status: 503, type: 'server_error', retryable: false },
  upstream_error: { status: 502, type: 'server_error', retryable: true },
  engine_error: { status: 500, type: 'server_error', retryable: true },
  internal_error: { status: 500, type: 'server_error', retryable: true },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

export interface AppErrorDetails {
  /** Path of the offending request parameter, such as `messages[0].content`. */
  readonly param?: string;
  /** Whole seconds after which the client may try again; sent as `Retry-After`. At least 1. */
  readonly retryAfterSeconds?: number;
  /** Further response headers, such as `Allow` or `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The error behind it, which goes to the log, never to the client. */
  readonly cause?: unknown;
}

/** An error that a client may see: its message is public, its cause is not. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, details: AppErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.param = details.param ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.headers = details.headers ?? {};
  }

  get status(): ErrorRow['status'] {
    return errorTable[this.code].status;
  }
}

/** An invalid_value error of the parameter `param`; `message` is whole sentences. */
export const invalidValue = (param: string, message: string): AppError =>
  new AppError('invalid_value', message, { param });

export interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: ErrorRow['type'];
    readonly param: string | null;
    readonly code: ErrorCode;
  };
}

/** The JSON envelope of `error`; anything that is not an AppError becomes a fixed internal_error text. */
export function toErrorBody(error: AppError): ErrorBody {
  const { type } = errorTable[error.code];
  return { error: { message: error.message, type, param: error.param, code: error.code } };
}

/** `error` itself when it is public already, else an internal_error that hides it behind `requestId`. */
export function toAppError(error: unknown, requestId: string): AppError {
  if (error instanceof AppError) return error;
  return new AppError(
    'internal_error',
    `The server failed to handle this request. Report it with the request id ${requestId}.`,
    { cause: error },
  );
}
