import { zodTextFormat } from 'openai/helpers/zod';
import type { ResponseInput, Response as ResponseObject } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import { useSharedServer } from '../../support/server/chat-fixture.ts';
import { chatModelIds } from '../../support/models/chat-models.ts';
import { expectLegalEvents, readResponseEvents } from '../../support/wire/response-events.ts';
import { forecast, schemas } from '../../support/wire/tool-answers.ts';
import { toolModel, toolModelIds } from '../../support/models/tool-models.ts';
import type { ResponseEvent } from '../../../src/api/responses/events/event-schema.ts';

const chat = useSharedServer();
const responses = () => chat().client.responses;
const input = 'What will the weather be?';

describe.for(chatModelIds)('responses of %s', (model) => {
  it('are text, the same in one piece and streamed', async () => {
    const body = { model, input, instructions: 'Be brief.', max_output_tokens: 40, temperature: 0 };
    const whole = await responses().create(body);
    expect(whole.output_text).not.toBe('');
    expect(whole.usage?.output_tokens).toBeGreaterThan(0);
    const events: ResponseEvent[] = [];
    const stream = responses().stream(body);
    for await (const event of stream) events.push(event as ResponseEvent);
    expectLegalEvents(events);
    const streamed = await stream.finalResponse();
    expect(streamed.output_text).toBe(whole.output_text);
    expect(streamed.status).toBe(whole.status);
    expect(streamed.usage?.output_tokens).toBe(whole.usage?.output_tokens);
  });

  it('are incomplete where the tokens run out', async () => {
    const whole = await responses().create({ model, input, max_output_tokens: 1, temperature: 0 });
    expect(whole.status).toBe('incomplete');
    expect(whole.incomplete_details).toEqual({ reason: 'max_output_tokens' });
  });

  it('are documents, parsed by the client', async () => {
    const format = zodTextFormat(forecast, 'forecast');
    const body = { model, input, text: { format }, max_output_tokens: 500 };
    const parsed = await responses().parse(body);
    expect(forecast.parse(parsed.output_parsed)).toEqual(JSON.parse(parsed.output_text));
    const streamed = await responses().stream(body).finalResponse();
    expect(forecast.parse(streamed.output_parsed)).toEqual(JSON.parse(streamed.output_text));
  });

  it('go on from stored ones as from the whole conversation', async () => {
    const base = { model, max_output_tokens: 20, temperature: 0 };
    const first = await responses().create({ ...base, input, store: true });
    const second = await responses().create({
      ...base,
      input: 'And then?',
      previous_response_id: first.id,
      store: true,
    });
    const third = await responses().create({ ...base, input: 'Why?', previous_response_id: second.id });
    const conversation = [
      { role: 'user', content: input },
      ...first.output,
      { role: 'user', content: 'And then?' },
      ...second.output,
      { role: 'user', content: 'Why?' },
    ] as ResponseInput;
    const same = await responses().create({ ...base, input: conversation });
    expect(third.output_text).toBe(same.output_text);
    expect(third.usage?.input_tokens).toBe(same.usage?.input_tokens);
    expect((await responses().retrieve(second.id)).output).toEqual(second.output);
    await responses().delete(first.id);
    await expect(
      responses().create({ ...base, input, previous_response_id: second.id }),
    ).rejects.toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
    });
  });
});

describe.for(toolModelIds)('functions with %s', (model) => {
  const tools = Object.entries(schemas).map(([name, schema]) => ({
    type: 'function' as const,
    name,
    parameters: schema.toJSONSchema(),
    strict: true,
  }));
  const base = { model, tools, parallel_tool_calls: false, max_output_tokens: 400 };
  const callOf = ({ output }: Pick<ResponseObject, 'output'>) => {
    const call = output.find((item) => item.type === 'function_call');
    if (call === undefined) throw new Error('the model did not call');
    schemas[call.name]?.parse(JSON.parse(call.arguments));
    return call;
  };
  const resultOf = ({ output }: Pick<ResponseObject, 'output'>) => ({
    type: 'function_call_output' as const,
    call_id: callOf({ output }).call_id,
    output: '{"sun": true}',
  });

  it.for([false, true])(
    'are called in several rounds, the conversation sent along (stream: %s)',
    async (stream) => {
      const conversation: ResponseInput = [{ role: 'user', content: input }];
      for (let round = 0; round < 3; round++) {
        const body = { ...base, input: conversation, tool_choice: 'required' as const };
        const answer = stream
          ? await responses().stream(body).finalResponse()
          : await responses().create(body);
        conversation.push(...(answer.output as ResponseInput), resultOf(answer));
      }
      const last = await responses().create({
        ...base,
        input: conversation,
        tool_choice: 'none',
        max_output_tokens: 20,
      });
      expect(last.output.map(({ type }) => type)).toEqual(['message']);
    },
  );

  it('are called in several rounds that go on from each other', async () => {
    const body = { ...base, tool_choice: { type: 'function' as const, name: 'get_forecast' }, store: true };
    let answer = await responses().create({ ...body, input });
    for (let round = 0; round < 2; round++)
      answer = await responses().create({
        ...body,
        input: [resultOf(answer)],
        previous_response_id: answer.id,
      });
    expect(callOf(answer).name).toBe('get_forecast');
    const items = await responses().inputItems.list(answer.id);
    expect(items.data.map(({ type }) => type)).toEqual(['function_call_output']);
  });

  it('are streamed in legal events', async () => {
    const { baseUrl, apiKey } = chat().server;
    for (const seed of [1, 2, 3]) {
      const answer = await fetch(`${baseUrl}/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...base,
          input,
          tool_choice: 'required',
          parallel_tool_calls: true,
          seed,
          stream: true,
        }),
      });
      readResponseEvents(await answer.text());
    }
  });
});

describe('a model that reasons', () => {
  const model = `${toolModel}-r`;

  it('tells its thought before its answer, and takes it back', async () => {
    const events: ResponseEvent[] = [];
    const stream = responses().stream({
      model,
      input,
      max_output_tokens: 100,
      include: ['reasoning.encrypted_content'],
    });
    for await (const event of stream) events.push(event as ResponseEvent);
    expectLegalEvents(events);
    const { output, usage } = await stream.finalResponse();
    expect(output[0]?.type).toBe('reasoning');
    expect(usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(0);
    const conversation = [{ role: 'user', content: input }, ...output, { role: 'user', content: 'Why?' }];
    const next = await responses().create({
      model,
      input: conversation as ResponseInput,
      max_output_tokens: 20,
    });
    expect(next.output.length).toBeGreaterThan(0);
  });
});
