import type { UpstreamResponse } from '../http/decoded.ts';
import { AddressFailure, cleanText, type Refusal } from '../failures.ts';
import { readWhole } from '../http/read-body.ts';
import { fieldsOf, parseFields, type Fields } from './json.ts';

const mostErrorBytes = 2 ** 20;
const errorTimeoutMs = 10_000;
const longestRetrySeconds = 600;
/** Statuses that are about the request and not about the server. */
const refusals: ReadonlySet<number> = new Set([400, 413, 415, 422, 501]);

/** The error of an upstream that says what is wrong with a request. */
export class RefusedError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** The error of an answer that is not 200: RefusedError where the request is wrong, else AddressFailure. */
export async function readError(
  response: UpstreamResponse,
  secret: string | undefined,
): Promise<RefusedError | AddressFailure> {
  const { statusCode: status = 0, headers } = response;
  const text = await readWhole(response, mostErrorBytes, errorTimeoutMs);
  let body: Fields = {};
  try {
    body = parseFields(text);
  } catch {
    // Proxies answer with pages of HTML, which tell a client nothing.
  }
  return toError(body, status, secret, Number(headers['retry-after']));
}

/** The error inside of an answer whose status is 200. */
export function errorInside(body: Fields, secret: string | undefined): RefusedError | AddressFailure {
  const { code, status, type } = fieldsOf(body['error']) ?? body;
  const number = [status, code].find((value) => Number.isInteger(value));
  const isAboutRequest = /^(?:invalid_request_error|BadRequestError)$/.test(String(type));
  return toError(body, typeof number === 'number' ? number : isAboutRequest ? 400 : 500, secret);
}

function toError(
  body: Fields,
  status: number,
  secret: string | undefined,
  retrySeconds = Number.NaN,
): RefusedError | AddressFailure {
  const { code, type, param } = fieldsOf(body['error']) ?? body;
  if (refusals.has(status)) {
    const message = cleanText(messageOf(body), secret);
    return new RefusedError({ status, message, code, type, param });
  }
  // This goes into the log, so it must not hold the text: servers repeat prompts in it.
  const told = [`status ${status}`, ...[code, type].filter(isName)].join(', ');
  if (status === 429 || status === 503) {
    const retryAfterSeconds = retrySeconds >= 1 ? Math.min(retrySeconds, longestRetrySeconds) : undefined;
    return new AddressFailure('busy', told, { retryAfterSeconds });
  }
  return new AddressFailure(status >= 300 && status < 500 ? 'misconfigured' : 'faulty', told);
}

const isName = (value: unknown): value is string => typeof value === 'string' && /^\w{1,64}$/.test(value);

/** The text of an error, in any of the forms that servers have for it; '' where there is none. */
function messageOf(body: Fields): string {
  const error = body['error'] ?? body;
  if (typeof error === 'string') return error;
  const { message, detail } = fieldsOf(error) ?? {};
  // FastAPI has a list of complaints.
  const first: unknown = Array.isArray(detail) ? fieldsOf(detail[0])?.['msg'] : detail;
  return [message, first].find((text) => typeof text === 'string') ?? '';
}
