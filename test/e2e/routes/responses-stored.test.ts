import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type OpenAI from 'openai';
import { expect, it } from 'vitest';
import { openClient } from '../../support/server/chat-client.ts';
import { oneThread } from '../../support/server/chat-fixture.ts';
import { makeAccount, makeKey } from '../../support/server/make-accounts.ts';
import { startServer } from '../../support/server/start-server.ts';
import type { RunningServer } from '../../support/server/start-server.ts';
import { createModelsDir, tinyModel } from '../../support/models/tiny-model.ts';

const model = 'tiny';
// Two servers and two commands, each a process of its own.
const patience = { timeout: 240_000 };

it(
  'a stored response survives kill -9, can be continued after it, and is nobody else’s',
  patience,
  async () => {
    await using stack = new AsyncDisposableStack();
    const dataDir = await mkdtemp(join(tmpdir(), 'hearth-data-'));
    stack.defer(() => rm(dataDir, { recursive: true, force: true }));
    const modelsDir = await createModelsDir({ [model]: await tinyModel() });
    stack.defer(() => rm(modelsDir, { recursive: true, force: true }));
    const start = async (): Promise<RunningServer> => {
      const server = await startServer({
        modelsDirs: [modelsDir],
        dataDir,
        config: { models: [{ id: model, ...oneThread }] },
      });
      stack.defer(async () => void (await server.stop()));
      return server;
    };

    const before = await start();
    const options = { model, max_output_tokens: 10, temperature: 0, store: true };
    const stored = await openClient(before).responses.create({ ...options, input: 'Hello.' });
    const streamed = await openClient(before)
      .responses.stream({ ...options, input: 'Hello.' })
      .finalResponse();
    await before.kill();

    const after = await start();
    const client = openClient(after);
    expect(await client.responses.retrieve(stored.id)).toEqual(stored);
    expect((await client.responses.retrieve(streamed.id)).output_text).toBe(streamed.output_text);
    const next = await client.responses.create({
      ...options,
      input: 'Why?',
      previous_response_id: stored.id,
    });
    expect(next.usage?.input_tokens).toBeGreaterThan(stored.usage?.input_tokens ?? 0);

    const stranger = openStranger(after);
    const notFound = { status: 404, code: 'not_found' };
    await expect(stranger.responses.retrieve(stored.id)).rejects.toMatchObject(notFound);
    await expect(stranger.responses.inputItems.list(stored.id)).rejects.toMatchObject(notFound);
    await expect(stranger.responses.delete(stored.id)).rejects.toMatchObject(notFound);
    const borrowed = stranger.responses.create({
      ...options,
      input: 'Why?',
      previous_response_id: stored.id,
    });
    await expect(borrowed).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' });
    const [item] = stored.output;
    const reference = stranger.responses.create({
      ...options,
      input: [{ type: 'item_reference', id: item?.id ?? '' }],
    });
    await expect(reference).rejects.toMatchObject({ ...notFound, param: 'input[0].id' });

    await client.responses.delete(stored.id);
    await expect(client.responses.retrieve(stored.id)).rejects.toMatchObject(notFound);
  },
);

/** The client of another account. */
function openStranger(server: RunningServer): OpenAI {
  makeAccount(server, 'stranger', 'unlimited');
  return openClient({ ...server, apiKey: makeKey(server, 'stranger').secret });
}
