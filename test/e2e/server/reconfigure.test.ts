import { appendFile, copyFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completeChat, openClient, postChat } from '../../support/server/chat-client.ts';
import { oneThread } from '../../support/server/chat-fixture.ts';
import { configFileName, startServer, type RunningServer } from '../../support/server/start-server.ts';
import { createModelsDir, tinyModel } from '../../support/models/tiny-model.ts';

let server: RunningServer;
let modelsDir: string;
beforeAll(async () => {
  modelsDir = await createModelsDir({ tiny: await tinyModel({ contextTokens: 32_768 }) });
  server = await startServer({ modelsDirs: [modelsDir], config: configOf({ context: 256 }) });
});
afterAll(async () => {
  await server.stop();
  await rm(modelsDir, { recursive: true, force: true });
});

const configOf = (settings: object) => ({
  models: [{ id: 'tiny', parallel: 1, aliases: ['first-name'], ...oneThread, ...settings }],
});

const patience = { timeout: 30_000 };

/** Does `action`, and gives back the log from then on, as soon as `said` is in it. */
async function logOf(action: () => Promise<unknown>, said: string): Promise<string> {
  const before = server.stderr().length;
  await action();
  const log = () => server.stderr().slice(before);
  await expect.poll(log, patience).toContain(said);
  return log();
}

const reconfigure = (text: string, said: string): Promise<string> =>
  logOf(async () => {
    await writeFile(join(server.dataDir, configFileName), text);
    process.kill(server.pid, 'SIGHUP');
  }, said);

const listedIds = async () => (await openClient(server).models.list()).data.map(({ id }) => id);

async function modelField(name: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${server.apiKey}` };
  const response = await fetch(`${server.baseUrl}/models/tiny`, { headers });
  return ((await response.json()) as Record<string, unknown>)[name];
}

const longPrompt = {
  model: 'tiny',
  messages: [{ role: 'user', content: 'word '.repeat(600) }],
  max_tokens: 3,
};

describe('SIGHUP', { timeout: 120_000 }, () => {
  it('has a model in use finish as it is, and loads it anew with its new settings and names', async () => {
    const tooLong = await postChat(server, longPrompt);
    expect(await tooLong.text()).toContain('context_length_exceeded');
    const stream = await postChat(server, {
      model: 'tiny',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      ignore_eos: true,
      max_tokens: 120,
    });
    const changed = { ...configOf({ context: 8192, aliases: ['second-name'] }), queueLimit: 7 };
    const log = await reconfigure(JSON.stringify(changed), 'need a new start');
    expect(log).toContain('models and plans read again');
    expect(log).toContain('"settings":["queueLimit"]');
    const text = await stream.text();
    expect(text).toContain('"finish_reason":"length"');
    expect(text).toContain('[DONE]');

    expect((await postChat(server, longPrompt)).status).toBe(200);
    expect((await completeChat(openClient(server), 'second-name', 'Hi', { max_tokens: 2 })).model).toBe(
      'second-name',
    );
    expect((await postChat(server, { ...longPrompt, model: 'first-name' })).status).toBe(404);
  });

  it('has a model that could not be loaded tried again at once', async () => {
    const tooMuch = configOf({ context: 10_000_000, parallel: 256, reserve: true });
    await reconfigure(JSON.stringify(tooMuch), 'models and plans read again');
    const ask = () => postChat(server, { ...longPrompt, max_tokens: 1 });
    await expect.poll(async () => (await ask()).status, patience).toBe(503);
    expect(await (await ask()).text()).toContain('model_load_failed');
    await reconfigure(
      JSON.stringify(configOf({ context: 8192, aliases: ['second-name'] })),
      'models and plans read again',
    );
    expect((await ask()).status).toBe(200);
  });

  it.each([
    ['a mistake in the file', '{ "models": [{ "id": "tiny", "contxt": 1 }] }', 'contxt'],
    [
      'a name that is used twice',
      '{ "models": [{ "id": "a", "aliases": ["b"] }, { "id": "b" }] }',
      'already taken',
    ],
    ['no YAML', '{ "models": ', 'YAML'],
  ])('changes nothing when there is %s, and says why', async (_what, text, why) => {
    expect(await reconfigure(text, 'configuration not changed')).toContain(why);
    expect((await completeChat(openClient(server), 'second-name', 'Hi', { max_tokens: 2 })).model).toBe(
      'second-name',
    );
    expect(await modelField('state')).toBe('loaded');
  });
});

describe('the models folder', { timeout: 120_000 }, () => {
  it('is followed without being told', async () => {
    await copyFile(join(modelsDir, 'tiny.gguf'), join(modelsDir, 'new.part'));
    await rename(join(modelsDir, 'new.part'), join(modelsDir, 'new.gguf'));
    await expect.poll(listedIds, patience).toContain('new');
    await completeChat(openClient(server), 'new', 'Hi', { max_tokens: 2 });
    const log = await logOf(() => rm(join(modelsDir, 'new.gguf')), '"model unloaded"');
    expect(log).toContain('model is gone');
    expect(await listedIds()).not.toContain('new');
    expect((await postChat(server, { ...longPrompt, model: 'new' })).status).toBe(404);
  });

  it('frees a model in memory whose file has changed', async () => {
    await completeChat(openClient(server), 'tiny', 'Hi', { max_tokens: 2 });
    // So that the file has been looked at while the model is in memory.
    await reconfigure(JSON.stringify(configOf({ context: 8192 })), 'models and plans read again');
    const touched = () => appendFile(join(modelsDir, 'tiny.gguf'), Buffer.alloc(32));
    expect(await logOf(touched, '"model unloaded"')).toContain('model has changed');
    const asked = () => completeChat(openClient(server), 'tiny', 'Hi', { max_tokens: 2 });
    await logOf(asked, '"model loaded"');
  });
});
