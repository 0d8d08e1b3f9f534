import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChatModelsDir, type ModelsDir } from '../../support/models/chat-models.ts';
import { postChat, postCompletion, toErrorAnswer } from '../../support/server/chat-client.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';
import { stopChildren } from '../../support/watch/child-processes.ts';

// A process that is stopped takes no processor time, just as one for which a busy machine has none.
describe.runIf(process.platform === 'linux')(
  'where the machine has no time for a process of the server',
  () => {
    let models: ModelsDir;
    let server: RunningServer;
    beforeAll(async () => {
      models = await openChatModelsDir();
      const config = { loadTimeout: '2s' };
      server = await startServer({ modelsDirs: [models.path], config, triesModels: true });
    });
    afterAll(async () => {
      await server.stop();
      await models[Symbol.asyncDispose]();
    });
    const messages = [{ role: 'user', content: 'Hello' }];

    it('a client is told that the model is being checked, and finds it later', async () => {
      const ask = () => postChat(server, { model: 'tiny', messages, max_tokens: 2 });
      const asked = ask();
      const resume = await stopChildren(server.pid, 'load-check-child');
      const { status, headers, error } = await toErrorAnswer(await asked);
      resume();
      expect({ status, code: error.code }).toEqual({ status: 503, code: 'model_loading' });
      expect(error.message).toContain('is being checked');
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      await expect.poll(async () => (await ask()).status, { timeout: 60_000 }).toBe(200);
    });

    it('a schema is not to blame: the client may try again', async () => {
      const ask = () =>
        postCompletion(server, {
          model: 'tiny',
          prompt: 'Hello',
          guided_json: { type: 'object', properties: { a: { type: 'integer', minimum: 7 } } },
        });
      await stopChildren(server.pid, 'sandbox-program');
      const { status, headers, error } = await toErrorAnswer(await ask());
      expect({ status, code: error.code }).toEqual({ status: 503, code: 'server_overloaded' });
      expect(error.message).toContain('so busy that the request was not prepared in 5 s');
      expect(headers.get('retry-after')).toBe('2');
      await expect.poll(async () => (await ask()).status, { timeout: 60_000 }).toBe(200);
    });
  },
);
