import type { ChatCompletion } from 'openai/resources';
import { beforeAll, describe, expect, it } from 'vitest';
import { completeChat, postChat, textOf, toErrorAnswer } from '../../support/server/chat-client.ts';
import { useSharedServer } from '../../support/server/chat-fixture.ts';

const chat = useSharedServer();
const model = 'tiny';

describe('limits of the text', () => {
  /** A prompt after which the model ends its turn by itself, and the tokens until then. */
  let endsEarly: { prompt: string; completionTokens: number; text: string };

  beforeAll(async () => {
    for (let number = 0; number < 40; number++) {
      const prompt = `Question ${number}: tell me about the sea`;
      const completion = await completeChat(chat().client, model, prompt, {
        max_tokens: 100,
        temperature: 0,
      });
      const completionTokens = completion.usage?.completion_tokens ?? 0;
      if (completion.choices[0]?.finish_reason === 'stop' && completionTokens > 4) {
        endsEarly = { prompt, completionTokens, text: textOf(completion) };
        return;
      }
    }
    throw new Error('the tiny model ended no turn by itself: its weights no longer fit this test');
  });

  it('max_tokens and max_completion_tokens, which wins', async () => {
    const options = { temperature: 0, ignore_eos: true, max_tokens: 30 };
    const long = await completeChat(chat().client, model, 'Hello', options);
    expect(long.usage?.completion_tokens).toBe(30);
    expect(long.choices[0]?.finish_reason).toBe('length');
    const short = await completeChat(chat().client, model, 'Hello', { ...options, max_completion_tokens: 7 });
    expect(short.usage?.completion_tokens).toBe(7);
  });

  it('min_tokens holds the end of turn off', async () => {
    const minTokens = endsEarly.completionTokens + 10;
    const options = { max_tokens: minTokens + 200, min_tokens: minTokens, temperature: 0 };
    const completion = await completeChat(chat().client, model, endsEarly.prompt, options);
    expect(completion.usage?.completion_tokens).toBeGreaterThanOrEqual(minTokens);
    expect(textOf(completion).startsWith(endsEarly.text)).toBe(true);
    expect(textOf(completion)).not.toContain('<|im_end|>');
  });

  it('min_tokens holds stop sequences off', async () => {
    const [stop = ''] = endsEarly.text;
    const early = await completeChat(chat().client, model, endsEarly.prompt, {
      temperature: 0,
      max_tokens: 60,
      stop,
    });
    expect(textOf(early)).toBe('');
    const minTokens = endsEarly.completionTokens + 10;
    const options = { temperature: 0, max_tokens: 120, min_tokens: minTokens, stop };
    const late = await completeChat(chat().client, model, endsEarly.prompt, options);
    expect(late.usage?.completion_tokens).toBeGreaterThanOrEqual(minTokens);
    expect(textOf(late).startsWith(endsEarly.text)).toBe(true);
  });

  it('ignore_eos goes on past the end of turn', async () => {
    const options = { temperature: 0, ignore_eos: true, max_tokens: endsEarly.completionTokens + 40 };
    const completion = await completeChat(chat().client, model, endsEarly.prompt, options);
    expect(completion.usage?.completion_tokens).toBe(options.max_tokens);
    expect(completion.choices[0]?.finish_reason).toBe('length');
  });

  it('min_tokens together with ignore_eos gives exactly that number of tokens', async () => {
    const options = { temperature: 1, seed: 3, ignore_eos: true, min_tokens: 90, max_tokens: 90 };
    const completion = await completeChat(chat().client, model, endsEarly.prompt, options);
    expect(completion.usage?.completion_tokens).toBe(90);
  });
});

describe('what cannot be honoured', () => {
  const messages = [{ role: 'user', content: 'Hi' }];

  it('is refused with the code and the parameter', async () => {
    const cases: [body: Record<string, unknown>, code: string, param: string | null][] = [
      [{ n: 2 }, 'unsupported_value', 'n'],
      [{ temperature: 3 }, 'invalid_value', 'temperature'],
      [{ temperature: 'hot' }, 'invalid_type', 'temperature'],
      [{ max_tokens: 1.5 }, 'invalid_type', 'max_tokens'],
      [{ messages: undefined }, 'missing_required_parameter', 'messages'],
      [{ model: undefined }, 'missing_required_parameter', 'model'],
      [{ temprature: 1 }, 'unknown_parameter', 'temprature'],
      [{ response_format: { type: 'xml' } }, 'invalid_value', 'response_format'],
      [{ reasoning_effort: 'high' }, 'unsupported_value', 'reasoning_effort'],
    ];
    for (const [change, code, param] of cases) {
      const answer = await toErrorAnswer(
        await postChat(chat().server, { model, messages, max_tokens: 2, ...change }),
      );
      expect({ change, status: answer.status, code: answer.error.code }).toEqual({
        change,
        status: 400,
        code,
      });
      expect(answer.error).toMatchObject({
        type: 'invalid_request_error',
        message: expect.any(String) as string,
      });
      if (param !== null) expect(answer.error.param).toContain(param);
    }
  });

  it('asks for one answer without complaint', async () => {
    expect((await postChat(chat().server, { model, messages, max_tokens: 2, n: 1 })).status).toBe(200);
  });

  it('continues an answer that was cut off', async () => {
    const ask = async (body: object) => {
      const said = {
        model: 'hearth-demo',
        temperature: 0,
        messages: [{ role: 'user', content: 'What is hearth?' }],
      };
      const response = await postChat(chat().server, { ...said, ...body });
      return ((await response.json()) as ChatCompletion).choices[0];
    };
    const whole = (await ask({}))?.message.content ?? '';
    const cut = await ask({ max_tokens: 6 });
    expect(cut?.finish_reason).toBe('length');
    const begun = cut?.message.content ?? '';
    const rest = await ask({
      continue_final_message: true,
      messages: [
        { role: 'user', content: 'What is hearth?' },
        { role: 'assistant', content: begun },
      ],
    });
    expect(begun.length).toBeGreaterThan(5);
    expect(begun + (rest?.message.content ?? '')).toBe(whole);
    expect(rest?.finish_reason).toBe('stop');
  });

  it('lists strange parameters that it ignored', async () => {
    const response = await postChat(chat().server, {
      model,
      messages,
      max_tokens: 2,
      other_vendors_switch: true,
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-ignored-parameters')).toContain('other_vendors_switch');
  });

  it('is told for bodies that are no JSON, and other paths and methods', async () => {
    const { server } = chat();
    const authorization = `Bearer ${server.apiKey}`;
    const broken = await toErrorAnswer(await postChat(server, '{"model": "tiny", '));
    expect(broken).toMatchObject({ status: 400, error: { code: 'invalid_json' } });
    const headers = { authorization, 'content-type': 'text/plain' };
    const plain = await toErrorAnswer(await postChat(server, 'hello', { headers }));
    expect(plain).toMatchObject({ status: 415, error: { code: 'unsupported_media_type' } });
    const path = await toErrorAnswer(
      await fetch(`${server.baseUrl}/nothing-here`, { headers: { authorization } }),
    );
    expect(path).toMatchObject({ status: 404, error: { code: 'not_found' } });
    const url = `${server.baseUrl}/chat/completions`;
    const method = await toErrorAnswer(await fetch(url, { method: 'DELETE', headers: { authorization } }));
    expect(method).toMatchObject({ status: 405, error: { code: 'method_not_allowed' } });
    expect(method.headers.get('allow')).toContain('POST');
  });

  it('says both numbers when a prompt does not fit', async () => {
    const content = 'the house by the sea '.repeat(2000);
    for (const stream of [false, true]) {
      const body = { model, messages: [{ role: 'user', content }], stream };
      const answer = await toErrorAnswer(await postChat(chat().server, body));
      expect(answer).toMatchObject({ status: 400, error: { code: 'context_length_exceeded' } });
      const numbers = (answer.error.message.replaceAll(/(\d),(?=\d{3})/g, '$1').match(/\d+/g) ?? []).map(
        Number,
      );
      expect(numbers).toContain(2048);
      expect(numbers.some((number) => number > 2048)).toBe(true);
    }
  });

  it('carries a request id, the given one where it is sane', async () => {
    const { server } = chat();
    const headers = { authorization: `Bearer ${server.apiKey}`, 'x-request-id': 'test-request-42' };
    const kept = await fetch(`${server.baseUrl}/models`, { headers });
    expect(kept.headers.get('x-request-id')).toBe('test-request-42');
    const made = await postChat(server, { model, messages, n: 2 });
    expect(made.headers.get('x-request-id')).toMatch(/\S+/);
  });
});
