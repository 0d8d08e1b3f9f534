import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors/errors.ts';
import { expectError } from '../support/error-envelope.ts';
import { buildApp, chatRequest, hello } from '../support/http-service.ts';
import { wireTool } from '../support/wire-tools.ts';

const service = buildApp();
const ask = async (extra: object): Promise<Response> =>
  service.app.request(...chatRequest({ ...hello, ...extra }));
const schema = { type: 'object', properties: { age: { type: 'integer' } } };
const jsonSchema = (given: object, extra: object = {}) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'person', schema: given, ...extra } },
});

describe('what the engine is asked for', () => {
  it.each([
    { extra: { response_format: { type: 'text' } }, expected: undefined },
    { extra: { response_format: null }, expected: undefined },
    { extra: { response_format: { type: 'json_object' } }, expected: { kind: 'json-object' } },
    { extra: jsonSchema(schema), expected: { kind: 'json-schema', schema } },
    { extra: jsonSchema({}), expected: { kind: 'json-schema', schema: {} } },
    { extra: jsonSchema(schema, { strict: true, description: 'Who.' }), expected: { kind: 'json-schema', schema } },
    { extra: jsonSchema(schema, { strict: null, description: null }), expected: { kind: 'json-schema', schema } },
  ])('for $extra', async ({ extra, expected }) => {
    expect((await ask(extra)).status).toBe(200);
    expect(service.engine.lastCall.request.outputFormat).toEqual(expected);
  }); // prettier-ignore

  it('is tools and a format where both are given', async () => {
    await ask({ ...jsonSchema(schema), tools: [wireTool('f')] });
    expect(service.engine.lastCall.request).toMatchObject({
      outputFormat: { kind: 'json-schema' },
      tools: { definitions: [{ name: 'f' }] },
    });
  });
});

describe('what the engine ignores of schemas', () => {
  const ignoredFor = async (ignored: readonly string[], extra: object): Promise<string | null> => {
    service.engine.script = { steps: [{ text: '{}' }], ignored };
    const response = await ask({ ...jsonSchema(schema), ...extra });
    await response.text();
    return response.headers.get('x-ignored-parameters');
  };

  it.each([false, true])('is named by its path in the request (stream: %s)', async (stream) => {
    const ignored = ['schema.properties.age.mystery', 'tools[3].parameters.$defs.a.format'];
    expect(await ignoredFor(ignored, { stream })).toBe(
      'response_format.json_schema.schema.properties.age.mystery, tools[3].function.parameters.$defs.a.format',
    );
  });

  it('comes after unknown parameters', async () => {
    expect(await ignoredFor(['schema.x'], { mirostat: 2 })).toBe(
      'mirostat, response_format.json_schema.schema.x',
    );
  });

  it('cannot smuggle anything into the header, nor make it long', async () => {
    const nasty = Array.from(
      { length: 20 },
      (_, at) => `schema.a\r\nset-cookie: ${at}=, 日本 \ud800${'x'.repeat(500)}`,
    );
    const header = (await ignoredFor(nasty, {})) ?? '';
    expect(header).toMatch(/^[\w%.~!*'(),$@/[\] -]+$/);
    expect(header.length).toBeLessThan(2100);
    expect(header).toMatch(/, \.\.\.$/);
  });
});

describe('a schema that the engine cannot honour', () => {
  const path = 'response_format.json_schema.schema';
  it.each([
    { thrown: 'schema', param: path },
    { thrown: 'schema.properties.age.multipleOf', param: `${path}.properties.age.multipleOf` },
    { thrown: 'schema.schema.tools[0].parameters.x', param: `${path}.schema.tools[0].parameters.x` },
    { thrown: 'schema[0]', param: `${path}[0]` },
    { thrown: 'tools[12].parameters', param: 'tools[12].function.parameters' },
    { thrown: 'tools[0].parameters.anyOf[1].not', param: 'tools[0].function.parameters.anyOf[1].not' },
    { thrown: 'tools[0].parameters.$&', param: 'tools[0].function.parameters.$&' },
    { thrown: 'messages', param: 'messages' },
    { thrown: 'schemas.x', param: 'schemas.x' },
  ])('is refused at $param', async ({ thrown, param }) => {
    const error = new AppError('invalid_json_schema', 'The keyword cannot be honoured.', { param: thrown });
    for (const stream of [false, true]) {
      for (const before of [[{ fail: error }], [{ waitMs: 1 }, { fail: error }]]) {
        service.engine.script = { before, steps: [] };
        const message = await expectError(await ask({ ...jsonSchema(schema), stream }), 'invalid_json_schema', param);
        expect(message).toBe(error.message);
        expect(service.limiter.lastSettlement).toMatchObject({ status: 400, refundRequest: true });
      }
    }
  }); // prettier-ignore
});
