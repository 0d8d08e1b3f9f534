import { zodFunction } from 'openai/helpers/zod';
import type {
  ChatCompletion,
  ChatCompletionMessageFunctionToolCall as FunctionCall,
} from 'openai/resources/chat/completions';
import { expect } from 'vitest';
import { z } from 'zod';

/** Small enough for random weights to come to an end, and with each kind of value. */
export const forecast = z.strictObject({
  city: z.string().max(8),
  days: z.int().min(1).max(14),
  unit: z.enum(['celsius', 'fahrenheit']),
  hourly: z.boolean(),
  tags: z.array(z.enum(['wind', 'rain'])).max(2),
  near: z.strictObject({ lat: z.number().min(-90).max(90) }).nullable(),
});
export const nothing = z.strictObject({});

/** Schemas of the arguments, by the name of the function. */
export const schemas: Readonly<Record<string, z.ZodType>> = {
  get_forecast: forecast,
  get_time: nothing,
};
export const tools = [
  zodFunction({ name: 'get_forecast', description: 'Tells the weather.', parameters: forecast }),
  zodFunction({ name: 'get_time', parameters: nothing }),
];

/**
 * The calls of a completion, after checking that each is whole and that its arguments fit its schema. Random weights
 * may call until the tokens run out: the last call is then left out.
 */
export function readCalls(completion: ChatCompletion): readonly FunctionCall[] {
  const [choice] = completion.choices;
  const calls = (choice?.message.tool_calls ?? []).filter((call) => call.type === 'function');
  const whole = choice?.finish_reason === 'length' ? calls.slice(0, -1) : calls;
  for (const call of whole) {
    expect(call.id).toMatch(/^call_[A-Za-z0-9]{24}$/);
    const schema = schemas[call.function.name];
    if (schema === undefined) throw new Error(`a call of '${call.function.name}', which was not offered`);
    schema.parse(JSON.parse(call.function.arguments));
  }
  expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
  expect(choice?.message.content ?? '').not.toContain('tool_call');
  return whole;
}
