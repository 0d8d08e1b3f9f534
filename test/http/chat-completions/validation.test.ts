import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../src/errors/errors.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { buildApp, chatRequest, hello } from '../../support/fakes/http-service.ts';
import { processorMs } from '../../support/watch/processor-time.ts';

const service = buildApp();
const ask = async (body: unknown): Promise<Response> => service.app.request(...chatRequest(body));
const say = (...messages: unknown[]) => ({ model: 'tiny', messages });
const text = { type: 'text', text: 'x' };

interface Refusal {
  readonly name: string;
  readonly body: object;
  readonly code: ErrorCode;
  readonly param: string;
}

const row = (name: string, extra: object, code: ErrorCode, param: string): Refusal => ({
  name,
  body: { ...hello, ...extra },
  code,
  param,
});

const refusals: readonly Refusal[] = [
  { name: 'no model', body: { messages: hello.messages }, code: 'missing_required_parameter', param: 'model' },
  { name: 'no messages', body: { model: 'tiny' }, code: 'missing_required_parameter', param: 'messages' },
  row('a null model', { model: null }, 'missing_required_parameter', 'model'),
  row('a number for a model', { model: 5 }, 'invalid_type', 'model'),
  row('an empty model', { model: '' }, 'invalid_value', 'model'),
  row('an unknown model', { model: 'tinny' }, 'model_not_found', 'model'),
  row('a speech model', { model: 'ears' }, 'unsupported_value', 'model'),
  row('an embedding model', { model: 'vectors' }, 'unsupported_value', 'model'),
  row('a reasoning id', { model: 'tiny-r' }, 'unsupported_value', 'model'),
  row('a reasoning id of no chat model', { model: 'ears-r' }, 'model_not_found', 'model'),

  row('text for messages', { messages: 'hi' }, 'invalid_type', 'messages'),
  row('no message at all', { messages: [] }, 'invalid_value', 'messages'),
  row('too many messages', { messages: Array.from({ length: 4097 }, () => 0) }, 'invalid_value', 'messages'),
  { name: 'a null message', body: say(null), code: 'invalid_type', param: 'messages[0]' },
  { name: 'a message without a role', body: say({ content: 'x' }), code: 'missing_required_parameter', param: 'messages[0].role' },
  { name: 'an unknown role', body: say({ role: 'wizard', content: 'x' }), code: 'invalid_value', param: 'messages[0].role' },
  { name: 'a number for a role', body: say({ role: 1, content: 'x' }), code: 'invalid_type', param: 'messages[0].role' },
  { name: 'a message without content', body: say(hello.messages[0], { role: 'user' }), code: 'missing_required_parameter', param: 'messages[1].content' },
  { name: 'null content of a user', body: say({ role: 'user', content: null }), code: 'invalid_type', param: 'messages[0].content' },
  { name: 'a number for content', body: say({ role: 'user', content: 1 }), code: 'invalid_type', param: 'messages[0].content' },
  { name: 'an empty list of parts', body: say({ role: 'user', content: [] }), code: 'invalid_value', param: 'messages[0].content' },
  { name: 'a part without text', body: say({ role: 'user', content: [text, { type: 'text' }] }), code: 'missing_required_parameter', param: 'messages[0].content[1].text' },
  { name: 'a part of unknown type', body: say({ role: 'user', content: [{ type: 'hologram' }] }), code: 'invalid_value', param: 'messages[0].content[0].type' },
  { name: 'a string for a part', body: say({ role: 'user', content: ['x'] }), code: 'invalid_type', param: 'messages[0].content[0]' },
  { name: 'an image', body: say({ role: 'user', content: [text, { type: 'image_url', image_url: { url: 'data:' } }] }), code: 'unsupported_content', param: 'messages[0].content[1]' },
  { name: 'a damaged PDF', body: say({ role: 'user', content: [text, { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0' } }] }), code: 'invalid_document', param: 'messages[0].content[1]' },
  { name: 'a sound', body: say({ role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } }] }), code: 'unsupported_content', param: 'messages[0].content[0]' },
  { name: 'a tool message of no call', body: say({ role: 'tool', content: 'x' }), code: 'missing_required_parameter', param: 'messages[0].tool_call_id' },

  row('two completions', { n: 2 }, 'unsupported_value', 'n'),
  row('nothing to continue', { continue_final_message: true }, 'invalid_value', 'continue_final_message'),
  { name: 'an answer in a form to continue', body: { ...say(...hello.messages, { role: 'assistant', content: '{"a' }), continue_final_message: true, response_format: { type: 'json_object' } }, code: 'unsupported_value', param: 'continue_final_message' },
  row('DRY', { dry_multiplier: 0.8 }, 'unsupported_value', 'dry_multiplier'),
  row('top-n-sigma', { top_n_sigma: 1 }, 'unsupported_value', 'top_n_sigma'),
  row('XTC beyond certainty', { xtc_probability: 1.1 }, 'invalid_value', 'xtc_probability'),
  row('an endless repetition penalty', { repetition_penalty: 11 }, 'invalid_value', 'repetition_penalty'),
  row('half a completion', { n: 0.5 }, 'invalid_type', 'n'),
  row('too hot', { temperature: 2.1 }, 'invalid_value', 'temperature'),
  row('colder than cold', { temperature: -0.1 }, 'invalid_value', 'temperature'),
  row('temperature in words', { temperature: 'hot' }, 'invalid_type', 'temperature'),
  row('top_p above 1', { top_p: 1.1 }, 'invalid_value', 'top_p'),
  row('negative top_k', { top_k: -2 }, 'invalid_value', 'top_k'),
  row('fractional top_k', { top_k: 1.5 }, 'invalid_type', 'top_k'),
  row('min_p above 1', { min_p: 2 }, 'invalid_value', 'min_p'),
  row('fractional seed', { seed: 0.5 }, 'invalid_value', 'seed'),
  row('seed in words', { seed: '7' }, 'invalid_type', 'seed'),
  row('penalty too large', { frequency_penalty: 2.5 }, 'invalid_value', 'frequency_penalty'),
  row('penalty too small', { presence_penalty: -2.5 }, 'invalid_value', 'presence_penalty'),
  row('no repeat penalty', { repeat_penalty: 0 }, 'invalid_value', 'repeat_penalty'),
  row('a list for logit_bias', { logit_bias: [1] }, 'invalid_type', 'logit_bias'),
  row('words in logit_bias', { logit_bias: { hello: 1 } }, 'invalid_value', 'logit_bias'),
  row('too much bias', { logit_bias: { 5: 101 } }, 'invalid_value', 'logit_bias.5'),
  row('too many biases', { logit_bias: Object.fromEntries(Array.from({ length: 1025 }, (_, id) => [id, 1])) }, 'invalid_value', 'logit_bias'),
  row('an empty stop', { stop: '' }, 'invalid_value', 'stop'),
  row('an empty stop among others', { stop: ['a', ''] }, 'invalid_value', 'stop[1]'),
  row('17 stops', { stop: Array.from({ length: 17 }, () => 'x') }, 'invalid_value', 'stop'),
  row('a very long stop', { stop: ['x'.repeat(513)] }, 'invalid_value', 'stop[0]'),
  row('a number for a stop', { stop: 5 }, 'invalid_type', 'stop'),
  row('a spoken answer', { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }, 'unsupported_value', 'modalities[1]'),
  row('an unknown modality', { modalities: ['smell'] }, 'invalid_value', 'modalities[0]'),
  row('padded events', { stream: true, stream_options: { include_obfuscation: true } }, 'unsupported_value', 'stream_options.include_obfuscation'),
  row('no tokens at all', { max_tokens: 0 }, 'invalid_value', 'max_tokens'),
  row('tokens in words', { max_completion_tokens: '10' }, 'invalid_type', 'max_completion_tokens'),
  row('negative min_tokens', { min_tokens: -1 }, 'invalid_value', 'min_tokens'),
  row('min_tokens above the maximum', { max_tokens: 5, min_tokens: 6 }, 'invalid_value', 'min_tokens'),
  row('21 alternatives', { logprobs: true, top_logprobs: 21 }, 'invalid_value', 'top_logprobs'),
  row('alternatives without logprobs', { top_logprobs: 2 }, 'invalid_value', 'top_logprobs'),
  row('stream in words', { stream: 'true' }, 'invalid_type', 'stream'),
  row('a wrong stream option', { stream: true, stream_options: { include_usage: 1 } }, 'invalid_type', 'stream_options.include_usage'),
  row('a number for user', { user: 1 }, 'invalid_type', 'user'),

  row('old functions', { functions: [{ name: 'f' }] }, 'unsupported_value', 'functions'),
  row('an old choice of function', { function_call: { name: 'f' } }, 'unsupported_value', 'function_call'),
  { name: 'an old call in a message', body: say({ role: 'assistant', content: null, function_call: { name: 'f', arguments: '' } }), code: 'unsupported_value', param: 'messages[0].function_call' },
  { name: 'an assistant that says nothing', body: say({ role: 'assistant' }), code: 'missing_required_parameter', param: 'messages[0].content' },
  row('keep_alive', { keep_alive: '5 parsecs' }, 'invalid_value', 'keep_alive'),

  row('a typing mistake', { temprature: 1 }, 'unknown_parameter', 'temprature'),
  row('two typing mistakes', { max_toknes: 1 }, 'unknown_parameter', 'max_toknes'),
  row('a singular', { message: [] }, 'unknown_parameter', 'message'),
]; // prettier-ignore

describe('a request is refused that has', () => {
  it.each(refusals)('$name', async ({ body, code, param }) => {
    const message = await expectError(await ask(body), code, param);
    expect(message).toContain(code === 'model_not_found' || param === 'model' ? 'model' : param);
    expect(service.engine.calls).toEqual([]);
    expect(service.limiter.admitted).toEqual([]);
  });
});

describe('names that mean nothing here', () => {
  const ignoredFor = async (extra: object) => {
    const response = await ask({ ...hello, ...extra });
    expect(response.status).toBe(200);
    return response.headers.get('x-ignored-parameters');
  };

  it('are left alone and listed', async () => {
    expect(await ignoredFor({ mirostat: 2, provider: {}, x: 1, id: 1 })).toBe('mirostat, provider, x, id');
  });

  it('are not listed where there are none, or where they are null', async () => {
    expect(await ignoredFor({ mirostat: null, temperature: 0.5, temprature: null })).toBeNull();
    const asksForNothing = { modalities: ['text'], stream_options: { include_obfuscation: false } };
    expect(await ignoredFor({ ...asksForNothing, stream: true })).toBeNull();
  });

  it('cannot smuggle anything into the header', async () => {
    const header = await ignoredFor({ 'evil\r\nset-cookie: a=b': 1, 'größe, 日本 \ud800': 1 });
    expect(header).toMatch(/^[\w%.~!*'(), -]+$/);
    expect(header).not.toMatch(/\s\S*:/);
  });

  it('stay within a bounded header', async () => {
    const extra = Object.fromEntries(
      Array.from({ length: 90 }, (_, i) => [`vendor_extension_${i}_${'日'.repeat(100)}`, i]),
    );
    expect((await ignoredFor(extra))?.length).toBeLessThan(2100);
  });

  it('are too many above a hundred', async () => {
    const extra = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`vendor_extension_${i}`, i]));
    await expectError(await ask({ ...hello, ...extra }), 'unknown_parameter', null);
  });
});

describe('a message of an error', () => {
  it('names the nearest parameter', async () => {
    expect(await expectError(await ask({ ...hello, temprature: 1 }), 'unknown_parameter')).toContain(
      "'temperature'",
    );
  });

  it('names the choices', async () => {
    const message = await expectError(await ask(say({ role: 'bot', content: '' })), 'invalid_value');
    expect(message).toContain('"system", "developer", "user", "assistant", "tool", not "bot"');
  });

  it('repeats nothing of what a user wrote', async () => {
    const secret = 'my diary says hello';
    const bodies = [
      say({ role: secret, content: secret }),
      { ...hello, stop: [secret, 5] },
      { ...hello, model: [secret] },
    ];
    for (const body of bodies) expect(await (await ask(body)).text()).not.toContain(secret);
  });
});

it('a hostile list is refused at its first bad item, quickly', async () => {
  const { app } = buildApp({ jsonBodyLimitBytes: 8 * 1024 * 1024 });
  const zeros = `[${'0,'.repeat(1_000_000)}0]`;
  const startedAtMs = processorMs();
  for (const body of [
    `{"model":"tiny","messages":${zeros}}`,
    `{"model":"tiny","messages":[{"role":"user","content":${zeros}}]}`,
    `{"model":"tiny","messages":[{"role":"user","content":"x"}],"stop":${zeros}}`,
  ]) {
    await expectError(await app.request(...chatRequest(body)), 'invalid_value');
  }
  expect(processorMs() - startedAtMs).toBeLessThan(1500);
});
