import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/errors.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { buildApp, chatRequest, hello, jsonRequest } from '../../support/fakes/http-service.ts';
import { wireTool } from '../../support/wire/wire-tools.ts';

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
    { extra: jsonSchema(schema, { strict: true, description: 'Who.' }), expected: { kind: 'json-schema', schema, strict: true } },
    { extra: jsonSchema(schema, { strict: null, description: null }), expected: { kind: 'json-schema', schema } },
    { extra: { response_format: { type: 'json_object', schema } }, expected: { kind: 'json-schema', schema } },
    { extra: { response_format: { type: 'json_schema', schema } }, expected: { kind: 'json-schema', schema } },
    { extra: { guided_json: schema }, expected: { kind: 'json-schema', schema } },
    { extra: { guided_json: JSON.stringify(schema) }, expected: { kind: 'json-schema', schema } },
    { extra: { guided_regex: 'a+' }, expected: { kind: 'regex', pattern: 'a+' } },
    { extra: { guided_choice: ['yes', 'no'] }, expected: { kind: 'choice', texts: ['yes', 'no'] } },
    { extra: { guided_grammar: 'root ::= "a"' }, expected: { kind: 'grammar', gbnf: 'root ::= "a"' } },
    { extra: { grammar: 'root ::= "a"' }, expected: { kind: 'grammar', gbnf: 'root ::= "a"' } },
    { extra: { json_schema: schema, grammar: '', response_format: { type: 'text' } }, expected: { kind: 'json-schema', schema } },
    { extra: { structured_outputs: { json: schema, regex: null } }, expected: { kind: 'json-schema', schema } },
    { extra: { structured_outputs: { regex: 'a+' } }, expected: { kind: 'regex', pattern: 'a+' } },
    { extra: { structured_outputs: { choice: ['a'] } }, expected: { kind: 'choice', texts: ['a'] } },
    { extra: { structured_outputs: { grammar: 'root ::= "a"' } }, expected: { kind: 'grammar', gbnf: 'root ::= "a"' } },
    { extra: { structured_outputs: { json_object: true } }, expected: { kind: 'json-object' } },
    { extra: { structured_outputs: { json_object: false } }, expected: undefined },
  ])('for $extra', async ({ extra, expected }) => {
    expect((await ask(extra)).status).toBe(200);
    expect(service.engine.lastCall.request.outputFormat).toEqual(expected);
    const completion = await service.app.request(...jsonRequest('/v1/completions', { model: 'tiny', prompt: 'a', ...extra }));
    expect(completion.status).toBe(200);
    expect(service.engine.lastCall.request.outputFormat).toEqual(expected);
  }); // prettier-ignore

  it.each([
    [{ guided_json: schema, guided_regex: 'a' }, 'invalid_value', 'guided_regex'],
    [{ ...jsonSchema(schema), structured_outputs: { choice: ['a'] } }, 'invalid_value', 'structured_outputs.choice'],
    [{ response_format: { type: 'json_schema' } }, 'missing_required_parameter', 'response_format.json_schema'],
    [{ response_format: { type: 'json_schema', schema: 1 } }, 'invalid_type', 'response_format.schema'],
    [{ guided_json: '{' }, 'invalid_value', 'guided_json'],
    [{ guided_json: '[]' }, 'invalid_type', 'guided_json'],
    [{ guided_choice: [] }, 'invalid_value', 'guided_choice'],
    [{ guided_choice: ['a', ''] }, 'invalid_value', 'guided_choice[1]'],
    [{ guided_regex: 7 }, 'invalid_type', 'guided_regex'],
    [{ grammar: 'x'.repeat(131_073) }, 'request_too_large', null],
    [{ structured_outputs: { structural_tag: '{}' } }, 'unsupported_value', 'structured_outputs.structural_tag'],
    [{ structured_outputs: { whitespace_pattern: ' ' } }, 'unsupported_value', 'structured_outputs.whitespace_pattern'],
    [{ structured_outputs: { regexp: 'a' } }, 'unsupported_value', 'structured_outputs.regexp'],
  ] as const)('is nothing for %j', async (extra, code, param) => {
    await expectError(await ask(extra), code, param);
  }); // prettier-ignore

  it('is tools and a format where both are given', async () => {
    await ask({ ...jsonSchema(schema), tools: [wireTool('f')] });
    expect(service.engine.lastCall.request).toMatchObject({
      outputFormat: { kind: 'json-schema' },
      tools: { definitions: [{ name: 'f' }] },
    });
  });
});

it.each([
  [{ guided_regex: 'a(' }, 'guided_regex'],
  [{ structured_outputs: { grammar: 'root ::=' } }, 'structured_outputs.grammar'],
  [{ response_format: { type: 'json_object', schema } }, 'response_format.schema'],
  [{ response_format: { type: 'json_object', value: schema } }, 'response_format.value'],
])('what the engine refuses of %j is named where it was sent', async (extra, param) => {
  const error = new AppError('invalid_value', 'It cannot be used.', { param: 'schema' });
  service.engine.script = { before: [{ fail: error }], steps: [] };
  await expectError(await ask(extra), 'invalid_value', param);
  const completion = jsonRequest('/v1/completions', { model: 'tiny', prompt: ['a', 'b'], ...extra });
  await expectError(await service.app.request(...completion), 'invalid_value', param);
});

describe('what the engine ignores of schemas', () => {
  const ignoredFor = async (ignored: readonly string[], extra: object): Promise<string | null> => {
    service.engine.script = { steps: [{ text: '{}' }], ignored };
    const response = await ask({ ...jsonSchema(schema), ...extra });
    await response.text();
    return response.headers.get('x-ignored-parameters');
  };

  it.each([false, true])('is named by its path in the request (stream: %s)', async (stream) => {
    const ignored = ['schema.properties.age.mystery', 'tools[1].parameters.$defs.a.format'];
    const tools = [wireTool('f'), wireTool('g')];
    expect(await ignoredFor(ignored, { stream, tools })).toBe(
      'response_format.json_schema.schema.properties.age.mystery, tools[1].function.parameters.$defs.a.format',
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
    const tools = Array.from({ length: 13 }, (_, at) => wireTool(`f${at}`));
    for (const stream of [false, true]) {
      for (const before of [[{ fail: error }], [{ waitMs: 1 }, { fail: error }]]) {
        service.engine.script = { before, steps: [] };
        const message = await expectError(await ask({ ...jsonSchema(schema), tools, stream }), 'invalid_json_schema', param);
        expect(message).toBe(error.message);
        expect(service.limiter.lastSettlement).toMatchObject({ status: 400, refundRequest: true });
      }
    }
  }); // prettier-ignore
});
