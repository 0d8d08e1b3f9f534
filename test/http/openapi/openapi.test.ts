import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../../support/wire/error-envelope.ts';
import { adminKey, limitedKey, buildApp, listen, userKey } from '../../support/fakes/http-service.ts';
import type { Service } from '../../support/fakes/http-service.ts';

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly schema: { readonly $ref: string }; example?: object }>
    >;
  };
  readonly responses: Readonly<Record<string, object>>;
}

interface Document {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<
      Record<string, { readonly properties?: Readonly<Record<string, { readonly description?: string }>> }>
    >;
  };
}

let service: Service;
let text: string;
let document: Document;
beforeAll(async () => {
  service = await listen();
  text = await (await fetch(`${service.origin}/openapi.json`)).text();
  document = JSON.parse(text) as Document;
});
afterAll(() => service.close());

const operations = () => Object.values(document.paths).flatMap((item) => Object.values(item));

/** A compiler that refuses schemas with keywords that it does not know or that make no sense. */
function openStrictCompiler(): Ajv2020 {
  const options = { strict: true, strictRequired: false, allowUnionTypes: true, validateFormats: false };
  const { components } = document;
  return new Ajv2020(options).addKeyword('components').addSchema({ components }, 'document');
}

describe('/openapi.json', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    const result = await validator.validate(JSON.parse(text) as Record<string, unknown>);
    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('holds valid JSON schemas only', () => {
    const ajv = openStrictCompiler();
    for (const name of Object.keys(document.components.schemas))
      expect(() => ajv.compile({ $ref: `document#/components/schemas/${name}` }), name).not.toThrow();
    for (const { operationId, parameters } of operations())
      for (const { name, schema } of parameters)
        expect(() => ajv.compile(schema), `${operationId} ${name}`).not.toThrow();
  });

  it('describes every route that there is, and no other', () => {
    const routes = service.app.routes
      // Middlewares, and the handlers that refuse other methods.
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)(?:\{[^}]*\})?/g, '{$1}')}`);
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.length).toBeGreaterThan(10);
    expect(described.toSorted()).toEqual([...new Set(routes)].toSorted());
  });

  it('is in short in docs/api.md, which names the first step of each path below /v1', () => {
    const page = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
    const steps = Object.keys(document.paths).flatMap((path) => /^\/v1(\/\w+)/.exec(path)?.[1] ?? []);
    expect(steps).toContain('/chat');
    expect(steps.filter((step) => !page.includes(step))).toEqual([]);
  });

  it('names each operation once, in a section of its own list', () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const sections = document.tags.map(({ name }) => name);
    for (const { tags, summary } of operations()) {
      expect(sections).toEqual(expect.arrayContaining([...tags]));
      expect(summary).toMatch(/^[A-Z].*[^.]$/);
    }
  });

  it('describes the parameters of every path', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters } of Object.values(item))
        expect(parameters.filter(({ in: place }) => place === 'path').map(({ name }) => name)).toEqual(names);
    }
  });

  it('says of every field of a request for an answer what it means', () => {
    const routes = ['chat/completions', 'responses', 'messages', 'completions', 'embeddings', 'audio/speech'];
    for (const route of routes) {
      const { requestBody } = document.paths[`/v1/${route}`]?.['post'] ?? {};
      const [body] = Object.values(requestBody?.content ?? {});
      const { properties = {} } =
        document.components.schemas[body?.schema.$ref.split('/').at(-1) ?? ''] ?? {};
      expect(Object.keys(properties)).toContain('model');
      const mute = Object.entries(properties).filter(([, field]) => field.description === undefined);
      expect(mute.map(([name]) => name)).toEqual([]);
    }
  });

  it('has examples that fit', () => {
    const bodies = operations().flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
    expect(bodies.length).toBeGreaterThan(0);
    const ajv = openStrictCompiler();
    for (const { schema, example } of bodies) {
      if (example === undefined) continue;
      const validate = ajv.compile({ $ref: `document${schema.$ref}` });
      validate(example);
      expect(validate.errors, schema.$ref).toBeNull();
    }
  });

  it('has no component that nothing refers to', () => {
    for (const name of Object.keys(document.components.schemas))
      expect(text).toContain(`{"$ref":"#/components/schemas/${name}"}`);
  });

  it('is not sent to a client that has it', async () => {
    const url = `${service.origin}/openapi.json`;
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    const again = await fetch(url, { headers: { 'if-none-match': `"other", W/${etag}` } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    expect((await fetch(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });
});

it('names models in its examples to those who may know them', async () => {
  const { app } = buildApp();
  const chatModel = async (headers: Record<string, string> = {}) => {
    const { paths } = (await (await app.request('/openapi.json', { headers })).json()) as {
      paths: Record<
        string,
        { post: { requestBody: { content: Record<string, { example: { model: string } }> } } }
      >;
    };
    return paths['/v1/chat/completions']?.post.requestBody.content['application/json']?.example.model;
  };
  expect(await chatModel()).toBe('<chat model>');
  expect(await chatModel({ authorization: 'Bearer hk-unknown' })).toBe('<chat model>');
  expect(await chatModel({ authorization: `Bearer ${userKey}` })).toBe('tiny');
  expect(await chatModel({ authorization: `Bearer ${limitedKey}` })).toBe('org/slashed');
});

describe.each(['/openapi.json', '/docs', '/docs/theme.js'])('%s', (path) => {
  it('needs no key, from wherever it is asked for', async () => {
    const { app } = buildApp();
    expect((await app.request(path)).status).toBe(200);
    for (const key of [userKey, adminKey, 'hk-unknown'])
      expect((await app.request(path, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
  });

  it('is there to be read only', async () => {
    const response = await fetch(service.origin + path, { method: 'POST' });
    await expectError(response, 'method_not_allowed');
    expect(response.headers.get('allow')).toBe('GET, HEAD');
  });
});
