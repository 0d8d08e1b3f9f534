import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { postChat, toErrorAnswer } from '../../support/server/chat-client.ts';
import { hearthCli } from '../../support/server/hearth-cli.ts';
import { makeAccount } from '../../support/server/make-accounts.ts';
import { useLimitedServer } from '../../support/server/limits-fixture.ts';
import type { TestKey } from '../../support/server/limits-fixture.ts';
import { configFileName } from '../../support/server/start-server.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';

const limited = useLimitedServer(
  {
    few: { limits: { requests: { hour: 7 } } },
    many: { limits: { requests: { hour: 7000 } } },
  },
  {},
  async () => ({ other: await tinyModel() }),
);

/** Far more than anything takes here, on a machine that is busy with something else. */
const patience = { timeout: 20_000 };

const body = { model: 'tiny', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 };
const ask = (key: TestKey): Promise<Response> => postChat({ ...limited().server, apiKey: key.secret }, body);
async function createKeyByCommand(account: string, ...flags: readonly string[]): Promise<TestKey> {
  makeAccount(limited().server, account, 'many');
  return hearthCli(limited().server, 'keys', 'create', '--account', account, ...flags);
}
const statusWith = async (key: TestKey): Promise<number> => {
  const headers = { authorization: `Bearer ${key.secret}` };
  return (await fetch(`${limited().server.baseUrl}/models`, { headers })).status;
};
const admin = (path: string, key: TestKey, init: RequestInit = {}): Promise<Response> =>
  fetch(new URL(`/admin/v1${path}`, limited().server.baseUrl), {
    ...init,
    headers: { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' },
  });

describe('a command, while the server runs,', () => {
  it('revokes a key for the next request', async () => {
    const key = limited().createKey('revoked', 'many');
    expect(await statusWith(key)).toBe(200);
    await hearthCli(limited().server, 'keys', 'revoke', key.id);
    const answer = await toErrorAnswer(await ask(key));
    expect(answer.status).toBe(401);
    expect(answer.error).toMatchObject({ type: 'authentication_error', code: 'invalid_api_key' });
  });

  it('makes a key that ends by itself', async () => {
    const key = await createKeyByCommand('expiring', '--expires', '3s');
    expect(await statusWith(key)).toBe(200);
    await expect.poll(() => statusWith(key), patience).toBe(401);
  });

  it('makes a key for some models', async () => {
    const key = await createKeyByCommand('choosy', '--models', 'other');
    const answer = await toErrorAnswer(await ask(key));
    expect(answer.status).toBe(403);
    expect(answer.error).toMatchObject({ code: 'insufficient_permissions', param: 'model' });
    // The server knows its models, whose folder this command was not told.
    await expect(createKeyByCommand('careless', '--models', 'othr')).rejects.toThrow(/othr.*other/s);
  });

  it('rotates a key, and both work for a while', async () => {
    const old = limited().createKey('rotated', 'few');
    expect((await ask(old)).headers.get('x-ratelimit-remaining-requests')).toBe('6');
    const rotate = ['keys', 'rotate', old.id, '--overlap', '3s'];
    const next = await hearthCli<TestKey>(limited().server, ...rotate);
    // A new key is no new allowance: both use up the same one.
    expect((await ask(old)).headers.get('x-ratelimit-remaining-requests')).toBe('5');
    expect((await ask(next)).headers.get('x-ratelimit-remaining-requests')).toBe('4');
    await expect.poll(() => statusWith(old), patience).toBe(401);
    expect(await statusWith(next)).toBe(200);
  });

  it('puts an account on a plan that holds for the next request', async () => {
    const key = limited().createKey('moving', 'few');
    expect((await ask(key)).headers.get('x-ratelimit-limit-requests')).toBe('7');
    await hearthCli(limited().server, 'accounts', 'set-plan', 'moving', 'many');
    const response = await ask(key);
    expect(response.headers.get('x-ratelimit-limit-requests')).toBe('7000');
    // Of the 7 that there were, two are used; the new limit refills, it does not fill.
    expect(Number(response.headers.get('x-ratelimit-remaining-requests'))).toBeLessThan(20);
  });
});

it('SIGHUP reads the plans again, and a file with an error changes nothing', async () => {
  const { server, createKey } = limited();
  const key = createKey('replanned', 'few');
  const file = join(server.dataDir, configFileName);
  const before = await readFile(file, 'utf8');
  const limitNow = async () => (await ask(key)).headers.get('x-ratelimit-limit-requests');
  expect(await limitNow()).toBe('7');
  await writeFile(file, before.replace('"hour":7}', '"hour":77}'));
  process.kill(server.pid, 'SIGHUP');
  await expect.poll(() => server.stderr(), patience).toContain('plans read again');
  expect(await limitNow()).toBe('77');
  await writeFile(file, '{"plans": 1}');
  process.kill(server.pid, 'SIGHUP');
  await expect.poll(() => server.stderr(), patience).toContain('configuration not changed');
  expect(await limitNow()).toBe('77');
  await writeFile(file, before);
  process.kill(server.pid, 'SIGHUP');
  await expect.poll(limitNow, patience).toBe('7');
});

it('an admin key that the command made does all of it over HTTP', async () => {
  const root = await createKeyByCommand('root', '--admin');
  expect(root.secret).toMatch(/^hk-admin-/);
  const post = { method: 'POST', body: JSON.stringify({ name: 'remote', plan: 'few' }) };
  expect((await admin('/accounts', root, post)).status).toBe(201);
  const created = await admin('/keys', root, { method: 'POST', body: '{"account": "remote"}' });
  const { id, value: secret } = (await created.json()) as { id: string; value: string };
  const key = { ...root, id, secret };
  expect((await ask(key)).headers.get('x-ratelimit-limit-requests')).toBe('7');
  expect((await admin('/keys', key)).status).toBe(403);
  const usage = await (await admin('/usage?account=remote&by=model', root)).json();
  expect(usage).toMatchObject({ data: [{ group: 'tiny', requests: 1, completion_tokens: 1 }] });
  expect(await (await admin(`/keys/${id}`, root, { method: 'DELETE' })).json()).toMatchObject({
    state: 'revoked',
  });
  expect((await ask(key)).status).toBe(401);
});
