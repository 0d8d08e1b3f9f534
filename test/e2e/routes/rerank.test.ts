import { expect, it } from 'vitest';
import { toErrorAnswer } from '../../support/server/chat-client.ts';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { tinyEncoder } from '../../support/models/tiny-model.ts';

const chat = useChatServer({
  models: async () => ({ judge: await tinyEncoder({ ranks: true, contextTokens: 64 }) }),
});
const rerank = (body: object) => {
  const { baseUrl, apiKey } = chat().server;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` };
  return fetch(`${baseUrl}/rerank`, { method: 'POST', headers, body: JSON.stringify(body) });
};
interface Ranking {
  readonly results: readonly { readonly index: number; readonly relevance_score: number }[];
  readonly usage: { readonly prompt_tokens: number };
}

it('a cross-encoder judges each document with the query, always in the same way', async () => {
  const documents = ['the fox slept', 'it rained', 'a dog', 'the fox slept'];
  const ask = async (query: string) =>
    (await (await rerank({ model: 'judge', query, documents })).json()) as Ranking;
  const { results, usage } = await ask('who slept');
  expect(results.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3]);
  const scores = results.map((result) => result.relevance_score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  const scoreOf = (index: number) => results.find((result) => result.index === index)?.relevance_score;
  expect(scoreOf(0)).toBeCloseTo(scoreOf(3) ?? 0, 5);
  expect(new Set(scores.map((score) => score.toFixed(6))).size).toBe(3);
  expect(usage.prompt_tokens).toBeGreaterThan(4 * 5);
  const other = await ask('it rained');
  expect(other.results.map((result) => result.relevance_score)).not.toEqual(scores);
});

it('what it cannot take is refused, and so are other models', async () => {
  const long = { model: 'judge', query: 'fox', documents: ['dog', 'word '.repeat(200)] };
  expect((await toErrorAnswer(await rerank(long))).error).toMatchObject({
    code: 'context_length_exceeded',
    param: 'documents[1]',
  });
  const { error } = await toErrorAnswer(await rerank({ ...long, model: 'tiny' }));
  expect(error).toMatchObject({ code: 'unsupported_value', param: 'model' });
  expect(error.message).toContain('writes text');
});
