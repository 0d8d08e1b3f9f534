import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { FileLibrary } from '../../../src/files/file-library.ts';
import { buildApp, userKey } from '../../support/fakes/http-service.ts';
import { openTempStore } from '../../unit/store/temp-store.ts';

interface WireFile {
  readonly id: string;
  readonly created_at: number;
  readonly expires_at: number | null;
}

const folder = mkdtempSync(path.join(tmpdir(), 'hearth-kept-files-'));
const temp = openTempStore();
afterAll(() => {
  temp.dispose();
  rmSync(folder, { recursive: true });
});
temp.store.accounts.insert({
  id: 'account-1',
  name: 'local',
  plan: 'unlimited',
  planSetAtMs: 0,
  createdAtMs: 0,
});
const clock = { nowMs: 1_795_000_000_000 };
const files = new FileLibrary({ store: temp.store, folder, limitBytes: 100, now: () => clock.nowMs });
const { app } = buildApp({ filesLimitBytes: 100 }, { files });
const authorization = `Bearer ${userKey}`;

const get = (address: string, headers: Record<string, string> = {}) =>
  app.request(address, { headers: { authorization, ...headers } });

function upload(content: string, more: Readonly<Record<string, string>> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ purpose: 'user_data', ...more })) form.append(name, value);
  form.append('file', new Blob([content]), 'text.txt');
  return app.request('/v1/files', { method: 'POST', headers: { authorization }, body: form });
}

async function keep(content: string, more: Readonly<Record<string, string>> = {}): Promise<WireFile> {
  clock.nowMs += 1000;
  const response = await upload(content, more);
  expect(response.status).toBe(200);
  return (await response.json()) as WireFile;
}

it('keeps files until they expire, lists them by pages, and gives parts of them', async () => {
  const kept = [await keep('one'), await keep('two'), await keep('0123456789')];
  const list = async (query: string) => (await (await get(`/v1/files${query}`)).json()) as object;
  expect(await list('?limit=2')).toEqual({
    object: 'list',
    data: [kept[2], kept[1]],
    first_id: kept[2]?.id,
    last_id: kept[1]?.id,
    has_more: true,
  });
  expect(await list(`?limit=2&after=${kept[1]?.id}`)).toMatchObject({ data: [kept[0]], has_more: false });
  expect(await list('?order=asc&limit=1')).toMatchObject({ data: [kept[0]], has_more: true });
  expect(await list('?purpose=batch')).toMatchObject({ data: [], first_id: null });
  expect((await get('/v1/files?after=file-none')).status).toBe(400);

  for (const [range, text] of [
    ['bytes=2-4', '234'],
    ['bytes=7-', '789'],
    ['bytes=-2', '89'],
    ['bytes=8-99', '89'],
    ['bytes=4-2', '0123456789'],
    ['bytes=a', '0123456789'],
  ] as const) {
    const part = await get(`/v1/files/${kept[2]?.id}/content`, { range });
    expect([range, part.status, await part.text()]).toEqual([range, text.length < 10 ? 206 : 200, text]);
  }
  for (const range of ['bytes=10-', 'bytes=20-30', 'bytes=-0']) {
    const none = await get(`/v1/files/${kept[2]?.id}/content`, { range });
    expect([range, none.status, none.headers.get('content-range')]).toEqual([range, 416, 'bytes */10']);
    expect(await none.json()).toMatchObject({ error: { code: 'range_not_satisfiable' } });
  }

  const short = { 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': '3600' };
  const brief = await keep('brief', short);
  expect(brief.expires_at).toBe(brief.created_at + 3600);
  expect((await get(`/v1/files/${brief.id}/content`)).status).toBe(200);
  clock.nowMs += 3_601_000;
  expect((await get(`/v1/files/${brief.id}`)).status).toBe(404);
  expect([files.deleteExpired(10), files.deleteExpired(10)]).toEqual([1, 0]);
  expect((await upload('x', { ...short, 'expires_after[seconds]': '60' })).status).toBe(400);
  for (const { id } of kept)
    await app.request(`/v1/files/${id}`, { method: 'DELETE', headers: { authorization } });
});

it('takes no more of an account than it may keep', async () => {
  await keep('a'.repeat(60));
  const refused = await upload('b'.repeat(60));
  expect(refused.status).toBe(400);
  const { error } = (await refused.json()) as { error: { message: string; param: string } };
  expect(error.param).toBe('file');
  expect(error.message).toContain('60 B of the 100 B');
  await keep('c'.repeat(40));
});

const clear = async () => {
  const { data } = (await (await get('/v1/files')).json()) as { data: WireFile[] };
  for (const { id } of data) await remove(id);
};
const remove = (id: string) =>
  app.request(`/v1/files/${id}`, { method: 'DELETE', headers: { authorization } });

/** The same upload as `upload`, which says its size as clients on sockets do. */
async function uploadWithSize(content: string): Promise<Response> {
  const form = new FormData();
  form.append('purpose', 'user_data');
  form.append('file', new Blob([content]), 'text.txt');
  const whole = new Request('http://localhost/', { method: 'POST', body: form });
  const body = Buffer.from(await whole.arrayBuffer());
  const type = whole.headers.get('content-type') ?? '';
  const headers = { authorization, 'content-type': type, 'content-length': String(body.byteLength) };
  return app.request('/v1/files', { method: 'POST', headers, body });
}

it.each([
  ['that do not say their size', upload],
  ['that say their size', uploadWithSize],
])('keeps room for files %s while they are on their way', async (_name, send) => {
  await clear();
  for (let round = 0; round < 2; round += 1) {
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async () => (await send('x'.repeat(60))).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(round === 0 ? 1 : 0);
    expect(statuses.every((status) => [200, 400, 413].includes(status))).toBe(true);
    expect(temp.store.files.kept('account-1')).toEqual({ count: 1, bytes: 60 });
  }
  expect((await send('y'.repeat(30))).status).toBe(200);
  await clear();
});

it('counts the results of batches that have not ended', async () => {
  temp.store.batches.insert({
    id: 'batch_1',
    accountId: 'account-1',
    keyId: 'key_1',
    dialect: 'openai',
    endpoint: '/v1/chat/completions',
    inputFileId: 'file-in',
    outputFileId: 'file-out',
    errorFileId: 'file-err',
    keptMs: 1,
    total: 1,
    metadata: null,
    createdAtMs: 0,
    expiresAtMs: 1,
  });
  const tokens = { promptTokens: 0, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 };
  const counts = { outputBytes: 50, errorBytes: 30, succeeded: 1, errored: 1, failures: '{}' };
  temp.store.batches.progress('batch_1', { ...counts, ...tokens });
  expect(files.roomOf('account-1')).toBe(20);
  expect(() => files.reserve('account-1', 21)).toThrow('filesLimit');
  temp.store.batches.delete('batch_1');
});

it('deletes a file although the disk is too full for the store to forget it', async () => {
  const { id } = await keep('gone');
  const full = () => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  };
  const forget = vi.spyOn(temp.store.files, 'delete').mockImplementation(full);
  expect((await remove(id)).status).toBe(200);
  expect((await get(`/v1/files/${id}`)).status).toBe(404);
  expect(await (await get('/v1/files')).json()).toMatchObject({ data: [] });
  forget.mockRestore();
  expect(temp.store.files.ids()).toEqual([id]);
  files.deleteExpired(10);
  expect(temp.store.files.ids()).toEqual([]);
});
