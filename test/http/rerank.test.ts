import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors/errors.ts';
import { expectError } from '../support/wire/error-envelope.ts';
import { buildApp, jsonRequest } from '../support/fakes/http-service.ts';

const service = buildApp();
const post = async (path: string, body: unknown) => service.app.request(...jsonRequest(path, body));
const model = 'judge';
const query = 'Who slept?';
const documents = ['a', 'abc', 'ab'];

describe.each(['/v1/rerank', '/rerank'])('%s', (path) => {
  it('tells the documents, the best first', async () => {
    const response = await post(path, { model, query, documents });
    expect(await response.json()).toEqual({
      id: expect.stringMatching(/^rerank_/) as string,
      object: 'list',
      model,
      results: [
        { index: 1, relevance_score: 0.75 },
        { index: 2, relevance_score: 2 / 3 },
        { index: 0, relevance_score: 0.5 },
      ],
      usage: { prompt_tokens: 5, total_tokens: 5 },
    });
    expect(service.engine.rankings.at(-1)).toMatchObject({ modelId: model, query, documents });
    expect(service.limiter.lastSettlement).toMatchObject({ status: 200, promptTokens: 5 });
    expect(service.limiter.admitted.at(-1)).toMatchObject({ route: '/v1/rerank' });
  });

  it('tells as many as are wanted, with their texts', async () => {
    const wanted = { top_n: 1, return_documents: true, documents: documents.map((text) => ({ text })) };
    const response = await post(path, { model, query, ...wanted });
    expect(await response.json()).toMatchObject({
      results: [{ index: 1, relevance_score: 0.75, document: { text: 'abc' } }],
    });
  });

  it.each([
    [{ query: undefined }, 'missing_required_parameter', 'query'],
    [{ query: '' }, 'invalid_value', 'query'],
    [{ documents: [] }, 'invalid_value', 'documents'],
    [{ documents: 'a' }, 'invalid_type', 'documents'],
    [{ documents: ['a', ''] }, 'invalid_value', 'documents[1]'],
    [{ documents: ['a', { title: 'b' }] }, 'missing_required_parameter', 'documents[1].text'],
    [{ top_n: 0 }, 'invalid_value', 'top_n'],
    [{ model: 'tiny' }, 'unsupported_value', 'model'],
    [{ model: 'vectors' }, 'unsupported_value', 'model'],
    [{ top: 1 }, 'unknown_parameter', 'top'],
  ] as const)('refuses %j', async (change, code, param) => {
    await expectError(await post(path, { model, query, documents, ...change }), code, param);
  });

  it("names the engine's complaint", async () => {
    service.engine.rankFailure = new AppError('context_length_exceeded', 'Too long.', { param: 'inputs[2]' });
    await expectError(
      await post(path, { model, query, documents }),
      'context_length_exceeded',
      'documents[2]',
    );
    service.engine.rankFailure = undefined;
    expect(service.limiter.lastSettlement).toMatchObject({ status: 400, refundRequest: true });
  });
});

it('a model that ranks does nothing else', async () => {
  const messages = [{ role: 'user', content: 'Hi' }];
  await expectError(await post('/v1/chat/completions', { model, messages }), 'unsupported_value', 'model');
  await expectError(await post('/v1/embeddings', { model, input: 'a' }), 'unsupported_value', 'model');
});
