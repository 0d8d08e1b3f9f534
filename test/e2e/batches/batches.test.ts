import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Anthropic from '@anthropic-ai/sdk';
import { expect, it } from 'vitest';
import {
  batchWhen,
  chatLine as lineOf,
  createBatch,
  readResults,
  toJsonl,
  uploadLines,
  type BatchResult,
} from '../../support/server/batches.ts';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { openClient } from '../../support/server/chat-client.ts';
import { hearthCli } from '../../support/server/hearth-cli.ts';
import { makeAccount, makeKey } from '../../support/server/make-accounts.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { ledgerOf } from '../../support/watch/ledger.ts';

const fixture = useChatServer();
const model = 'tiny';
const cliPath = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));

const chatLine = (id: string, content: string, more: object = {}) => lineOf(id, model, content, more);

it('keeps files, and gives back all of one or a part', async () => {
  const { client, server } = fixture();
  const text = toJsonl([chatLine('a', 'Hi')]);
  const file = await uploadLines(client, text);
  expect(file).toMatchObject({
    bytes: text.length,
    filename: 'lines.jsonl',
    purpose: 'batch',
    object: 'file',
  });
  expect(await client.files.retrieve(file.id)).toEqual(file);
  const listed = await client.files.list({ purpose: 'batch', limit: 1 });
  expect(listed.data).toEqual([file]);
  expect(await (await client.files.content(file.id)).text()).toBe(text);
  const part = await fetch(`${server.baseUrl}/files/${file.id}/content`, {
    headers: { authorization: `Bearer ${server.apiKey}`, range: 'bytes=2-10' },
  });
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
    206,
    `bytes 2-10/${text.length}`,
    text.slice(2, 11),
  ]);
  expect(await client.files.delete(file.id)).toEqual({ id: file.id, object: 'file', deleted: true });
  await expect(client.files.retrieve(file.id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
  expect(readdirSync(join(server.dataDir, 'files'))).not.toContain(file.id);
});

it('names the first line that is wrong when a file comes', async () => {
  const { client } = fixture();
  const empty = { method: 'POST', url: '/v1/completions', body: {} };
  const hundredThousand = toJsonl(
    Array.from({ length: 100_000 }, (_, index) => ({ custom_id: String(index), ...empty })),
  );
  const good = JSON.stringify(chatLine('a', 'Hi'));
  for (const [text, complaint] of [
    ['', 'The file is empty: it has no requests.'],
    [`${good}\n{"custom_id"`, 'Line 2 is not valid JSON'],
    [`${good}\n\n${good}\n`, 'Line 3 has the custom_id of line 1'],
    [`${good.replace('"a"', '""')}\n`, 'Line 1 needs a custom_id'],
    [toJsonl([empty]), 'Line 1 needs a custom_id'],
    [hundredThousand, 'Line 50001 is one too many'],
    [toJsonl([chatLine('a', 'Hi', { stream: true })]), 'Line 1 asks for a stream'],
    [`${good}\n${' '.repeat(2 ** 22 + 1)}`, 'Line 2 is longer than 4 MiB'],
    [`[1]\n`, 'Line 1 is no JSON object'],
    [`\uFEFF\n${good}\n{"custom_id"`, 'Line 3 is not valid JSON'],
    ['\n'.repeat(20 * 2 ** 20), 'Line 100001 is one too many of 100000 blank lines'],
    [
      good.replace('"Hi"', `${'['.repeat(40_000)}${']'.repeat(40_000)}`),
      'Line 1 is nested more than 1000 deep',
    ],
  ] as const)
    await expect(uploadLines(client, text)).rejects.toMatchObject({
      status: 400,
      code: 'invalid_value',
      param: 'file',
      message: expect.stringContaining(complaint) as string,
    });
});

it('keeps nothing of a file that is compressed, or cut off on its way', async () => {
  const { client, server } = fixture();
  const before = (await client.files.list()).data.length;
  const headers = {
    authorization: `Bearer ${server.apiKey}`,
    'content-type': 'multipart/form-data; boundary=x',
  };
  const compressed = { method: 'POST', headers: { ...headers, 'content-encoding': 'gzip' }, body: 'x' };
  expect((await fetch(`${server.baseUrl}/files`, compressed)).status).toBe(415);
  const half = [
    '--x\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nuser_data\r\n',
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\nhalf',
  ].join('');
  const outgoing = request(`${server.baseUrl}/files`, {
    method: 'POST',
    headers: { ...headers, 'content-length': 2 * half.length },
  });
  outgoing.on('error', () => undefined).write(half);
  const uploads = () => readdirSync(join(server.dataDir, 'uploads'));
  await expect.poll(() => uploads().length).toBe(1);
  outgoing.destroy();
  await expect.poll(uploads).toEqual([]);
  expect((await client.files.list()).data).toHaveLength(before);
});

it('answers every line as a request of its own, and charges it once and with a mark', async () => {
  const { client, server } = fixture();
  const lines = Array.from({ length: 30 }, (_, index) =>
    chatLine(`line-${index}`, `Say ${index}`, { my_own: 1 }),
  );
  const wrong = [
    chatLine('unknown', 'Hi', { model: 'nobody' }),
    chatLine('hot', 'Hi', { temperature: 99 }),
    chatLine('empty', 'Hi', { messages: [] }),
  ];
  // Files that were put together by a program that begins each with a mark have such marks in between, too.
  const [mark, half] = ['\uFEFF', lines.length / 2];
  const text = [lines.slice(0, half), [...lines.slice(half), ...wrong]].map((part) => mark + toJsonl(part));
  const created = await createBatch(client, text.join(''));
  expect(created).toMatchObject({ object: 'batch', status: 'validating', metadata: { name: 'test' } });
  const batch = await batchWhen(client, created);
  expect(batch).toMatchObject({
    status: 'completed',
    request_counts: { total: 33, completed: 30, failed: 3 },
    // One line names another one.
    model: null,
    errors: null,
    hearth: null,
  });
  const good = await readResults(client, batch.output_file_id);
  expect(good.map((line) => line.custom_id).sort()).toEqual(lines.map((line) => line.custom_id).sort());
  for (const { response, error } of good) {
    expect([response?.status_code, response?.ignored_parameters, error]).toEqual([200, ['my_own'], null]);
    expect(response?.body).toMatchObject({ object: 'chat.completion', usage: { completion_tokens: 4 } });
  }
  const bad = await readResults(client, batch.error_file_id);
  expect(Object.fromEntries(bad.map((line) => [line.custom_id, line.response?.status_code]))).toEqual({
    unknown: 404,
    hot: 400,
    empty: 400,
  });
  const metrics = async () => (await fetch(server.baseUrl.replace('/v1', '/metrics'))).text();
  expect(await metrics()).toContain('hearth_batch_lines_total{outcome="answered"} 30');
  await expect.poll(metrics).toContain('hearth_batches 0');
  const charged = ledgerOf(server).filter(({ batchId }) => batchId === batch.id);
  expect(charged).toHaveLength(30);
  const usage = good.map(({ response }) => response?.body['usage'] as { prompt_tokens: number });
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  expect(sum(charged.map((row) => row.promptTokens))).toBe(sum(usage.map((one) => one.prompt_tokens)));
  expect(batch.usage).toMatchObject({
    input_tokens: sum(charged.map((row) => row.promptTokens)),
    output_tokens: 120,
    total_tokens: sum(charged.map((row) => row.promptTokens)) + 120,
  });
  const listed = await client.batches.list({ limit: 1 });
  expect(listed.data.map(({ id }) => id)).toEqual([batch.id]);
  // The operator learns which failures came how often, and never a question.
  const { secret } = makeKey(server, 'local', { kind: 'admin' });
  const response = await fetch(server.baseUrl.replace('/v1', '/admin/v1/batches?limit=1'), {
    headers: { authorization: `Bearer ${secret}` },
  });
  expect(await response.json()).toMatchObject({
    data: [
      {
        id: batch.id,
        input_file_name: 'lines.jsonl',
        failures: { model_not_found: 1, invalid_value: 2 },
      },
    ],
  });
});

it('serves the other routes of text and vectors', async () => {
  const { client } = fixture();
  for (const [endpoint, body, object] of [
    ['/v1/responses', { input: 'Hi', max_output_tokens: 4 }, 'response'],
    ['/v1/completions', { prompt: 'Hi', max_tokens: 4 }, 'text_completion'],
    ['/v1/embeddings', { input: ['a', 'b'] }, 'list'],
  ] as const) {
    const line = { custom_id: 'one', method: 'POST', url: endpoint, body: { model, ...body } };
    const batch = await batchWhen(client, await createBatch(client, toJsonl([line]), endpoint));
    const [result] = await readResults(client, batch.output_file_id);
    expect(result?.response?.body).toMatchObject({ object });
    expect(batch.model).toBe(model);
  }
});

it('fails a batch whose lines ask another endpoint, and says which line', async () => {
  const { client } = fixture();
  const batch = await batchWhen(
    client,
    await createBatch(client, toJsonl([chatLine('a', 'Hi')]), '/v1/embeddings'),
  );
  expect(batch).toMatchObject({
    status: 'failed',
    errors: { data: [{ line: 1, message: expect.stringContaining('/v1/embeddings') as string }] },
    output_file_id: null,
  });
});

it('cancels: what was computed is kept, each other line is reported', async () => {
  const { client } = fixture();
  const lines = Array.from({ length: 200 }, (_, index) =>
    chatLine(`c-${index}`, `Count ${index}`, { max_tokens: 60, ignore_eos: true }),
  );
  const created = await createBatch(client, toJsonl(lines));
  await expect
    .poll(async () => (await client.batches.retrieve(created.id)).request_counts?.completed, { interval: 20 })
    .toBeGreaterThan(0);
  expect(['cancelling', 'cancelled']).toContain((await client.batches.cancel(created.id)).status);
  const batch = await batchWhen(client, created);
  expect(batch.status).toBe('cancelled');
  const [good, bad] = await Promise.all([
    readResults(client, batch.output_file_id),
    readResults(client, batch.error_file_id),
  ]);
  expect([...good, ...bad].map((line) => line.custom_id).sort()).toEqual(
    lines.map((line) => line.custom_id).sort(),
  );
  expect(new Set(bad.map(({ error }) => error?.code))).toEqual(new Set(['batch_cancelled']));
  await expect(client.files.delete(batch.input_file_id)).resolves.toMatchObject({ deleted: true });
});

it("serves Anthropic's batches by the same rules", async () => {
  const { server } = fixture();
  const client = new Anthropic({
    baseURL: server.baseUrl.replace('/v1', ''),
    apiKey: server.apiKey,
    maxRetries: 0,
  });
  const params = (more: object = {}) => ({
    model,
    max_tokens: 4,
    messages: [{ role: 'user' as const, content: 'Hi', my_own: 1 }],
    ...more,
  });
  const requests = [
    ...Array.from({ length: 8 }, (_, index) => ({ custom_id: `m-${index}`, params: params() })),
    { custom_id: 'wrong', params: params({ max_tokens: -1 }) },
  ];
  await expect(
    client.messages.batches.create({ requests: [...requests, ...requests.slice(0, 1)] }),
  ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('requests[9]') as string });
  const created = await client.messages.batches.create({ requests });
  expect(created).toMatchObject({
    type: 'message_batch',
    processing_status: 'in_progress',
    results_url: null,
  });
  expect(created.request_counts.processing).toBe(9);
  let batch = created;
  await expect
    .poll(
      async () => {
        batch = await client.messages.batches.retrieve(created.id);
        return batch.processing_status;
      },
      { timeout: 50_000, interval: 50 },
    )
    .toBe('ended');
  expect(batch.request_counts).toEqual({ processing: 0, succeeded: 8, errored: 1, canceled: 0, expired: 0 });
  const types: Record<string, string> = {};
  for await (const { custom_id, result } of await client.messages.batches.results(batch.id)) {
    types[custom_id] = result.type;
    if (result.type === 'succeeded')
      expect(result).toMatchObject({
        message: { type: 'message', role: 'assistant' },
        ignored_parameters: ['messages[0].my_own'],
      });
    if (result.type === 'errored') expect(result.error.error.type).toBe('invalid_request_error');
  }
  expect(types).toEqual(
    Object.fromEntries(requests.map(({ custom_id: id }) => [id, id === 'wrong' ? 'errored' : 'succeeded'])),
  );
  expect((await client.messages.batches.list({ limit: 1 })).data[0]?.id).toBe(batch.id);
  expect(await client.messages.batches.delete(batch.id)).toMatchObject({ type: 'message_batch_deleted' });
  await expect(client.messages.batches.retrieve(batch.id)).rejects.toMatchObject({ status: 404 });
});

it('is one command in a terminal, which leaves nothing behind', async () => {
  const { client, server } = fixture();
  const file = join(server.dataDir, 'texts.txt');
  const { body, ...named } = chatLine('named', 'Hi');
  const { model: _, ...unnamed } = body;
  writeFileSync(file, `Good day\n\n${JSON.stringify({ ...named, body: unnamed })}\n`);
  const before = (await client.files.list()).data.length;
  const args = ['batch', 'run', file, '--model', model, '--data-dir', server.dataDir];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [cliPath, ...args], {
    cwd: server.dataDir,
    env: { PATH: process.env['PATH'] },
  });
  const found = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as BatchResult);
  expect(Object.fromEntries(found.map((line) => [line.custom_id, line.response?.status_code]))).toEqual({
    'line-1': 200,
    named: 200,
  });
  expect(stderr).toContain('2 of 2');
  expect((await client.files.list()).data).toHaveLength(before);
});

it('is in a backup with its files, if that is wanted', async () => {
  const { client, server } = fixture();
  const kept = (await client.files.list()).data;
  const backup = async (...more: readonly string[]) => {
    const args = ['backup', join(server.dataDir, 'backup.tar'), '--force', ...more];
    return (await hearthCli<{ files: string[] }>(server, ...args)).files;
  };
  const without = await backup();
  expect(without.filter((name) => name.startsWith('files/'))).toEqual([]);
  expect(new Set(await backup('--files'))).toEqual(
    new Set([...without, ...kept.map(({ id }) => `files/${id}`)]),
  );
  const dataDir = mkdtempSync(join(tmpdir(), 'hearth-restored-'));
  await hearthCli({ dataDir }, 'restore', join(server.dataDir, 'backup.tar'));
  expect(new Set(readdirSync(join(dataDir, 'files')))).toEqual(new Set(kept.map(({ id }) => id)));
  rmSync(dataDir, { recursive: true });
});

it('waits where a limit is reached, and says for what', async () => {
  const { server } = fixture();
  makeAccount(server, 'slow', 'trial');
  const { secret } = makeKey(server, 'slow');
  const client = openClient({ baseUrl: server.baseUrl, apiKey: secret });
  const lines = Array.from({ length: 63 }, (_, index) => chatLine(`w-${index}`, 'Hi', { max_tokens: 1 }));
  const created = await createBatch(client, toJsonl(lines));
  let waited: unknown;
  await expect
    .poll(
      async () => {
        const batch = await client.batches.retrieve(created.id);
        waited ??= 'hearth' in batch ? batch.hearth : undefined;
        return batch.status;
      },
      { timeout: 50_000, interval: 20 },
    )
    .toBe('completed');
  expect(waited).toMatchObject({
    waiting_for: expect.stringContaining('requests per minute') as string,
    waiting_code: 'rate_limit_exceeded',
  });
  expect((await client.batches.retrieve(created.id)).request_counts).toMatchObject({
    completed: 63,
    failed: 0,
  });
});

it('shows an account nothing of another, and ends the batches of keys and accounts that are gone', async () => {
  const { client, server } = fixture();
  type Key = { secret: string; id: string };
  makeAccount(server, 'other', 'unlimited');
  const old = makeKey(server, 'other');
  const stranger = openClient({ baseUrl: server.baseUrl, apiKey: old.secret });
  // More than a server computes while commands run on a busy machine.
  const lines = Array.from({ length: 3000 }, (_, index) => chatLine(`r-${index}`, 'Go', { max_tokens: 60 }));
  const batch = await createBatch(stranger, toJsonl(lines));
  await expect(client.batches.retrieve(batch.id)).rejects.toMatchObject({ status: 404 });
  await expect(client.batches.cancel(batch.id)).rejects.toMatchObject({ status: 404 });
  await expect(client.files.content(batch.input_file_id)).rejects.toMatchObject({ status: 404 });
  await expect(client.files.delete(batch.input_file_id)).rejects.toMatchObject({ status: 404 });
  await expect(stranger.files.delete(batch.input_file_id)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining(batch.id) as string,
  });
  const rowOf = ({ id }: { id: string }) => withStore(server, ({ batches }) => batches.get(id));

  // A key that was rotated pays until its overlap is over.
  const renewed = await hearthCli<Key>(server, 'keys', 'rotate', old.id, '--overlap', '1h');
  const done = rowOf(batch)?.succeeded ?? 0;
  await expect.poll(() => rowOf(batch)?.succeeded).toBeGreaterThan(done);
  await hearthCli(server, 'keys', 'revoke', old.id);
  await expect.poll(() => rowOf(batch)?.status).toBe('cancelled');
  expect(rowOf(batch)?.succeeded).toBeLessThan(3000);

  const heir = openClient({ baseUrl: server.baseUrl, apiKey: renewed.secret });
  const second = await createBatch(heir, toJsonl(lines));
  await hearthCli(server, 'accounts', 'rm', 'other', '--yes');
  await expect.poll(() => rowOf(second)?.status).toBe('cancelled');
});

function withStore<Result>({ dataDir }: { dataDir: string }, read: (store: Store) => Result): Result {
  const store = openStore(join(dataDir, 'hearth.db'));
  try {
    return read(store);
  } finally {
    store.close();
  }
}
