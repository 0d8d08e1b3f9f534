import { Ajv2020 } from 'ajv/dist/2020.js';

interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

interface DocumentedOperation {
  readonly requestBody?: { readonly content: Readonly<Record<string, object>> };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly headers: Readonly<Record<string, { readonly required?: boolean }>>;
  };
}

export interface RequestLine {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
}

export interface ResponseHead extends RequestLine {
  readonly status: number;
  readonly headers: Headers;
}

/** The kind of a documented body, and a function that names the problem of one, or of one event of a stream. */
export type ExpectedBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'any' }
  | {
      readonly kind: 'json' | 'events' | 'lines';
      readonly findProblem: (value: unknown) => string | undefined;
    };

const kinds: Readonly<Record<string, 'events' | 'lines'>> = {
  'text/event-stream': 'events',
  'application/x-ndjson': 'lines',
};

/** Compares requests and responses with an OpenAPI document. */
export class DocumentChecker {
  readonly #document: OpenApiDocument;
  readonly #patterns: ReturnType<typeof toPatterns>;
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#patterns = toPatterns(Object.keys(document.paths));
    this.#ajv.addSchema(document, 'document');
  }

  /** The documented body of this response; throws an Error that names the problem of the rest of the response. */
  expectedBody({ method, path, status, headers }: ResponseHead): ExpectedBody {
    const found = this.#findOperation({ method, path });
    if (found === undefined) {
      if (method === 'OPTIONS' && status === 204) return { kind: 'none' };
      if (status < 400) throw new Error('it is no documented operation');
      const id = path.startsWith('/v1/messages')
        ? 'AnthropicError'
        : path.startsWith('/api/')
          ? 'OllamaError'
          : 'Error';
      return { kind: 'json', findProblem: this.#problemFinder('components', 'schemas', id) };
    }
    const { operation, place } = found;
    const response = operation.responses[status];
    if (response === undefined) throw new Error('the status is not documented');
    for (const header of Object.entries(response.headers ?? {})) this.#checkHeader(headers, header);
    const { content = {} } = response;
    if (method === 'HEAD' || Object.keys(content).length === 0) return { kind: 'none' };
    const mediaType = headers.get('content-type')?.split(';', 1)[0] ?? '';
    const body = content[mediaType];
    if (body === undefined) throw new Error(`the content type '${mediaType}' is not documented`);
    if (body.schema === undefined) return { kind: 'any' };
    return {
      kind: kinds[mediaType] ?? 'json',
      findProblem: this.#problemFinder(...place, 'responses', `${status}`, 'content', mediaType, 'schema'),
    };
  }

  /**
   * The problem of the JSON `body` of a request that was answered as a good one, undefined where it has none: a server
   * must not take more than it documents. A null is taken for nothing.
   */
  findRequestProblem(request: RequestLine, body: object): string | undefined {
    const { operation, place = [] } = this.#findOperation(request) ?? {};
    if (operation?.requestBody?.content['application/json'] === undefined) return 'no JSON is documented';
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
    return this.#problemFinder(...place, 'requestBody', 'content', 'application/json', 'schema')(given);
  }

  #checkHeader(headers: Headers, [name, { $ref }]: [string, { readonly $ref: string }]): void {
    const id = $ref.split('/').at(-1) ?? '';
    const isRequired = this.#document.components.headers[id]?.required === true;
    const findProblem = this.#problemFinder('components', 'headers', id, 'schema');
    const value = headers.get(name);
    if (value === null ? isRequired : findProblem(value) !== undefined) {
      throw new Error(`the header ${name} is not as documented: ${value}`);
    }
  }

  /** The operation and where it is in the document. */
  #findOperation({ method, path }: RequestLine) {
    const template = this.#patterns.find(({ pattern }) => pattern.test(path))?.template;
    if (template === undefined) return undefined;
    const name = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = this.#document.paths[template]?.[name];
    return operation === undefined ? undefined : { operation, place: ['paths', template, name] };
  }

  /** Says why a value does not fit the schema at `place` in the document; ajv compiles it once. */
  #problemFinder(...place: readonly string[]): (value: unknown) => string | undefined {
    const pointer = place.map((step) => encodeURIComponent(step.replaceAll('/', '~1'))).join('/');
    const validate = this.#ajv.getSchema(`document#/${pointer}`);
    if (validate === undefined) throw new Error(`there is no schema at ${pointer}`);
    return (value) =>
      validate(value) === true
        ? undefined
        : this.#ajv.errorsText(validate.errors ?? null, { dataVar: 'body' });
  }
}

/**
 * Patterns of paths, in the order in which they are to be tried. Parameters stand for one step of the path, or for
 * several where nothing else fits: ids of models have slashes in them.
 */
function toPatterns(templates: readonly string[]) {
  const literalChars = (template: string): number => template.replaceAll(/\{\w+\}/g, '').length;
  const mostLiteralFirst = templates.toSorted((one, other) => literalChars(other) - literalChars(one));
  return ['[^/]+', '.+'].flatMap((parameter) =>
    mostLiteralFirst.map((template) => {
      const source = template.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, parameter);
      return { template, pattern: new RegExp(`^${source}$`) };
    }),
  );
}
