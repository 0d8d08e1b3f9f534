import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Script } from '../../support/fakes/fake-engine.ts';
import { hello, listen } from '../../support/fakes/http-service.ts';
import type { Service } from '../../support/fakes/http-service.ts';

let service: Service;
beforeEach(async () => {
  service = await listen();
});
afterEach(() => service.close());

const city = z.object({ city: z.string() });
const callOslo: Script = {
  steps: [{ call: 'get_weather' }, { arguments: '{"city":' }, { arguments: '"Oslo"}' }],
  finishReason: 'tool_calls',
};
const sunny: Script = { steps: [{ text: 'It is ' }, { text: 'sunny.' }] };

describe('the openai client', () => {
  it.each([false, true])('runs tools until there is an answer (stream: %s)', async (stream) => {
    const asked: string[] = [];
    service.engine.script = ({ prompt }) =>
      prompt.kind === 'messages' && prompt.messages.at(-1)?.role === 'tool' ? sunny : callOslo;
    const body = {
      ...hello,
      tools: [
        zodFunction({
          name: 'get_weather',
          parameters: city,
          function(place) {
            asked.push(place.city);
            return Promise.resolve('sun');
          },
        }),
      ],
    };
    const { completions } = service.client.chat;
    const runner = stream ? completions.runTools({ ...body, stream }) : completions.runTools(body);
    expect(await runner.finalContent()).toBe('It is sunny.');
    expect(asked).toEqual(['Oslo']);
    const { prompt } = service.engine.lastCall.request;
    const [, call, result] = prompt.kind === 'messages' ? prompt.messages : [];
    expect(call?.toolCalls).toMatchObject([{ name: 'get_weather', arguments: '{"city":"Oslo"}' }]);
    expect(result).toMatchObject({ role: 'tool', content: 'sun', toolCallId: call?.toolCalls?.[0]?.id });
  });

  it('puts a streamed call together', async () => {
    service.engine.script = callOslo;
    const tools = [zodFunction({ name: 'get_weather', parameters: city })];
    const done: unknown[] = [];
    const stream = service.client.chat.completions
      .stream({ ...hello, tools })
      .on('tool_calls.function.arguments.done', ({ parsed_arguments: parsed }) => done.push(parsed));
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]?.finish_reason).toBe('tool_calls');
    expect(choices[0]?.message.tool_calls).toMatchObject([
      { type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } },
    ]);
    expect(done).toEqual([{ city: 'Oslo' }]);
  });

  it('parses what follows a schema', async () => {
    service.engine.script = { steps: [{ text: '{"city":' }, { text: '"Oslo"}' }] };
    const completion = await service.client.chat.completions.parse({
      ...hello,
      response_format: zodResponseFormat(city, 'place'),
    });
    expect(completion.choices[0]?.message.parsed).toEqual({ city: 'Oslo' });
    expect(service.engine.lastCall.request.outputFormat).toMatchObject({
      kind: 'json-schema',
      schema: { type: 'object', required: ['city'], additionalProperties: false },
    });
  });
});
