import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors/errors.ts';
import { expectError } from '../support/wire/error-envelope.ts';
import { fakeCatalog, fakeModel } from '../support/fakes/fake-services.ts';
import { buildApp, jsonRequest, limitedKey } from '../support/fakes/http-service.ts';
import { wireTool } from '../support/wire/wire-tools.ts';

const service = buildApp();
const post = async (path: string, body: unknown, init?: RequestInit) =>
  service.app.request(...jsonRequest(path, body, init));
const model = 'tiny';

describe.each(['/tokenize', '/v1/tokenize'])('%s', (path) => {
  it.each([
    [{ content: 'ab' }, { addSpecial: false, parseSpecial: true }],
    [{ content: 'ab', add_special: true, parse_special: false }, { addSpecial: true, parseSpecial: false }],
    [{ prompt: 'ab' }, { addSpecial: true, parseSpecial: true }],
    [{ prompt: 'ab', add_special_tokens: false }, { addSpecial: false, parseSpecial: true }],
    [{ model: 'vectors', content: 'ab' }, { modelId: 'vectors' }],
  ])('reads %j', async (body, request) => {
    const response = await post(path, { model, ...body });
    expect(await response.json()).toEqual({ tokens: [97, 98], count: 2, max_model_len: 2048, token_strs: null });
    expect(service.engine.tokenizations.at(-1)).toMatchObject({ prompt: { kind: 'text', text: 'ab' }, ...request });
    expect(service.limiter.lastSettlement).toMatchObject({ status: 200, promptTokens: 0 });
  }); // prettier-ignore

  it('tells the text of each token, in either shape', async () => {
    const pieces = await post(path, { model, content: 'é', with_pieces: true });
    expect(await pieces.json()).toMatchObject({ tokens: [{ id: 233, piece: 'é' }] });
    const texts = await post(path, { model, prompt: 'ab', return_token_strs: true });
    expect(await texts.json()).toMatchObject({ tokens: [97, 98], token_strs: ['a', 'b'] });
  });

  it('reads a conversation as it would be answered', async () => {
    const messages = [{ role: 'user', content: 'Hi' }];
    const chat_template_kwargs = { date: 'today' };
    const response = await post(path, { model, messages, tools: [wireTool('f')], chat_template_kwargs });
    expect(await response.json()).toMatchObject({ count: 10 });
    expect(service.engine.tokenizations.at(-1)).toMatchObject({
      prompt: { kind: 'messages', messages },
      tools: { definitions: [{ name: 'f' }] },
      templateVariables: { date: 'today' },
    });
  });

  it.each([
    [{ content: 'Hel' }, { content: 'Hel' }],
    [
      { content: '', reasoning_content: 'Hm' },
      { content: '', reasoning: 'Hm' },
    ],
  ])('reads an answer that is to be continued: %j', async (begun, read) => {
    const user = { role: 'user', content: 'Hi' };
    const role = 'assistant';
    const wish = { continue_final_message: true, add_generation_prompt: false };
    const messages = [user, { role, ...begun }];
    expect((await post(path, { model, messages, ...wish })).status).toBe(200);
    expect(service.engine.tokenizations.at(-1)?.prompt).toMatchObject({
      messages: [user, { role, ...read }],
      continuesLast: true,
    });
  });

  it.each([
    [{ model }, 'missing_required_parameter', 'content'],
    [{ content: 'a' }, 'missing_required_parameter', 'model'],
    [{ model, content: 'a', prompt: 'b' }, 'invalid_value', 'prompt'],
    [{ model, content: ['a'] }, 'invalid_type', 'content'],
    [{ model, messages: [] }, 'invalid_value', 'messages'],
    [{ model, messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } }] }] }, 'unsupported_content', 'messages[0].content[0]'],
    [{ model, prompt: 'a', continue_final_message: true }, 'invalid_value', 'continue_final_message'],
    [{ model, prompt: 'a', add_generation_prompt: false }, 'unsupported_value', 'add_generation_prompt'],
    [{ model: 'ears', prompt: 'a' }, 'unsupported_value', 'model'],
    [{ model: 'none', prompt: 'a' }, 'model_not_found', 'model'],
  ] as const)('refuses %j', async (body, code, param) => {
    await expectError(await post(path, body), code, param);
  }); // prettier-ignore

  it('needs a key, and no name where there is one model only', async () => {
    await expectError(
      await post(path, { content: 'a' }, { headers: { authorization: '' } }),
      'missing_api_key',
    );
    const headers = { authorization: `Bearer ${limitedKey}` };
    expect((await post(path, { content: 'a' }, { headers })).status).toBe(200);
    expect(service.engine.tokenizations.at(-1)).toMatchObject({ modelId: 'org/slashed' });
  });

  it.each(['content', 'prompt'])("names the engine's complaint about %s", async (name) => {
    const error = new AppError('context_length_exceeded', 'Too long.', { param: 'prompt' });
    service.engine.tokenizeFailure = error;
    await expectError(await post(path, { model, [name]: 'a' }), 'context_length_exceeded', name);
    service.engine.tokenizeFailure = undefined;
    expect(service.limiter.lastSettlement).toMatchObject({ status: 400, refundRequest: true });
  });
});

describe.each(['/detokenize', '/v1/detokenize'])('%s', (path) => {
  it('writes tokens as text', async () => {
    const response = await post(path, { model, tokens: [72, 105] });
    expect(await response.json()).toEqual({ content: 'Hi', prompt: 'Hi' });
    expect(await (await post(path, { model, tokens: [] })).json()).toEqual({ content: '', prompt: '' });
  });

  it.each([
    [{ model }, 'missing_required_parameter', 'tokens'],
    [{ model, tokens: 'a' }, 'invalid_type', 'tokens'],
    [{ model, tokens: [1, -1] }, 'invalid_value', 'tokens[1]'],
    [{ model, tokens: [1, 'a'] }, 'invalid_type', 'tokens[1]'],
    [{ model: 'ears', tokens: [1] }, 'unsupported_value', 'model'],
  ] as const)('refuses %j', async (body, code, param) => {
    await expectError(await post(path, body), code, param);
  });

  it("names a token that is not the model's", async () => {
    service.engine.tokenizeFailure = new AppError('invalid_value', 'None of its.', { param: 'prompt[1]' });
    await expectError(await post(path, { model, tokens: [1, 9] }), 'invalid_value', 'tokens[1]');
    service.engine.tokenizeFailure = undefined;
  });
});

it('one model needs no name', async () => {
  const { app } = buildApp({}, { catalog: fakeCatalog([fakeModel('single'), fakeModel('ears', { kind: 'speech' })]) });
  expect((await app.request(...jsonRequest('/tokenize', { content: 'a' }))).status).toBe(200);
}); // prettier-ignore
