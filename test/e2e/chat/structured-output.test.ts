import Anthropic from '@anthropic-ai/sdk';
import { zodResponseFormat } from 'openai/helpers/zod';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { FunctionTool } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import {
  completeChat,
  postChat,
  streamChat,
  textOf,
  toErrorAnswer,
} from '../../support/server/chat-client.ts';
import { useSharedServer } from '../../support/server/chat-fixture.ts';
import { forecast, readCalls, tools } from '../../support/wire/tool-answers.ts';
import { toolModel, toolModelIds } from '../../support/models/tool-models.ts';

const chat = useSharedServer();
const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'Describe the weather.' }];
const seeds = [1, 2, 3, 4, 5, 6];

describe.for(toolModelIds)('structured output of %s', (model) => {
  const format = zodResponseFormat(forecast, 'forecast');

  it('is a document of the schema, parsed by the client', async () => {
    for (const seed of seeds) {
      const body = { model, messages, response_format: format, max_tokens: 400, seed };
      const completion = await chat().client.chat.completions.parse(body);
      expect(forecast.safeParse(completion.choices[0]?.message.parsed).success).toBe(true);
      expect(completion.choices[0]?.finish_reason).toBe('stop');
    }
  });

  it('is the same when streamed', async () => {
    for (const seed of seeds) {
      const body = { model, messages, response_format: format, max_tokens: 400, seed };
      const whole = await chat().client.chat.completions.parse(body);
      const streamed = await chat().client.chat.completions.stream(body).finalChatCompletion();
      expect(streamed.choices[0]?.message.parsed).toEqual(whole.choices[0]?.message.parsed);
    }
  });

  it('is an object for json_object, or the beginning of one', async () => {
    for (const seed of seeds) {
      const options = { response_format: { type: 'json_object' as const }, max_tokens: 200, seed };
      const completion = await completeChat(chat().client, model, messages, options);
      const text = textOf(completion);
      expect(text.trimStart()).toMatch(/^\{/);
      if (completion.choices[0]?.finish_reason === 'stop') expect(JSON.parse(text)).toBeTypeOf('object');
    }
  });

  it('goes together with tools: calls that fit, or text that does', async () => {
    for (const seed of seeds) {
      const options = { response_format: format, tools, max_tokens: 400, seed };
      const completion = await completeChat(chat().client, model, messages, options);
      if (completion.choices[0]?.finish_reason === 'length') continue;
      if (readCalls(completion).length === 0)
        expect(forecast.safeParse(JSON.parse(textOf(completion))).success).toBe(true);
    }
  });

  it('keeps its log-probabilities', async () => {
    const options = { response_format: format, max_tokens: 400, logprobs: true, temperature: 0 };
    const { choices } = await completeChat(chat().client, model, messages, options);
    const tokens = choices[0]?.logprobs?.content ?? [];
    // Token by token and not as text: one may hold a part of a character.
    const bytes = Buffer.from(tokens.flatMap((token) => token.bytes ?? []));
    expect(bytes.toString('utf8')).toBe(choices[0]?.message.content);
    for (const { logprob } of tokens) expect(logprob).toBeLessThanOrEqual(0);
  });
});

describe('a keyword that nobody knows', () => {
  it.for([false, true])('is an annotation, named in a header (stream: %s)', async (stream) => {
    const text = { type: 'string', maxLength: 4, faker: 'word', format: 'mood' };
    const schema = { type: 'object', properties: { mood: text }, required: ['mood'], mystery: 1 };
    const response = await postChat(chat().server, {
      model: toolModel,
      messages,
      stream,
      max_tokens: 100,
      response_format: { type: 'json_schema', json_schema: { name: 'mood', schema } },
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', alien: true } } }],
    });
    expect(response.status).toBe(200);
    await response.text();
    const names = response.headers.get('x-ignored-parameters')?.split(', ');
    expect(names?.toSorted()).toEqual([
      'response_format.json_schema.schema.mystery',
      'response_format.json_schema.schema.properties.mood.faker',
      'response_format.json_schema.schema.properties.mood.format',
      'tools[0].function.parameters.alien',
    ]);
  });
});

/** As in the tools of servers whose users cannot edit them. */
const misspelt = { type: 'object', properites: { city: { type: 'string' } }, require: ['city'] };

describe('a keyword that is nearly one', () => {
  it('is an annotation, named in a header', async () => {
    const response = await postChat(chat().server, {
      model: toolModel,
      messages,
      max_tokens: 60,
      tools: [{ type: 'function', function: { name: 'f', parameters: misspelt } }],
      tool_choice: 'required',
    });
    expect(response.status).toBe(200);
    const names = response.headers.get('x-ignored-parameters')?.split(', ');
    expect(names?.toSorted()).toEqual([
      'tools[0].function.parameters.properites',
      'tools[0].function.parameters.require',
    ]);
  });

  it('is an error in a strict tool, in all APIs that have such', async () => {
    const { client, server } = chat();
    const tool = { name: 'f', parameters: misspelt, strict: true };
    const inChat = await postChat(server, {
      model: toolModel,
      messages,
      tools: [{ type: 'function', function: tool }],
    });
    expect((await toErrorAnswer(inChat)).error).toMatchObject({
      code: 'invalid_json_schema',
      param: 'tools[0].function.parameters.properites',
    });
    const respond = (strict: boolean | undefined) => {
      const strictTools = [{ type: 'function', ...tool, strict }] as FunctionTool[];
      return client.responses.create({
        model: toolModel,
        input: 'Hi',
        max_output_tokens: 5,
        tools: strictTools,
      });
    };
    await expect(respond(true)).rejects.toMatchObject({ param: 'tools[0].parameters.properites' });
    expect((await respond(undefined)).tools).toMatchObject([{ strict: true }]);
    const anthropic = new Anthropic({ baseURL: new URL('/', server.baseUrl).href, apiKey: server.apiKey });
    const say = (strict: boolean) =>
      anthropic.messages.create({
        model: toolModel,
        max_tokens: 5,
        messages: [{ role: 'user', content: 'Hi' }],
        tools: [{ name: 'f', input_schema: misspelt as Anthropic.Tool.InputSchema, strict }],
      });
    await expect(say(true)).rejects.toThrow('tools[0].input_schema.properites');
    expect((await say(false)).role).toBe('assistant');
  });
});

describe('a schema that cannot be honoured', () => {
  it.for([false, true])('is refused with the path to the keyword (stream: %s)', async (stream) => {
    const schema = { type: 'object', properties: { age: { type: 'integer', minimun: 1 } } };
    const response_format = { type: 'json_schema', json_schema: { name: 'person', schema, strict: true } };
    const response = await postChat(chat().server, { model: toolModel, messages, response_format, stream });
    const { status, error } = await toErrorAnswer(response);
    expect(status).toBe(400);
    expect(error).toMatchObject({
      type: 'invalid_request_error',
      code: 'invalid_json_schema',
      param: 'response_format.json_schema.schema.properties.age.minimun',
    });
    expect(error.message).toContain("write 'minimum'");
  });

  it('does not keep others from being answered', async () => {
    const { text } = await streamChat(chat().client, toolModel, messages, { max_tokens: 5 });
    expect(text).not.toBe('');
  });
});
