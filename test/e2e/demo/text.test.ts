import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  demoEars,
  demoModel,
  demoThinker,
  demoVoice,
  useDemoServer,
} from '../../support/server/demo-server.ts';

const demo = useDemoServer();

/** The likeliest answer, so that the same text comes every time. */
async function ask(messages: ChatCompletionMessageParam[], tools?: ChatCompletionTool[], model = demoModel) {
  const completion = await demo().client.chat.completions.create({
    model,
    messages,
    temperature: 0,
    ...(tools === undefined ? {} : { tools }),
  });
  const choice = completion.choices[0];
  if (choice === undefined) throw new Error('no choice in the answer');
  return choice;
}

const user = (content: string): ChatCompletionMessageParam => ({ role: 'user', content });

describe('what is served when nothing is configured', () => {
  it('is the demo model, named as such, with and without thinking, and those that hear and speak', async () => {
    const { data } = await demo().client.models.list();
    expect(data.map(({ id, owned_by }) => [id, owned_by])).toEqual([
      [demoModel, 'hearth-demo'],
      [demoThinker, 'hearth-demo'],
      [demoEars, 'local'],
      [demoVoice, 'hearth-demo'],
    ]);
    expect(demo().server.stdout()).toContain('hearth-demo (demo)');
    expect(demo().server.stdout()).toMatch(/Other models for this machine:\n {2}.*models pull/);
  });

  it.for([
    ['Hello!', /help/i],
    ['Who are you?', /hearth-demo/],
    ['What is the capital of France?', /Paris/],
    ['What is the opposite of hot?', /cold/],
    ['How do I make an API key?', /hearth keys create/],
    ['Why do I get a 429?', /Retry-After/],
  ] as const)('answers %s and ends its turn', async ([question, expected]) => {
    const { message, finish_reason } = await ask([user(question)]);
    expect(message.content).toMatch(expected);
    expect(finish_reason).toBe('stop');
  });

  it('streams the same text', async () => {
    const messages = [user('What is the capital of France?')];
    const stream = demo().client.chat.completions.stream({ model: demoModel, messages, temperature: 0 });
    let streamed = '';
    for await (const chunk of stream) streamed += chunk.choices[0]?.delta.content ?? '';
    expect(streamed).toBe((await ask(messages)).message.content);
  });

  it('stays in character and remembers what was said', async () => {
    const { message } = await ask([
      { role: 'system', content: 'You are Berta, a friendly librarian.' },
      user('What is your name?'),
    ]);
    expect(message.content).toContain('Berta');
    const conversation = [user('My name is Klara.')];
    const { message: reply } = await ask(conversation);
    const later = await ask([
      ...conversation,
      { role: 'assistant', content: reply.content },
      user('What is my name?'),
    ]);
    expect(later.message.content).toContain('Klara');
  });

  it('answers as well late in a long talk as at its start', async () => {
    const capitals = [
      ['Italy', 'Rome'],
      ['Spain', 'Madrid'],
      ['Germany', 'Berlin'],
      ['Austria', 'Vienna'],
      ['Japan', 'Tokyo'],
      ['Poland', 'Warsaw'],
    ] as const;
    const before = capitals.flatMap(([country, capital], index): [string, string][] => [
      [`What is the capital of ${country}?`, `The capital of ${country} is ${capital}.`],
      [`What is ${index + 2} + ${index + 5}?`, `${index + 2} + ${index + 5} = ${2 * index + 7}.`],
      [`Count to ${index + 3}.`, Array.from({ length: index + 3 }, (_, number) => number + 1).join(', ')],
      ['Tell me a joke.', 'Why did the model cross the road? It was the likeliest next token.'],
      ['Thank you!', 'You are welcome!'],
    ]);
    const talk = before.flatMap(([question, answer]): ChatCompletionMessageParam[] => [
      user(question),
      { role: 'assistant', content: answer },
    ]);
    for (const [question, expected] of [
      ['What is the opposite of hot?', 'cold'],
      ['What is the capital of France?', 'Paris'],
      ['What is 30 + 12?', '42'],
      ['Who are you?', 'hearth-demo'],
    ] as const)
      expect((await ask([...talk, user(question)])).message.content).toContain(expected);
  });

  it('answers under a long system prompt', async () => {
    const rules = Array.from(
      { length: 60 },
      (_, index) => `${index + 1}. Be kind, answer in short sentences and use simple words.`,
    );
    const system: ChatCompletionMessageParam = { role: 'system', content: rules.join('\n') };
    const { message } = await ask([system, user('What is the capital of France?')]);
    expect(message.content).toContain('Paris');
  });
});

describe('tools', () => {
  const weather = {
    name: 'get_weather',
    description: 'Get the weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  };
  const timer = {
    name: 'set_timer',
    description: 'Set a timer for some minutes.',
    parameters: { type: 'object', properties: { minutes: { type: 'integer' } }, required: ['minutes'] },
  };
  const tools = [weather, timer].map((definition) => ({ type: 'function' as const, function: definition }));

  it('are called with arguments from the question, the right one of two', async () => {
    const { message, finish_reason } = await ask([user('What is the weather in Oslo?')], tools);
    expect(finish_reason).toBe('tool_calls');
    expect(toCalls(message)).toEqual([['get_weather', { city: 'Oslo' }]]);
    const other = await ask([user('Set a timer for 25 minutes.')], tools);
    expect(toCalls(other.message)).toEqual([['set_timer', { minutes: 25 }]]);
  });

  it('are left alone where none fits', async () => {
    const { message, finish_reason } = await ask([user('Thank you!')], tools);
    expect(message.tool_calls).toBeUndefined();
    expect(finish_reason).toBe('stop');
  });

  it('run by the client, whose result ends up in the answer', async () => {
    const asked: string[] = [];
    const runner = demo().client.chat.completions.runTools({
      model: demoModel,
      temperature: 0,
      messages: [user('What is the weather in Oslo?')],
      tools: [
        zodFunction({
          name: 'get_weather',
          description: 'Get the weather in a city.',
          parameters: z.object({ city: z.string() }),
          function({ city }) {
            asked.push(city);
            return Promise.resolve(JSON.stringify({ temperature: 17, sky: 'cloudy' }));
          },
        }),
      ],
    });
    const answer = await runner.finalContent();
    expect(asked).toEqual(['Oslo']);
    expect(answer).toContain('17');
    expect(answer).toContain('cloudy');
  });
});

describe('thinking', () => {
  it('comes before the answer and apart from it', async () => {
    const { message } = await ask([user('What is 12 + 30?')], undefined, demoThinker);
    const { reasoning_content: thought } = message as { readonly reasoning_content?: string };
    expect(thought).toContain('10 + 30 = 40');
    expect(message.content).toContain('42');
    expect(message.content).not.toContain('think>');
  });
});

describe('structured output', () => {
  it('holds what the sentence says', async () => {
    const person = z.object({ name: z.string(), age: z.int(), city: z.string() });
    const completion = await demo().client.chat.completions.parse({
      model: demoModel,
      temperature: 0,
      messages: [user('Extract name, age and city as JSON: Anna is 31 and lives in Oslo.')],
      response_format: zodResponseFormat(person, 'person'),
    });
    expect(completion.choices[0]?.message.parsed).toEqual({ name: 'Anna', age: 31, city: 'Oslo' });
  });
});

function toCalls(message: { readonly tool_calls?: readonly object[] | undefined }): [string, unknown][] {
  const calls = (message.tool_calls ?? []) as { readonly function: { name: string; arguments: string } }[];
  return calls.map(({ function: called }) => [called.name, JSON.parse(called.arguments)]);
}
