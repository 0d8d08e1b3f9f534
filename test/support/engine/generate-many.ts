import { fc } from '../properties.ts';
import type OpenAI from 'openai';
import type {
  ChatCompletion,
  ChatCompletionCreateParamsNonStreaming,
} from 'openai/resources/chat/completions';
import { expect } from 'vitest';
import { jsonValidator } from '../grammar/json-validator.ts';

/** Requests of each kind: a maintainer may ask for hundreds, and wait for them. */
export const requestCount = Number(process.env['HEARTH_TEST_CALLS'] ?? 4);
/** For a test that makes `requestCount` requests of several kinds. */
export const manyTimeoutMs = 60_000 + requestCount * 3_000;
/** As many as the server has slots for, so that it computes them together. */
const together = 4;

/** `requestCount` values of `arbitrary`, the same every time, worked on a few at a time. */
export async function forMany<Value>(
  arbitrary: fc.Arbitrary<Value>,
  work: (value: Value, seed: number) => Promise<void>,
): Promise<void> {
  // One iterator for all workers: each takes the next value.
  const values = fc.sample(arbitrary, { numRuns: requestCount, seed: 5 }).entries();
  const workers = Array.from({ length: together }, async () => {
    for (const [index, value] of values) await work(value, index);
  });
  await Promise.all(workers);
}

/** Room for the longest document of a bounded schema. */
export const enoughTokens = 4000;
/** Room for prompts that show large schemas, and for such a document. */
export const roomyContext = 16_384;

/** One completion; a failure tells the request. */
export async function complete(
  client: OpenAI,
  body: ChatCompletionCreateParamsNonStreaming,
): Promise<ChatCompletion> {
  try {
    return await client.chat.completions.create(body);
  } catch (cause) {
    throw new Error(`refused: ${JSON.stringify(body)}`, { cause });
  }
}

/** Checks that `text` is a document of `schema`; a failure tells both. */
export function expectDocument(text: string, schema: unknown): void {
  const complaint = `${text}\nis not of\n${JSON.stringify(schema)}`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error(complaint, { cause });
  }
  expect(jsonValidator(schema)(value), complaint).toBe(true);
}
