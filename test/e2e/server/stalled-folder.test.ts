import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { tinyModel } from '../../support/models/tiny-model.ts';
import { completeChat, openClient } from '../../support/server/chat-client.ts';
import { oneThread } from '../../support/server/chat-fixture.ts';
import { startServer } from '../../support/server/start-server.ts';
import { watchHealth } from '../../support/watch/health-watch.ts';

const root = mkdtempSync(join(tmpdir(), 'hearth-stall-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const library = join(root, 'stall.so');
const source = fileURLToPath(new URL('../../support/files/stalling-folder.c', import.meta.url));
const voice = fileURLToPath(new URL('../../../models/hearth-demo-voice.gguf', import.meta.url));
const compiled = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl']);

describe.skipIf(compiled.status !== 0)('a models folder that does not answer (skipped without cc)', () => {
  it('holds up nobody: its models stay as they were, and the others are served', async () => {
    const stall = join(root, 'stall');
    const [near, far] = [join(root, 'near'), join(root, 'nas')];
    const file = await tinyModel();
    for (const folder of [near, far]) mkdirSync(folder);
    copyFileSync(file, join(near, 'tiny.gguf'));
    copyFileSync(file, join(far, 'far.gguf'));
    copyFileSync(voice, join(far, 'voice.gguf'));
    writeFileSync(stall, '');
    const models = ['tiny', 'later'].map((id) => ({ id, ...oneThread }));
    await using stack = new AsyncDisposableStack();
    const server = await startServer({
      modelsDirs: [far, near],
      config: { models, demo: false },
      env: { LD_PRELOAD: library, STALL_FILE: stall },
    });
    stack.defer(async () => {
      rmSync(stall, { force: true });
      await server.stop();
    });
    const client = openClient(server);
    const ids = async () => (await client.models.list()).data.map(({ id }) => id);
    const patience = { timeout: 60_000, interval: 200 };
    // The server began while the folder did not answer.
    expect(await ids()).toEqual(['tiny']);
    await expect.poll(() => server.stderr()).toContain('it does not answer');
    const { delayMs } = await watchHealth(server, async () => {
      await completeChat(client, 'tiny', 'Hi', { max_tokens: 100 });
      copyFileSync(file, join(near, 'unseen.part'));
      renameSync(join(near, 'unseen.part'), join(near, 'later.gguf'));
      await expect.poll(ids, patience).toContain('later');
      await completeChat(client, 'later', 'Hi', { max_tokens: 10 });
    });
    // The folder never answers in this time: nobody would be served if anybody waited for it.
    expect(delayMs).toBeLessThan(4000);
    rmSync(stall);
    await expect.poll(ids, patience).toEqual(['far', 'later', 'tiny', 'voice']);
    // Another folder is followed while it stalls again, and its models stay.
    writeFileSync(stall, '');
    rmSync(join(near, 'later.gguf'));
    await expect.poll(ids, patience).toEqual(['far', 'tiny', 'voice']);
    // Recordings are looked for beside models.
    const voices = await fetch(`${server.baseUrl}/audio/voices`, {
      headers: { authorization: `Bearer ${server.apiKey}` },
    });
    expect(voices.status).toBe(200);
  }, 120_000);
});
