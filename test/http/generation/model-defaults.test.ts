import { describe, expect, it } from 'vitest';
import { buildApp, jsonRequest, userKey } from '../../support/fakes/http-service.ts';
import { fakeCatalog, fakeModel } from '../../support/fakes/fake-services.ts';

const tuned = fakeModel('tuned', {
  defaults: { sampling: { temperature: 0.2, topK: 7 }, stop: ['END'], system: 'Answer in Dutch.' },
});
const messages = [{ role: 'user', content: 'Hi' }];
const toTalk = (system: string) => [{ role: 'system', content: system }, ...messages];

/** Every route that answers conversations, with a request's own settings there. */
const routes = [
  {
    path: '/v1/chat/completions',
    body: { messages },
    own: { messages: toTalk('Be brief.'), temperature: 0, stop: 'X' },
  },
  {
    path: '/v1/messages',
    body: { messages, max_tokens: 9 },
    own: { system: 'Be brief.', temperature: 0, stop_sequences: ['X'] },
  },
  {
    path: '/v1/responses',
    body: { input: 'Hi' },
    own: { instructions: 'Be brief.', temperature: 0 },
    keepsStop: true,
  },
  {
    path: '/api/v1/chat',
    body: { input: 'Hi', store: false },
    own: { system_prompt: 'Be brief.', temperature: 0, stop: 'X' },
  },
  {
    path: '/api/chat',
    body: { messages, stream: false },
    own: { messages: toTalk('Be brief.'), options: { temperature: 0, stop: ['X'] } },
  },
  {
    path: '/api/generate',
    body: { prompt: 'Hi', stream: false },
    own: { system: 'Be brief.', options: { temperature: 0, stop: ['X'] } },
  },
];

describe.each(routes)('$path', ({ path, body, own, keepsStop = false }) => {
  const ask = async (extra: object) => {
    const service = buildApp({}, { catalog: fakeCatalog([tuned]) });
    const response = await service.app.request(...jsonRequest(path, { model: 'tuned', ...body, ...extra }));
    expect(response.status, await response.text()).toBe(200);
    return service.engine.lastCall.request;
  };

  it('has what the operator set for the model where a request says nothing', async () => {
    expect(await ask({})).toMatchObject({
      prompt: { kind: 'messages', messages: toTalk('Answer in Dutch.') },
      sampling: { temperature: 0.2, topK: 7, topP: 0.95 },
      chosenSampling: ['temperature', 'topK'],
      stop: ['END'],
    });
  });

  it('has what a request says instead', async () => {
    expect(await ask(own)).toMatchObject({
      prompt: { kind: 'messages', messages: toTalk('Be brief.') },
      sampling: { temperature: 0, topK: 7 },
      stop: keepsStop ? ['END'] : ['X'],
    });
  });
});

it('a text that is continued has the parameters, and no system message', async () => {
  const service = buildApp({}, { catalog: fakeCatalog([tuned]) });
  await service.app.request(...jsonRequest('/v1/completions', { model: 'tuned', prompt: 'Hi' }));
  expect(service.engine.lastCall.request).toMatchObject({
    prompt: { kind: 'text', text: 'Hi' },
    sampling: { temperature: 0.2, topP: 1 },
    stop: ['END'],
  });
});

it('tells what the operator set in the list of models', async () => {
  const service = buildApp({}, { catalog: fakeCatalog([tuned]) });
  const headers = { authorization: `Bearer ${userKey}` };
  const response = await service.app.request('/v1/models', { headers });
  expect(await response.json()).toMatchObject({
    data: [{ id: 'tuned', default_parameters: { temperature: 0.2, top_k: 7 } }],
  });
});
