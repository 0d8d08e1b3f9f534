import type { z } from 'zod';
import type { ErrorCode } from '../../errors/errors.ts';
import type { Dialect } from '../dialect.ts';
import type { JsonObject } from '../env.ts';

/** Sections of the reference, in their order. */
export const tags = {
  Models: 'Which models there are, and what each can do.',
  Chat: 'Answers to conversations.',
  Messages: "The same by Anthropic's Messages API.",
  Responses: 'Answers that can be kept, and continued.',
  Completions: 'Texts continued.',
  Embeddings: 'Texts as vectors.',
  Reranking: 'Texts in the order of their relevance to a query.',
  Tokens: 'Texts as the tokens of a model.',
  Audio: 'Speech as text, and texts spoken.',
  Tools: 'The models as tools of an agent.',
  Batches: 'Many requests in a file, computed when nobody waits.',
  Ollama: 'For programs that speak Ollama\'s API. Its errors are `{"error": "…"}`.',
  Administration: 'Accounts, keys, plans and usage. For admin keys.',
  Service:
    'The server itself. No key is needed; for `/readyz` and `/metrics` from the machine that it runs on.',
} as const;

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * The description of one route in the OpenAPI document. It stands beside the route, in `operation.ts` where that is
 * long, and is collected in `operations.ts`. A test fails if a route has none, and the tests compare every response with
 * it. The errors that follow from `access`, `body` and `query` are added to `errors`.
 */
interface RouteDescription {
  /** Method and path, with parameters in braces: `GET /v1/models/{id}`. */
  readonly route: `${Method} ${string}`;
  /** The route stands without `/v1` as well. */
  readonly isAtRoot?: true;
  readonly summary: string;
  readonly description?: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly query?: z.ZodObject;
  readonly body?: RequestBody;
  /** With the status 200. */
  readonly answer?: Answer;
  /** Others without error, by status. */
  readonly responses?: Readonly<Record<number, Answer>>;
  readonly errors?: readonly ErrorCode[];
  /** Where it is another than that of the room. */
  readonly access?: Access;
}

/** The key that a route needs; `this-machine`: any, and none from the same machine. */
type Access = 'user' | 'admin' | 'this-machine' | 'anyone';

/** A description with all that its room says. */
export interface Operation extends Omit<RouteDescription, 'route' | 'isAtRoot' | 'answer'> {
  readonly id: string;
  readonly tag: keyof typeof tags;
  readonly access: Access;
  /** Whose errors and keys the route has, if not OpenAI's. */
  readonly dialect?: Dialect | undefined;
  readonly method: Method;
  readonly path: string;
  /** By status, without errors. */
  readonly responses: Readonly<Record<number, Answer>>;
}

/** The operations of the routes of a room, which are described by their ids: the names that generated clients have. */
export function operationsOf(
  [tag, access, dialect]: readonly [Operation['tag'], Access, Dialect?],
  described: Readonly<Record<string, RouteDescription>>,
): readonly Operation[] {
  return Object.entries(described).flatMap(([id, { route, answer, responses, isAtRoot, ...rest }]) => {
    const [method, path] = route.split(' ') as [Method, string];
    const all = { ...(answer && { 200: answer }), ...responses };
    const operation = { tag, access, dialect, ...rest, id, method, path, responses: all };
    const atRoot = { ...operation, path: path.replace('/v1', ''), id: `${id}AtRoot` };
    return isAtRoot === true ? [operation, atRoot] : [operation];
  });
}

export interface RequestBody {
  /** A component. */
  readonly schema: z.ZodType;
  /** Default: `application/json`. */
  readonly mediaType?: 'application/json' | 'multipart/form-data';
  /** Whether the body may be left out; default: false. */
  readonly optional?: boolean;
  readonly example?: JsonObject;
}

export interface Answer {
  readonly description: string;
  /** Components by media type; null: no JSON. For `text/event-stream`: the `data` of each event, errors included. */
  readonly content?: Readonly<Record<string, z.ZodType | null>>;
}

/** An answer of one JSON document, or with `events` of these as well. */
export const json = (schema: z.ZodType, description: string, events?: z.ZodType): Answer => ({
  description,
  content: { 'application/json': schema, ...(events && { 'text/event-stream': events }) },
});

export const eventsOf = (event: z.ZodType, description: string): Answer => ({
  description,
  content: { 'text/event-stream': event },
});

export const bytes = (mediaTypes: readonly string[], description: string): Answer => ({
  description,
  content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, null])),
});

/** The answer to a client that has the file already. */
export const notModified = { 304: { description: 'It is as the client has it.' } } as const;

export const modelErrors = [
  'model_not_found',
  'model_loading',
  'model_load_failed',
  'rate_limit_exceeded',
  'insufficient_quota',
  'server_overloaded',
  'model_broken',
  'request_cancelled',
  'model_unavailable',
  'upstream_error',
  'engine_error',
] as const satisfies readonly ErrorCode[];

export const attachmentErrors = [
  'unsupported_content',
  'invalid_image',
  'invalid_document',
  'invalid_audio',
] as const satisfies readonly ErrorCode[];

export const answerErrors = [
  ...modelErrors,
  'context_length_exceeded',
  'invalid_json_schema',
  'schema_too_complex',
  ...attachmentErrors,
] as const satisfies readonly ErrorCode[];

/** All errors of `operation`, each code once. */
export function errorCodesOf({ access, body, query, errors = [] }: Operation): ErrorCode[] {
  const codes: ErrorCode[] = [...errors, 'internal_error'];
  if (access !== 'anyone') codes.push('missing_api_key', 'invalid_api_key');
  if (access === 'user' || access === 'admin')
    codes.push('insufficient_permissions', 'server_shutting_down', 'storage_unavailable');
  if (access === 'admin') codes.push('unknown_parameter');
  if (body !== undefined) codes.push('request_too_large', 'unsupported_media_type');
  if (body !== undefined && body.mediaType !== 'multipart/form-data') codes.push('invalid_json');
  if (body !== undefined || query !== undefined) codes.push(...parameterErrors);
  return [...new Set(codes)];
}

const parameterErrors = [
  'missing_required_parameter',
  'invalid_type',
  'invalid_value',
  'unsupported_value',
  'unknown_parameter',
] as const satisfies readonly ErrorCode[];
