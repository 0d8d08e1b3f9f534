import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { postChat } from '../../support/server/chat-client.ts';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { makeKey } from '../../support/server/make-accounts.ts';
import { watchHealth } from '../../support/watch/health-watch.ts';
import { ledgerOf } from '../../support/watch/ledger.ts';

const fixture = useChatServer();
const chat = { model: 'tiny', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 3, ignore_eos: true };

it('while another program locks the database nobody waits but those who write, and nothing is lost', async () => {
  const { server, client } = fixture();
  const { secret } = makeKey(server, 'local', { kind: 'admin' });
  const begun = await postChat(server, { ...chat, max_tokens: 600, stream: true });
  const response = client.responses.create({
    model: 'tiny',
    input: 'Hi',
    max_output_tokens: 200,
    store: true,
  });
  const other = new Sqlite(join(server.dataDir, 'hearth.db'));
  let written: Promise<unknown> | undefined;
  const isThere: string[] = [];
  const { delayMs } = await watchHealth(server, async () => {
    other.exec('BEGIN IMMEDIATE');
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const key = { account: 'local', name: 'made while locked' };
    const writers = {
      chat: postChat(server, chat).then(({ status }) => status),
      key: fetch(new URL('/admin/v1/keys', server.baseUrl), { method: 'POST', headers, body: JSON.stringify(key) }).then(({ status }) => status), // prettier-ignore
      file: client.files.create({ file: new File(['text'], 'a.txt'), purpose: 'user_data' }),
    };
    for (const [name, writer] of Object.entries(writers)) void writer.then(() => isThere.push(name));
    written = Promise.all(Object.values(writers));
    // Neither needs to write.
    expect((await client.models.list()).data.length).toBeGreaterThan(0);
    expect(await begun.text()).toContain('[DONE]');
    expect(isThere).toEqual([]);
  });
  // Each write used to hold up everybody for 5 s.
  expect(delayMs).toBeLessThan(3000);
  other.exec('ROLLBACK');
  other.close();
  expect(await written).toEqual([200, 201, expect.objectContaining({ object: 'file' })]);
  const { id } = await response;
  expect(await client.responses.retrieve(id)).toMatchObject({ id });
  await expect
    .poll(() => ledgerOf(server).map(({ completionTokens }) => completionTokens), { timeout: 30_000 })
    .toEqual(expect.arrayContaining([600, 3]));
});
