import { describe, expect, it } from 'vitest';
import { openClient, postChat, toErrorAnswer } from '../../support/server/chat-client.ts';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { chatModelIds } from '../../support/models/chat-models.ts';

const chat = useChatServer();

interface ListedModel {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly owned_by: string;
  readonly parameters_number: string;
  readonly capabilities: Record<string, unknown>;
}

describe('the model listing', () => {
  it('names every model of the folder with the fields of the interface', async () => {
    const listing = await chat().client.models.list();
    const models = listing.data as unknown as ListedModel[];
    expect(models.map(({ id }) => id)).toEqual(expect.arrayContaining([...chatModelIds]));
    for (const model of models) {
      expect(model).toMatchObject({
        id: expect.any(String) as string,
        object: 'model',
        owned_by: expect.any(String) as string,
        parameters_number: expect.stringMatching(/^\d+(\.\d+)?[KMBT]?$/) as string,
      });
      expect(Number.isInteger(model.created)).toBe(true);
      expect(Object.keys(model.capabilities).toSorted()).toEqual([
        'supports_audio',
        'supports_function_calling',
        'supports_image',
      ]);
    }
  });

  it('finds one model by its id', async () => {
    const { client } = chat();
    // Its first load tells how calls are written: its template writes none.
    await client.chat.completions.create({ model: 'tiny', messages: [user('Hi')], max_tokens: 1 });
    const model = await client.models.retrieve('tiny');
    expect(model).toMatchObject({ id: 'tiny', object: 'model', tool_format: 'json' });
  });

  it('answers 404 for an unknown model, also in chat, and names the nearest', async () => {
    const { server } = chat();
    const headers = { authorization: `Bearer ${server.apiKey}` };
    const lookup = await toErrorAnswer(await fetch(`${server.baseUrl}/models/tinny`, { headers }));
    const asked = await toErrorAnswer(await postChat(server, { model: 'tinny', messages: [user('Hi')] }));
    for (const { status, error } of [lookup, asked]) {
      expect(status).toBe(404);
      expect(error).toMatchObject({ type: 'invalid_request_error', code: 'model_not_found', param: 'model' });
      expect(error.message).toContain('tiny');
    }
  });
});

describe('keys', () => {
  it('are asked for', async () => {
    const { server } = chat();
    for (const path of ['/models', '/models/tiny']) {
      const answer = await toErrorAnswer(await fetch(`${server.baseUrl}${path}`));
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(answer.error).toMatchObject({ type: 'authentication_error', code: 'missing_api_key' });
    }
    const body = { model: 'tiny', messages: [user('Hi')] };
    const headers = { 'content-type': 'application/json' };
    expect((await toErrorAnswer(await postChat(server, body, { headers }))).status).toBe(401);
  });

  it('that are unknown are refused, and hardly shown', async () => {
    const { server } = chat();
    const apiKey = 'sk-not-a-key-of-this-server-at-all';
    const answer = await toErrorAnswer(
      await postChat({ ...server, apiKey }, { model: 'tiny', messages: [user('Hi')] }),
    );
    expect(answer.status).toBe(401);
    expect(answer.error).toMatchObject({ type: 'authentication_error', code: 'invalid_api_key' });
    expect(answer.error.message).not.toContain(apiKey.slice(5, -4));
    await expect(openClient({ ...server, apiKey }).models.list()).rejects.toMatchObject({ status: 401 });
  });

  it('are in no log', () => {
    const { server } = chat();
    expect(server.stderr()).not.toContain(server.apiKey);
    expect(server.stdout()).not.toContain(server.apiKey);
  });
});

describe('health', () => {
  it('needs no key on this machine', async () => {
    const root = chat().server.baseUrl.replace(/\/v1$/, '');
    expect((await fetch(`${root}/healthz`)).status).toBe(200);
    expect((await fetch(`${root}/readyz`)).status).toBe(200);
  });
});

function user(content: string): { role: 'user'; content: string } {
  return { role: 'user', content };
}
