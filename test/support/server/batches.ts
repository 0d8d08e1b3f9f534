import { setTimeout as sleep } from 'node:timers/promises';
import { toFile, type OpenAI } from 'openai';
import type { Batch } from 'openai/resources/batches';

/** One line of a file of results. */
export interface BatchResult {
  readonly custom_id: string;
  readonly response: {
    readonly status_code: number;
    readonly body: Record<string, unknown>;
    readonly ignored_parameters?: readonly string[];
  } | null;
  readonly error: { readonly code: string } | null;
}

/** A line that asks for a chat completion. */
export function chatLine(id: string, model: string, content: string, more: object = {}) {
  const body = { model, messages: [{ role: 'user', content }], max_tokens: 4, ignore_eos: true, ...more };
  return { custom_id: id, method: 'POST', url: '/v1/chat/completions', body };
}

export const toJsonl = (lines: readonly object[]) =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

export async function uploadLines(client: OpenAI, text: string) {
  return client.files.create({ file: await toFile(Buffer.from(text), 'lines.jsonl'), purpose: 'batch' });
}

/** A batch of the lines of `text`, which the server begins at once. */
export async function createBatch(
  client: OpenAI,
  text: string,
  endpoint: Batch['endpoint'] = '/v1/chat/completions',
): Promise<Batch> {
  const { id } = await uploadLines(client, text);
  return client.batches.create({
    input_file_id: id,
    endpoint: endpoint as '/v1/chat/completions',
    completion_window: '24h',
    metadata: { name: 'test' },
  });
}

/** The batch as soon as `test` holds; default: when it has ended. */
export async function batchWhen(
  client: OpenAI,
  { id }: Pick<Batch, 'id'>,
  test: (batch: Batch) => boolean = hasEnded,
): Promise<Batch> {
  while (true) {
    const batch = await client.batches.retrieve(id);
    if (test(batch)) return batch;
    if (hasEnded(batch)) throw new Error(`the batch ended: ${JSON.stringify(batch)}`);
    await sleep(20);
  }
}

const hasEnded = ({ status }: Batch) => ['completed', 'failed', 'cancelled', 'expired'].includes(status);

/** The lines of a file of results; none where there is no such file. */
export async function readResults(client: OpenAI, fileId: string | null | undefined): Promise<BatchResult[]> {
  if (typeof fileId !== 'string') return [];
  const text = await (await client.files.content(fileId)).text();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as BatchResult);
}
