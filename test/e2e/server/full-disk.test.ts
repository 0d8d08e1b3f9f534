import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  batchWhen,
  chatLine,
  createBatch,
  readResults,
  toJsonl,
  uploadLines,
} from '../../support/server/batches.ts';
import { openClient, postChat, toErrorAnswer } from '../../support/server/chat-client.ts';
import { oneThread } from '../../support/server/chat-fixture.ts';
import { hearthProcess } from '../../support/server/hearth-process.ts';
import { hearthCli } from '../../support/server/hearth-cli.ts';
import { watchHealth } from '../../support/watch/health-watch.ts';
import { mountSmallDisk } from '../../support/files/small-disk.ts';
import { ledgerOf } from '../../support/watch/ledger.ts';
import { configFileName, startServer, type RunningServer } from '../../support/server/start-server.ts';
import { listenForWebhooks, webhookSecret } from '../../support/server/webhook-receiver.ts';
import { createModelsDir, tinyModel } from '../../support/models/tiny-model.ts';

/** A batch as hearth tells of it. */
interface Waiting {
  readonly hearth?: { readonly waiting_for: string } | null;
}

const disk = mountSmallDisk(8);
afterAll(() => disk?.[Symbol.dispose]());

describe.skipIf(disk === undefined)('a full disk (skipped where no file system may be mounted)', () => {
  let server: RunningServer;
  let hook: Awaited<ReturnType<typeof listenForWebhooks>>;
  beforeAll(async () => {
    hook = await listenForWebhooks();
    const models = await createModelsDir({ tiny: await tinyModel() });
    const config = {
      demo: false,
      models: [{ id: 'tiny', ...oneThread }],
      webhook: { url: hook.url, secret: { env: 'HOOK_SECRET' }, local: true },
    };
    server = await startServer({
      modelsDirs: [models],
      dataDir: disk?.folder ?? '',
      config,
      env: { HOOK_SECRET: webhookSecret },
    });
  });
  afterAll(async () => {
    await server.stop();
    await hook[Symbol.asyncDispose]();
  });

  it('is told before it is full, signed, once', async () => {
    await expect
      .poll(() => hook.received)
      .toMatchObject([{ type: 'disk.full', data: { folder: server.dataDir } }]);
    expect(hook.problems).toEqual([]);
  });

  const greeting = {
    model: 'tiny',
    messages: [{ role: 'user', content: 'Hi' }],
    max_tokens: 3,
    ignore_eos: true,
  };
  const get = (path: string) =>
    fetch(new URL(path, server.baseUrl), { headers: { authorization: `Bearer ${server.apiKey}` } });

  it('refuses work before it is done, charges later what it cannot write now, and answers the rest', async () => {
    await (await postChat(server, greeting)).json();
    const stream = await postChat(server, { ...greeting, max_tokens: 1900, stream: true });
    disk?.fill();
    expect(await stream.text()).toContain('[DONE]');
    await expect.poll(() => server.stderr()).toContain('what requests used cannot be written yet');

    const { delayMs } = await watchHealth(server, async () => {
      for (let attempts = 5; attempts > 0; attempts--) {
        const { status, headers, error } = await toErrorAnswer(await postChat(server, greeting));
        expect([status, error.code]).toEqual([503, 'storage_unavailable']);
        expect(error.message).toContain('disk is full');
        expect(headers.get('retry-after')).toBe('30');
      }
      const form = new FormData();
      form.set('model', 'any');
      form.set('file', new File([new Uint8Array(2 ** 17)], 'speech.mp3'));
      const upload = await fetch(`${server.baseUrl}/audio/transcriptions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.apiKey}` },
        body: form,
      });
      const refused = await toErrorAnswer(upload);
      expect([refused.status, refused.error.code]).toEqual([503, 'storage_unavailable']);
    });
    expect(delayMs).toBeLessThan(300);
    for (const path of ['/v1/models', '/healthz']) expect((await get(path)).status, path).toBe(200);
    expect((await get('/readyz')).status).toBe(503);
    disk?.empty();
    expect((await postChat(server, greeting)).status).toBe(200);
    expect((await get('/readyz')).status).toBe(200);
    expect(await usageRows()).toMatchObject([{ requests: 3, refunded: 0, completionTokens: 3 + 1900 + 3 }]);
  });

  it('is told by commands with the file and what to do, and by doctor with all else', async () => {
    const run = (...args: string[]) =>
      hearthProcess(server.dataDir, [...args, '--config', configFileName, '--data-dir', server.dataDir], {
        HOOK_SECRET: webhookSecret,
      });
    disk?.fill();
    const file = join(server.dataDir, 'hearth.db');
    const says = `the database ${file} cannot be written: database or disk is full`;
    const remedy = 'see that its disk has room and may be written, or choose another --data-dir';
    const created = await run('accounts', 'create', 'ada');
    const doctor = await run('doctor', '--json');
    disk?.empty();
    expect(created).toEqual({ code: 1, stdout: '', stderr: `hearth: ${says} (${remedy})\n` });
    expect([doctor.code, doctor.stderr]).toEqual([1, '']);
    const findings = JSON.parse(doctor.stdout) as { subject: string; ok: boolean }[];
    expect(findings).toContainEqual({ subject: 'database', ok: false, finding: says, remedy });
    const told = ['node', 'processor', 'memory', 'disk', 'tiny', 'addons'];
    expect(findings.map(({ subject }) => subject)).toEqual(expect.arrayContaining(told));
  });

  it('stops a batch, which says so and goes on when there is room, and takes no file', async () => {
    const client = openClient(server);
    const lines = Array.from({ length: 12 }, (_, index) =>
      chatLine(`${index}`, 'tiny', 'Hi', { max_tokens: 100 }),
    );
    const created = await createBatch(client, toJsonl(lines));
    const kept = await uploadLines(client, toJsonl(lines));
    disk?.fill();
    expect(await client.files.delete(kept.id)).toMatchObject({ deleted: true });
    await expect(client.files.retrieve(kept.id)).rejects.toMatchObject({ status: 404 });
    disk?.fill();
    const reason = ({ hearth }: Waiting) => hearth?.waiting_for ?? '';
    await batchWhen(client, created, (batch) => reason(batch as Waiting).includes('disk is full'));
    await expect(uploadLines(client, toJsonl(lines).repeat(500))).rejects.toMatchObject({
      status: 503,
      code: 'storage_unavailable',
    });
    disk?.empty();
    const batch = await batchWhen(client, created);
    expect(batch).toMatchObject({ status: 'completed', request_counts: { completed: 12, failed: 0 } });
    const results = await readResults(client, batch.output_file_id);
    expect(new Set(results.map((line) => line.custom_id)).size).toBe(12);
    const charged = ledgerOf(server).filter(({ batchId, status }) => batchId !== null && status === 200);
    expect(charged.map((row) => row.completionTokens)).toEqual(lines.map(() => 100));
    expect(hook.received).toHaveLength(1);
  });

  const usageRows = () => hearthCli<Record<string, number>[]>(server, 'usage');
});
