import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { meteredRoutes } from '../../src/api/generation/metering.ts';
import { operations } from '../../src/api/openapi/operations.ts';
import { nothingComputed } from '../../src/engine/generation/generation.ts';
import { GenerationChannel } from '../../src/engine/generation/generation-channel.ts';
import type { ModelKind } from '../../src/model-kinds.ts';
import { fakeCatalog, fakeModel } from '../support/fakes/fake-services.ts';
import { adminKey, buildApp, jsonRequest, limitedKey, userKey } from '../support/fakes/http-service.ts';

const senses = { audio: false, image: false, functionCalling: false, reasoning: false };
const able = { ...senses, image: true, reasoning: true, infill: true };
const kinds = ['embedding', 'reranker', 'speech', 'voice'] as const;
const catalog = fakeCatalog([
  fakeModel('plain', { capabilities: senses }),
  fakeModel('able', { capabilities: able }),
  ...kinds.map((kind) => fakeModel(`the-${kind}`, { kind })),
]);
const { app } = buildApp({}, { catalog });

const closed = operations.filter(({ access }) => access !== 'anyone');

describe('every route that is not for anyone', () => {
  it.each(closed.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s takes the keys that it says',
    async (_name, { method, path, access }) => {
      const statusWith = async (key?: string) => {
        const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
        return (await app.request(path.replaceAll(/\{\w+\}/g, 'x'), { method, headers })).status;
      };
      expect(await statusWith()).toBe(401);
      expect(await statusWith('hk-wrong')).toBe(401);
      if (access === 'user') expect(await statusWith(adminKey)).toBe(403);
      if (access === 'admin') expect(await statusWith(userKey)).toBe(403);
    },
  );
});

const messages = [{ role: 'user', content: 'Hi' }];
const form = (model: string) => {
  const body = new FormData();
  body.set('model', model);
  body.set('file', new File(['RIFF'], 'a.wav'));
  return body;
};

/** A request of each metered route, and a kind of models that cannot fulfil it. */
const requests: Readonly<Record<keyof typeof meteredRoutes, readonly [body: object | 'form', other: ModelKind, fit: string]>> = {
  chatCompletions: [{ messages }, 'embedding', 'plain'],
  messages: [{ messages, max_tokens: 9 }, 'speech', 'plain'],
  responses: [{ input: 'Hi' }, 'voice', 'plain'],
  responsesCompact: [{ input: 'Hi' }, 'reranker', 'plain'],
  completions: [{ prompt: 'Hi' }, 'embedding', 'plain'],
  llamaCompletion: [{ prompt: 'Hi' }, 'reranker', 'plain'],
  infill: [{ input_prefix: 'Hi' }, 'speech', 'plain'],
  embeddings: [{ input: 'Hi' }, 'voice', 'plain'],
  ollamaChat: [{ messages }, 'embedding', 'plain'],
  ollamaGenerate: [{ prompt: 'Hi' }, 'reranker', 'plain'],
  ollamaEmbed: [{ input: 'Hi' }, 'speech', 'plain'],
  ollamaEmbeddings: [{ prompt: 'Hi' }, 'voice', 'plain'],
  lmStudioChat: [{ input: 'Hi' }, 'embedding', 'plain'],
  rerank: [{ query: 'a', documents: ['b'] }, 'chat', 'the-reranker'],
  tokenize: [{ content: 'Hi' }, 'speech', 'plain'],
  detokenize: [{ tokens: [5] }, 'voice', 'plain'],
  applyTemplate: [{ messages }, 'embedding', 'plain'],
  transcriptions: ['form', 'chat', 'the-speech'],
  translations: ['form', 'voice', 'the-speech'],
  speech: [{ input: 'Hi' }, 'chat', 'the-voice'],
}; // prettier-ignore

const byRoute = Object.entries(requests).map(
  ([name, asked]) => [meteredRoutes[name as keyof typeof requests].route, ...asked] as const,
);

/** Requests for more than every model of their kind can. */
const abilities: readonly (readonly [path: string, body: object])[] = [
  ['/v1/chat/completions', { messages, reasoning_effort: 'low' }],
  ['/v1/responses', { input: 'Hi', reasoning: { effort: 'low' } }],
  ['/api/chat', { messages, think: true }],
  ['/api/v1/chat', { input: 'Hi', reasoning: 'on' }],
  ['/v1/completions', { prompt: 'a', suffix: 'b' }],
  ['/api/generate', { prompt: 'a', suffix: 'b' }],
  ['/infill', { input_prefix: 'a', input_suffix: 'b' }],
  ['/v1/chat/completions', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] }] }],
  ['/api/chat', { messages: [{ role: 'user', content: 'Hi', images: ['AAAA'] }] }],
  ['/api/v1/chat', { input: [{ type: 'image', data_url: 'data:image/png;base64,AAAA' }] }],
]; // prettier-ignore

describe('what is asked of a model without the ability', () => {
  const ask = async (path: string, body: object | 'form', model: string) => {
    const authorization = { authorization: `Bearer ${userKey}` };
    const response =
      body === 'form'
        ? await app.request(path, { method: 'POST', body: form(model), headers: authorization })
        : await app.request(...jsonRequest(path, { model, ...body }));
    return { status: response.status, text: await response.text() };
  }; // prettier-ignore

  it.each(byRoute)('%s is a 400 that names one with it', async (route, body, other, fit) => {
    const model = other === 'chat' ? 'plain' : `the-${other}`;
    const { status, text } = await ask(route, body, model);
    expect(status, text).toBe(400);
    expect(text).toContain(`'${model}' cannot`);
    expect(text).toContain(`'${fit}'`);
  });

  it.each(abilities)('%s %j is one, too', async (path, body) => {
    const { status, text } = await ask(path, body, 'plain');
    expect(status, text).toBe(400);
    expect(text).toContain(`'able'`);
  });

  it('names none that the key may not use', async () => {
    const limited = buildApp({}, { catalog: fakeCatalog([fakeModel('org/slashed', { kind: 'embedding' }), fakeModel('able', { capabilities: able })]) });
    const response = await limited.app.request(
      ...jsonRequest('/v1/chat/completions', { model: 'org/slashed', messages }, { headers: { authorization: `Bearer ${limitedKey}`, 'content-type': 'application/json' } }),
    );
    expect(response.status).toBe(400);
    const text = await response.text();
    expect(text).not.toContain('able');
    expect(text).toContain('Use another model here.');
  }); // prettier-ignore
});

/** An engine whose work goes on until it is stopped. */
function endless() {
  const stopped = async (signal: AbortSignal) => {
    await once(signal, 'abort');
    return { outcome: 'aborted' as const, usage: nothingComputed, audioSeconds: 0 };
  };
  const generate = (_request: unknown, signal: AbortSignal) => {
    const channel = new GenerationChannel(signal);
    channel.accept();
    channel.start(3, 0);
    channel.push('Hello', []);
    void stopped(signal).then((end) => channel.end(end));
    return channel.generation;
  };
  const work = (_request: unknown, signal: AbortSignal) => stopped(signal);
  const refused = async (_request: unknown, signal: AbortSignal): Promise<never> => {
    await once(signal, 'abort');
    throw signal.reason;
  };
  const { engine } = buildApp();
  return {
    engine: Object.assign(engine, { generate, embed: work, rank: work, speak: work, tokenize: refused }),
    transcriber: { transcribe: work },
  };
}

describe('work that an operator stops', () => {
  const service = buildApp({}, { catalog, ...endless() });
  const streamed = Object.values(meteredRoutes)
    .filter((one) => one.measures.some((measure) => measure === 'outputTokens'))
    .map(({ route }) => route)
    .filter((route) => route !== '/v1/responses/compact');
  const cases = byRoute.flatMap(([route, body, , named]) =>
    (streamed.some((one) => one === route) ? [true, false] : [false]).map(
      (stream) => [route, stream, body, named === 'plain' ? 'able' : named] as const,
    ),
  );

  it.each(cases)('tells the client of %s so, streamed: %s', async (route, stream, body, fit) => {
    const authorization = { authorization: `Bearer ${userKey}` };
    const request: [string, RequestInit] =
      body === 'form'
        ? [route, { method: 'POST', body: form(fit), headers: authorization }]
        : jsonRequest(route, { model: fit, stream, ...body });
    const asked = service.app.request(...request);
    const { live } = service.metrics;
    await expect.poll(() => live.all.length).toBe(1);
    const reading = Promise.resolve(asked).then(
      async (answer) => [answer.status, await answer.text()] as const,
    );
    // From its first output on a stream has a status, so that the error is its last event.
    if (stream) await expect.poll(() => live.all[0]?.first).toBeDefined();
    expect(live.cancel('req_unknown')).toBeUndefined();
    live.cancel(live.all[0]?.id ?? '');
    const [status, text] = await reading;
    expect([status, text]).toEqual([
      stream ? 200 : 503,
      expect.stringContaining('An operator of this server stopped'),
    ]);
    await expect.poll(() => live.all).toEqual([]);
  });
});
