import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, it, vi } from 'vitest';
import { BatchRunner, type BatchRunnerDeps } from '../../../src/batches/batch-runner.ts';
import { Batches } from '../../../src/batches/batches.ts';
import type { Batch, LineAnswer, LineRequest } from '../../../src/batches/batch-types.ts';
import { isPutOff } from '../../../src/batches/line-retries.ts';
import { FileLibrary } from '../../../src/files/file-library.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { mountSmallDisk } from '../../support/files/small-disk.ts';
import { openStore, type Store } from '../../../src/store/store.ts';

const dayMs = 86_400_000;

/** Batches of a store in `folder`; lines are answered by `send` as it likes. */
function open(folder: string, send: Send, capacityOf?: BatchRunnerDeps['capacityOf']) {
  const store = openStore(path.join(folder, 'hearth.db'));
  const clock = { aheadMs: 0 };
  const now = () => Date.now() + clock.aheadMs;
  const files = new FileLibrary({ store, folder: path.join(folder, 'files'), limitBytes: 2 ** 30, now });
  const deps: BatchRunnerDeps = {
    store,
    files,
    now,
    log: createLog({ level: 'silent' }),
    metrics: { batchLineEnded: () => undefined, batchesRun: () => undefined },
    isKeyValid: () => true,
    capacityOf: capacityOf ?? ((modelId) => ({ modelId, lines: 2 })),
    isLeaving: () => false,
  };
  const runner = new BatchRunner(deps);
  const batches = new Batches({ store, files, runner, now });
  runner.start(async (request, signal) => answerOf(await send(request, signal), request));
  let uploads = 0;
  /** A batch of requests with these prompts. */
  const create = async (accountId: string, prompts: readonly string[]): Promise<Batch> => {
    if (store.accounts.byId(accountId) === undefined) addAccount(store, accountId);
    const arrived = path.join(folder, `upload-${uploads++}`);
    const lines = prompts.map((prompt, index) => {
      const body = { model: 'tiny', prompt };
      return JSON.stringify({ custom_id: `${index}`, method: 'POST', url: endpoint, body });
    });
    writeFileSync(arrived, lines.join('\n'));
    const upload = { path: arrived, filename: 'lines.jsonl', purpose: 'batch', keptMs: undefined };
    const { id: inputFileId } = await files.add(accountId, upload);
    const wanted = { dialect: 'openai', endpoint, inputFileId, metadata: undefined, keptMs: dayMs } as const;
    return batches.create({ accountId, keyId: `key of ${accountId}` }, wanted);
  };
  const see = ({ accountId, id }: Batch) => batches.get(accountId, id, 'openai');
  return {
    store,
    files,
    clock,
    create,
    see,
    async ended(batch: Batch): Promise<Batch> {
      await vi.waitUntil(() => see(batch).endedAtMs !== null, { timeout: 30_000, interval: 5 });
      return see(batch);
    },
    /** The lines of a file of results. */
    read: (fileId: string) =>
      readFileSync(files.pathOf(fileId), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { custom_id: string; error: { code: string } | null }),
    async [Symbol.asyncDispose]() {
      await runner.stop();
      store.close();
    },
  };
}

type Send = (request: LineRequest, signal: AbortSignal) => number | Promise<number>;
const endpoint = '/v1/completions';
const answerOf = (status: number, request: LineRequest): LineAnswer => ({
  status,
  requestId: 'request',
  json: '{"error":{"message":"no"}}',
  ignored: [],
  retryAfterSeconds: 0,
  isPutOff: isPutOff(new Response(null, { status }), request),
  charges: [],
});

function addAccount(store: Store, id: string): void {
  store.accounts.insert({ id, name: id, plan: 'unlimited', planSetAtMs: 0, createdAtMs: 0 });
}

const root = mkdtempSync(path.join(tmpdir(), 'hearth-batches-'));
afterAll(() => rmSync(root, { recursive: true }));
const newFolder = () => mkdtempSync(path.join(root, 'batch-'));

const promptOf = ({ body }: LineRequest) => (JSON.parse(body) as { prompt: string }).prompt;

it('computes one line at a time after a limit refused some, and more again as lines are answered', async ({
  expect,
}) => {
  const atOnce: number[] = [];
  let running = 0;
  await using bench = open(newFolder(), async () => {
    const isRefused = atOnce.push(++running) <= 2;
    await setTimeout(5);
    running--;
    return isRefused ? 429 : 200;
  });
  const prompts = Array.from({ length: 8 }, (_, index) => `Say ${index}`);
  await bench.ended(await bench.create('a', prompts));
  expect(atOnce.slice(0, 4)).toEqual([1, 2, 1, 1]);
  expect(Math.max(...atOnce.slice(4))).toBe(2);
});

// A line that failed is tried again after seconds: they wait side by side.
it.concurrent('sends nothing to a server that is away, and one line when it is back', async ({ expect }) => {
  let isAway = true;
  const sent: string[] = [];
  const send = async (request: LineRequest) => {
    sent.push(promptOf(request));
    // It goes away again with the first line.
    isAway = sent.length === 1;
    return isAway ? 503 : 200;
  };
  const reason = { reason: 'It is away.', code: 'model_unavailable', server: 'Attic', mayEndBefore: true };
  await using bench = open(newFolder(), send, (modelId) =>
    isAway ? { modelId, lines: 0, wait: { ...reason, untilMs: Date.now() + 60_000 } } : { modelId, lines: 2 },
  );
  const batch = await bench.create('a', ['one', 'two', 'three', 'four']);
  for (const lines of [0, 1]) {
    await expect.poll(() => bench.see(batch).wait?.server, { timeout: 5000 }).toBe('Attic');
    expect(sent).toHaveLength(lines);
    isAway = false;
    await expect.poll(() => sent.length, { timeout: 5000 }).toBeGreaterThan(lines);
  }
  expect((await bench.ended(batch)).succeeded).toBe(4);
  expect(sent).toHaveLength(5);
});

it.concurrent('reports the lines that are left when its time is over, though its end can be written only later', async ({
  expect,
}) => {
  let answered = 0;
  const waiting = Promise.withResolvers<void>();
  await using bench = open(newFolder(), (_request, signal) => {
    if (answered++ < 3) return 200;
    waiting.resolve();
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(499)));
  });
  const batch = await bench.create(
    'a',
    Array.from({ length: 10 }, (_, index) => `Say ${index}`),
  );
  await waiting.promise;
  await expect.poll(() => bench.see(batch).succeeded).toBe(3);
  const { batches } = bench.store;
  const end = vi.spyOn(batches, 'end').mockImplementationOnce(() => {
    throw Object.assign(new Error('no room'), { code: 'SQLITE_FULL' });
  });
  bench.clock.aheadMs = dayMs;
  const { status, succeeded, errored, total } = await bench.ended(batch);
  expect([status, succeeded, errored, total]).toEqual(['expired', 3, 0, 10]);
  expect(end).toHaveBeenCalledTimes(2);
  const [good, bad] = [bench.read(batch.outputFileId), bench.read(batch.errorFileId)];
  expect(new Set(bad.map(({ error }) => error?.code))).toEqual(new Set(['batch_expired']));
  expect([good.length, new Set([...good, ...bad].map((line) => line.custom_id)).size]).toEqual([3, 10]);
});

it.concurrent('has requests with equal beginnings computed one after the other, and accounts take turns', async ({
  expect,
}) => {
  const order: string[] = [];
  const bothBegun = Promise.withResolvers<void>();
  await using bench = open(newFolder(), async (request) => {
    order.push(`${request.keyId}: ${promptOf(request).slice(0, 5)}`);
    await bothBegun.promise;
    await new Promise(setImmediate);
    return 200;
  });
  const beginnings = ['first', 'other', 'third'].map((word) => word.repeat(200));
  const prompts = Array.from({ length: 30 }, (_, index) => `${beginnings[index % 3]} ${index}`);
  const batches = [await bench.create('a', prompts), await bench.create('b', prompts)];
  for (const { id } of batches)
    await expect.poll(() => bench.store.batches.get(id)?.begunAtMs, { interval: 5 }).not.toBeNull();
  bothBegun.resolve();
  for (const batch of batches) await bench.ended(batch);
  for (const account of ['a', 'b']) {
    const own = order.filter((line) => line.startsWith(`key of ${account}`));
    const changes = own.filter((line, index) => line !== own[index - 1]);
    expect([own.length, changes.length]).toEqual([30, 3]);
  }
  const half = order.slice(0, 30).filter((line) => line.startsWith('key of a')).length;
  expect(half).toBeGreaterThan(5);
  expect(half).toBeLessThan(30);
});

it.concurrent('computes a line again that fails by a fault of the server, three times', async ({
  expect,
}) => {
  const tries = new Map<string, number>();
  await using bench = open(newFolder(), (request) => {
    const prompt = promptOf(request);
    tries.set(prompt, (tries.get(prompt) ?? 0) + 1);
    return prompt === 'broken' || (prompt === 'flaky' && tries.get(prompt) === 1) ? 500 : 200;
  });
  const batch = await bench.ended(await bench.create('a', ['good', 'flaky', 'broken']));
  expect([batch.status, batch.succeeded, batch.errored]).toEqual(['completed', 2, 1]);
  expect(Object.fromEntries(tries)).toEqual({ good: 1, flaky: 2, broken: 3 });
});

it.concurrent('gives a line its end that cannot be sent, or read any more', async ({ expect }) => {
  await using bench = open(newFolder(), (request) => {
    if (promptOf(request) === 'poison') throw new RangeError('Maximum call stack size exceeded');
    if (promptOf(request) === 'cut') truncateSync(bench.files.pathOf(batch.inputFileId), 10);
    return 200;
  });
  const batch = await bench.create('a', ['poison', 'good', 'cut', 'gone']);
  const { status, succeeded, errored } = await bench.ended(batch);
  expect([status, succeeded + errored]).toEqual(['completed', 4]);
  const codes = bench.read(batch.errorFileId).map(({ custom_id, error }) => [custom_id, error?.code]);
  expect(codes).toContainEqual(['0', 'internal_error']);
});

it.concurrent('deletes the files of an account that was removed, once no batch reads them', async ({
  expect,
}) => {
  const held = Promise.withResolvers<number>();
  await using bench = open(newFolder(), () => held.promise);
  const batch = await bench.create('a', ['one']);
  bench.store.accounts.remove('a', Date.now());
  expect(bench.files.deleteExpired(100)).toBe(0);
  held.resolve(200);
  await bench.ended(batch);
  expect(bench.files.deleteExpired(100)).toBe(2);
});

const disk = mountSmallDisk(4);
afterAll(() => disk?.[Symbol.dispose]());

it.skipIf(disk === undefined).concurrent(
  'waits for room on a full disk while it is read, computed and ended, and says so (skipped where none may be mounted)',
  async ({ expect }) => {
    if (disk === undefined) return;
    let holds = true;
    const held: (() => void)[] = [];
    await using bench = open(disk.folder, async () => {
      if (holds) await new Promise<void>((resolve) => held.push(resolve));
      return 200;
    });
    const prompts = Array.from({ length: 20 }, (_, index) => `${index}`);
    const isFull = (batch: Batch) =>
      expect.poll(() => bench.see(batch).wait?.reason).toContain('disk is full');

    const read = await bench.create('a', prompts);
    disk.fill();
    await isFull(read);
    expect(bench.see(read).status).toBe('validating');
    disk.empty();
    await expect.poll(() => held.length).toBe(2);
    disk.fill();
    holds = false;
    for (const release of held.splice(0)) release();
    await isFull(read);
    disk.empty();
    const { status, succeeded } = await bench.ended(read);
    expect([status, succeeded, bench.read(read.outputFileId).length]).toEqual(['completed', 20, 20]);
  },
);
