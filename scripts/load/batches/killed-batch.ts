import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Batch } from 'openai/resources/batches';
import { openStore } from '../../../src/store/store.ts';
import type { LedgerRow } from '../../../src/store/tables/use/ledger-table.ts';
import { createModelsDir, tinyModel } from '../../../test/support/models/tiny-model.ts';
import {
  batchWhen,
  chatLine,
  createBatch,
  readResults,
  toJsonl,
  type BatchResult,
} from '../../../test/support/server/batches.ts';
import { openClient } from '../../../test/support/server/chat-client.ts';
import { startServer } from '../../../test/support/server/start-server.ts';

export interface KilledBatchOptions {
  readonly lines: number;
  readonly models: number;
  readonly kills: number;
  /** The batch goes on for a random time up to this before each kill. */
  readonly longestMs: number;
}

export interface KilledBatchReport {
  readonly batch: Batch;
  /** Lines that were in flight in kills, and were computed again. */
  readonly interrupted: number;
  /** Contradictions that were found; empty in a good run. */
  readonly problems: readonly string[];
}

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** One line of ten asks for something that is a 400. */
const isWrong = (index: number) => index % 10 === 9;

/** Kills a server again and again while it computes a batch, and compares the results with the charges. */
export async function runKilledBatch(options: KilledBatchOptions): Promise<KilledBatchReport> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'hearth-killed-batch-'));
  const ids = Array.from({ length: options.models }, (_, index) => `tiny-${index}`);
  const model = await tinyModel();
  const modelsDir = await createModelsDir(Object.fromEntries(ids.map((id) => [id, model])));
  const config = { demo: false, models: ids.map((id) => ({ id, threads: 1 })) };
  const start = () => startServer({ modelsDirs: [modelsDir], dataDir, config });
  let server = await start();
  try {
    const customIds = Array.from({ length: options.lines }, (_, index) => `line-${index}`);
    const { id } = await createBatch(openClient(server), toLines(customIds, ids));
    for (let kill = 0; kill < options.kills; kill++) {
      await sleep(Math.random() * options.longestMs);
      await server.kill();
      server = await start();
    }
    const client = openClient(server);
    const batch = await batchWhen(client, { id });
    const results = [
      ...(await readResults(client, batch.output_file_id)),
      ...(await readResults(client, batch.error_file_id)),
    ];
    const ledger = ledgerOf(dataDir).filter(({ batchId }) => batchId === id);
    const problems = audit(batch, results, customIds, ledger);
    return { batch, interrupted: ledger.filter(({ status }) => status === null).length, problems };
  } finally {
    await server.stop();
    for (const folder of [dataDir, modelsDir]) await rm(folder, { recursive: true, force: true });
  }
}

function toLines(customIds: readonly string[], models: readonly string[]): string {
  return toJsonl(
    customIds.map((id, index) =>
      chatLine(id, models[index % models.length] ?? '', `Number ${index}`, {
        max_tokens: isWrong(index) ? -1 : 8,
        ignore_eos: false,
      }),
    ),
  );
}

function ledgerOf(dataDir: string): LedgerRow[] {
  const store = openStore(path.join(dataDir, 'hearth.db'));
  try {
    return [...store.ledger.all()];
  } finally {
    store.close();
  }
}

/** Each line has one result, each answer one charge of its usage. */
function audit(
  { status, request_counts: counts }: Batch,
  results: readonly BatchResult[],
  customIds: readonly string[],
  ledger: readonly LedgerRow[],
): string[] {
  const problems: string[] = [];
  const expect = (what: string, found: unknown, wanted: unknown) => {
    const [is, should] = [JSON.stringify(found), JSON.stringify(wanted)];
    if (is !== should) problems.push(`${what}: ${is}, not ${should}`);
  };
  const wrong = customIds.filter((_, index) => isWrong(index)).length;
  const answers = results.flatMap(({ response }) => (response?.body['usage'] as Usage | undefined) ?? []);
  const charged = ledger.filter((row) => row.status === 200);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  expect('status', status, 'completed');
  expect(
    'counts',
    [counts?.total, counts?.completed, counts?.failed],
    [customIds.length, customIds.length - wrong, wrong],
  );
  expect('custom_ids', results.map((result) => result.custom_id).sort(), customIds.toSorted());
  expect('answers', answers.length, customIds.length - wrong);
  expect('charges', charged.length, answers.length);
  for (const [what, ofRow, ofAnswer] of [
    ['prompt tokens', 'promptTokens', 'prompt_tokens'],
    ['completion tokens', 'completionTokens', 'completion_tokens'],
  ] as const)
    expect(what, sum(charged.map((row) => row[ofRow])), sum(answers.map((usage) => usage[ofAnswer])));
  const lost = ledger.filter((row) => row.status !== 200 && (row.promptTokens > 0 || row.refunded === 0));
  expect('charged without a result', lost.length, 0);
  return problems;
}
