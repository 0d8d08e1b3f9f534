import type { ChatCompletion } from 'openai/resources/chat/completions';
import { describe, expect, it } from 'vitest';
import { completeChat, streamChat, textOf } from '../../support/server/chat-client.ts';
import { useSharedServer } from '../../support/server/chat-fixture.ts';
import { chatModelIds } from '../../support/models/chat-models.ts';

const chat = useSharedServer();

const clientCount = 16;
const system = { role: 'system', content: 'You live in a little house at the end of the road.' } as const;
const questions = Array.from(
  { length: clientCount },
  (_, index) => `${index}. Once upon a time there ${'was a fox, '.repeat(index)}and what did it do?`,
);

const greedy = { temperature: 0, logprobs: true, top_logprobs: 2 } as const;
/** Two tokens this close are as good as equal: the cache holds 16-bit numbers, which round this much apart. */
const tieLogprob = 0.02;

/**
 * Each text is the one that was got alone. llama.cpp adds up in another order when it computes several requests
 * together, so two texts may part, but only where two tokens were equally likely.
 */
function expectSameUpToTies(together: readonly string[], alone: readonly ChatCompletion[]): void {
  expect(together).toHaveLength(alone.length);
  for (const [index, completion] of alone.entries()) {
    const text = together[index] ?? '';
    if (text === textOf(completion)) continue;
    const bytes = Buffer.from(text);
    let sharedBytes = 0;
    const parting = completion.choices[0]?.logprobs?.content?.find((token) => {
      const own = Buffer.from(token.bytes ?? []);
      const isShared = own.equals(bytes.subarray(sharedBytes, sharedBytes + own.length));
      sharedBytes += own.length;
      return !isShared;
    });
    const [best, second] = parting?.top_logprobs ?? [];
    expect(
      (best?.logprob ?? 0) - (second?.logprob ?? -1),
      `${text} instead of ${textOf(completion)}`,
    ).toBeLessThan(tieLogprob);
  }
}

describe.for(chatModelIds)('16 clients at once on %s', (model) => {
  it('each get the greedy text that they get alone', { timeout: 60_000 }, async () => {
    const ask = (question: string): Promise<ChatCompletion> =>
      completeChat(chat().client, model, question, { ...greedy, max_tokens: 40 });
    const alone: ChatCompletion[] = [];
    for (const question of questions) alone.push(await ask(question));
    const together = await Promise.all(questions.map(ask));
    expectSameUpToTies(together.map(textOf), alone);
  });

  it('share a prefix without mixing their texts up', { timeout: 60_000 }, async () => {
    const options = { ...greedy, max_tokens: 24 };
    const conversation = (content: string) => [system, { role: 'user', content } as const];
    // Together first: nothing of the prefix is computed yet when all of them come in.
    const together = await Promise.all(
      questions.map((content) => streamChat(chat().client, model, conversation(content), options)),
    );
    const alone: ChatCompletion[] = [];
    for (const content of questions)
      alone.push(await completeChat(chat().client, model, conversation(content), options));
    expectSameUpToTies(
      together.map(({ text }) => text),
      alone,
    );
  });

  it('are not disturbed by one that cannot be served', { timeout: 60_000 }, async () => {
    const options = { max_tokens: 24, temperature: 0 };
    const [tooLong, ...answers] = await Promise.allSettled([
      completeChat(chat().client, model, 'too long '.repeat(5000), options),
      ...questions.slice(0, 4).map((question) => completeChat(chat().client, model, question, options)),
    ]);
    expect(tooLong.status).toBe('rejected');
    for (const answer of answers) expect(answer.status).toBe('fulfilled');
  });
});

// Only with F32 weights: F16 arithmetic differs in the last bits with the number of tokens that are computed together,
// and a draw that falls between two tokens then falls to the other one now and then.
describe('16 clients at once on F32 weights', () => {
  it('keep their own seeds', { timeout: 60_000 }, async () => {
    const ask = (seed: number): Promise<string> =>
      completeChat(chat().client, 'tiny', 'A story', { max_tokens: 24, temperature: 1, seed }).then(textOf);
    const seeds = questions.map((_, index) => index);
    const alone: string[] = [];
    for (const seed of seeds) alone.push(await ask(seed));
    const together = await Promise.all(seeds.map(ask));
    // A draw may fall just between two tokens; a seed that gets lost changes every text.
    expect(together.filter((text, index) => text !== alone[index]).length).toBeLessThanOrEqual(1);
  });
});
