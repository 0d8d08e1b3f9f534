import { zodFunction } from 'openai/helpers/zod';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { useSharedServer } from '../../support/server/chat-fixture.ts';
import { forecast } from '../../support/wire/tool-answers.ts';
import { toolModelIds } from '../../support/models/tool-models.ts';
import { chooseTool } from '../../support/wire/wire-tools.ts';

const chat = useSharedServer();

describe.for(toolModelIds)("the openai client's runTools with %s", (model) => {
  const setUp = () => {
    const asked: z.infer<typeof forecast>[] = [];
    const tool = zodFunction({
      name: 'get_forecast',
      parameters: forecast,
      function(place) {
        asked.push(place);
        return Promise.resolve({ sun: true });
      },
    });
    const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'What will the weather be?' }];
    return { asked, body: { model, messages, tools: [tool], max_tokens: 400 } };
  };

  it('calls the one function that was asked for, with arguments that fit', async () => {
    const { asked, body } = setUp();
    const runner = chat().client.chat.completions.runTools({
      ...body,
      tool_choice: chooseTool('get_forecast'),
    });
    await runner.done();
    expect(asked).toHaveLength(1);
    expect(forecast.safeParse(asked[0]).success).toBe(true);
    expect(runner.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  it.for([false, true])('goes several rounds (stream: %s)', async (stream) => {
    const { asked, body } = setUp();
    const rounds = 3;
    const required = { ...body, tool_choice: 'required' as const, parallel_tool_calls: false };
    const options = { maxChatCompletions: rounds };
    const { completions } = chat().client.chat;
    const runner = stream
      ? completions.runTools({ ...required, stream }, options)
      : completions.runTools(required, options);
    await runner.done();
    expect(asked).toHaveLength(rounds);
    const roles = Array.from({ length: rounds }, () => ['assistant', 'tool']).flat();
    expect(runner.messages.map(({ role }) => role)).toEqual(['user', ...roles]);
  });

  it('ends with an answer where the model may choose', async () => {
    const { body } = setUp();
    // The client makes an error of an answer that ends by its length.
    const options = { ...body, stop: [' ', 'e', 't', 'a'], seed: 1 };
    const runner = chat().client.chat.completions.runTools(options);
    expect(await runner.finalContent()).toBeTypeOf('string');
    expect(runner.messages.at(-1)?.role).toBe('assistant');
  });
});
