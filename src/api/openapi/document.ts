import type { z } from 'zod';
import { AppError, errorTable, type ErrorCode } from '../../errors/errors.ts';
import { packageVersion } from '../../config/package-version.ts';
import type { Dialect } from '../dialect.ts';
import { openAiDialect } from '../middleware/speak.ts';
import type { JsonObject } from '../env.ts';
import { fieldWords } from './field-words.ts';
import { components, toComponentSchemas, toJsonSchema } from './json-schema.ts';
import { errorCodesOf, tags, type Answer, type Operation, type RequestBody } from './operation.ts';

const description = `\
An OpenAI-style API in front of models that run on this machine.

A parameter that is known and cannot be honoured is an error. A name that nearly is a known one is an error too; any other
is listed in the response header \`x-ignored-parameters\`. \`null\` for an optional parameter is the same as leaving it out.
Answers that count against a key's limits carry \`x-ratelimit-*\` headers for whatever its plan limits: what
is left after their own charge where they come in one piece, and before it where they are streamed.`;

/** The OpenAPI 3.1 document of `operations`. */
export function buildDocument(operations: readonly Operation[]): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  const isOther = ({ path }: Operation) => Number(!path.startsWith('/v1/'));
  // Readers meet OpenAI's routes first.
  for (const operation of operations.toSorted((one, other) => isOther(one) - isOther(other))) {
    const item = (paths[operation.path] ??= {});
    item[operation.method.toLowerCase()] = toOperationObject(operation);
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'hearth',
      version: packageVersion,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: Object.entries(tags)
      .filter(([name]) => operations.some(({ tag }) => tag === name))
      .map(([name, text]) => ({ name, description: text })),
    paths,
    components: {
      schemas: withFieldWords(toComponentSchemas(), operations),
      headers: {
        RequestId: {
          description: 'Of this request in the log of the server; a sane one of the client is kept.',
          required: true,
          schema: { type: 'string', minLength: 1 },
        },
        RetryAfter: {
          description: 'Whole seconds after which the same request can succeed.',
          schema: { type: 'string', pattern: '^[1-9][0-9]*$' },
        },
      },
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `hk-…`' },
        adminKey: { type: 'http', scheme: 'bearer', description: 'A key of the operator: `hk-admin-…`' },
        ...toHeaderSchemes(operations),
      },
    },
  };
}

/** `schemas`, in which fields of the bodies of requests that say nothing of themselves have the words of their names. */
function withFieldWords(
  schemas: Readonly<Record<string, JsonObject>>,
  operations: readonly Operation[],
): JsonObject {
  const bodies = new Set(operations.map(({ body }) => body && components.get(body.schema)?.id));
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => [id, bodies.has(id) ? described(schema) : schema]),
  );
}

function described(schema: JsonObject): JsonObject {
  const { properties } = schema as { readonly properties?: Readonly<Record<string, JsonObject>> };
  if (properties === undefined) return schema;
  const fields = Object.entries(properties).map(([name, field]) => {
    const text = fieldWords[name];
    return [name, text === undefined ? field : { description: text, ...field }] as const;
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}

/** The headers in which some routes take keys as well. */
function toHeaderSchemes(operations: readonly Operation[]): JsonObject {
  const headers = new Set(operations.flatMap(({ dialect }) => dialect?.keyHeader ?? []));
  return Object.fromEntries([...headers].map((name) => [name, { type: 'apiKey', in: 'header', name }]));
}

const securityOf = {
  user: [{ apiKey: [] }],
  admin: [{ adminKey: [] }],
  'this-machine': [{}, { apiKey: [] }, { adminKey: [] }],
  anyone: [{}],
} as const satisfies Record<Operation['access'], readonly JsonObject[]>;

function toOperationObject(operation: Operation): JsonObject {
  const { id, tag, summary, description: text, access, body, dialect = openAiDialect } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(text !== undefined && { description: text }),
    security: [
      ...securityOf[access],
      ...(dialect.keyHeader === undefined ? [] : [{ [dialect.keyHeader]: [] }]),
    ],
    parameters: [...toPathParameters(operation), ...toQueryParameters(operation)],
    ...(body !== undefined && { requestBody: toRequestBody(body) }),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.responses).map(([status, answer]) => [status, toResponse(answer)]),
      ),
      ...toErrorResponses(errorCodesOf(operation), dialect),
    },
  };
}

function toPathParameters({ pathParameters = {} }: Operation): JsonObject[] {
  return Object.entries(pathParameters).map(([name, text]) => ({
    name,
    in: 'path',
    required: true,
    description: text,
    schema: { type: 'string' },
  }));
}

function toQueryParameters({ query }: Operation): JsonObject[] {
  return Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !schema.safeParse(undefined).success,
    schema: toJsonSchema(schema),
  }));
}

function toRequestBody({ schema, mediaType = 'application/json', optional = false, example }: RequestBody) {
  return {
    required: !optional,
    content: { [mediaType]: { schema: refer(schema), ...(example !== undefined && { example }) } },
  };
}

function toResponse({ description: text, content = {} }: Answer): JsonObject {
  return {
    description: text,
    headers: { 'x-request-id': requestIdHeader },
    content: Object.fromEntries(
      Object.entries(content).map(([mediaType, schema]) => [
        mediaType,
        schema === null ? {} : { schema: refer(schema) },
      ]),
    ),
  };
}

/** One response for each status among `codes`, with the codes of that status. */
function toErrorResponses(codes: readonly ErrorCode[], dialect: Dialect): JsonObject {
  const byStatus = Map.groupBy(codes, (code) => dialect.toStatus(code));
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [status, toErrorResponse(ofStatus, dialect)]),
  );
}

function toErrorResponse(codes: readonly ErrorCode[], dialect: Dialect): JsonObject {
  const isRetryable = codes.some((code) => errorTable[code].retryable);
  // Other dialects do not tell hearth's codes.
  const ofCodes = { properties: { error: { properties: { code: { enum: codes } } } } };
  const schemas = [
    refer(dialect.errorBody),
    ...(dialect.errorBody === openAiDialect.errorBody ? [ofCodes] : []),
  ];
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: {
      'x-request-id': requestIdHeader,
      ...(isRetryable && { 'retry-after': { $ref: '#/components/headers/RetryAfter' } }),
    },
    content: {
      'application/json': {
        schema: { allOf: schemas },
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: dialect.toErrorBody(new AppError(code, '…'), 'req_…') }]),
        ),
      },
    },
  };
}

const requestIdHeader = { $ref: '#/components/headers/RequestId' };

function refer(schema: z.ZodType): JsonObject {
  // Without a name a generated client could not name the type.
  if (!components.has(schema)) throw new TypeError('the schema of a body is no component');
  return toJsonSchema(schema);
}
