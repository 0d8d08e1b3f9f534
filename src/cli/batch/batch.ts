import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { z } from 'zod';
import type { batch as wireBatch } from '../../api/batches/operation.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { addConfigOptions, configFrom, type ConfigOptions } from '../context.ts';
import { drawBar, formatSeconds, ProgressLine } from '../models/pull-progress.ts';
import { fail } from '../output.ts';
import { sendForm } from '../send-form.ts';
import { withServer, type ServerConnection } from '../server-connection.ts';

type WireBatch = z.output<typeof wireBatch>;

interface RunOptions extends ConfigOptions {
  readonly model: string;
}

const pollMs = 500;

export function registerBatchCommand(program: Command): void {
  const command = program
    .command('batch')
    .description('compute many requests when the running server has nothing else to do')
    .command('run <file>')
    .description(
      'have the server compute a file, in which a line is a request as /v1/batches takes it, or a text to be answered, and print the results, one JSON object per line',
    )
    .requiredOption('--model <id>', 'the model of lines that name none');
  addConfigOptions(command).action(runBatch);
}

/** Ctrl-C cancels the batch. */
async function runBatch(file: string, options: RunOptions): Promise<void> {
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  const folder = mkdtempSync(path.join(tmpdir(), 'hearth-batch-'));
  try {
    await withServer(configFrom(options), 'a batch needs a running server', async (server) => {
      // A slip in its name would be an error of every line.
      const { id: model } = await server.model(options.model);
      const lines = path.join(folder, 'lines.jsonl');
      const source = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
      const input = toBatchLines(source, model);
      await pipeline(Readable.from(input.lines), createWriteStream(lines));
      const form = { fields: { purpose: 'batch' }, path: lines, filename: 'lines.jsonl' };
      const { id } = (await sendForm(server, '/files', form)) as { id: string };
      await compute(server, id, input.endpoint(), stopping.signal);
    });
  } catch (error) {
    fail(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prints the results; the server keeps neither them nor the lines that were sent. */
async function compute(server: ServerConnection, inputId: string, endpoint: string, signal: AbortSignal) {
  const ask = async (...call: Parameters<ServerConnection['ask']>) =>
    (await server.ask(...call)) as WireBatch;
  let batch = await ask('POST', '/batches', { input_file_id: inputId, endpoint, completion_window: '24h' });
  const address = `/batches/${batch.id}`;
  signal.addEventListener('abort', () => void ask('POST', `${address}/cancel`).catch(() => undefined));
  const line = new ProgressLine(process.stderr);
  const beganMs = performance.now();
  while (!isOver(batch)) {
    showBatch(line, batch, beganMs);
    await delay(pollMs);
    batch = await ask('GET', address);
  }
  showBatch(line, batch, beganMs);
  line.close();
  for (const id of [batch.output_file_id, batch.error_file_id]) {
    if (id === null) continue;
    const content = await server.send(`/files/${id}/content`, { method: 'GET' });
    await pipeline(content, process.stdout, { end: false });
  }
  for (const id of [inputId, batch.output_file_id, batch.error_file_id])
    if (id !== null) await server.send(`/files/${id}`, { method: 'DELETE' });
  const { completed, failed, total } = batch.request_counts;
  if (batch.status === 'failed') throw new CliError(batch.errors?.data[0]?.message ?? 'the batch failed');
  if (batch.status !== 'completed')
    throw new CliError(`the batch is ${batch.status}: ${completed} of ${total} answers`);
  if (failed > 0) throw new CliError(`${failed} of ${total} lines got an error`);
}

const isOver = ({ status }: WireBatch) => ['completed', 'failed', 'cancelled', 'expired'].includes(status);

function showBatch(line: ProgressLine, { request_counts: counts, hearth }: WireBatch, beganMs: number): void {
  const done = counts.completed + counts.failed;
  const share = counts.total === 0 ? 0 : done / counts.total;
  const leftSeconds = ((performance.now() - beganMs) / 1000) * (1 / share - 1);
  const left = share > 0 && share < 1 ? `${formatSeconds(leftSeconds)} left` : undefined;
  line.show(share, (withBar) =>
    [`${withBar ? `${drawBar(share)} ` : ''}${done} of ${counts.total}`, left, hearth?.waiting_for]
      .filter(Boolean)
      .join(' · '),
  );
}

const chat = '/v1/chat/completions';

/**
 * The lines of a batch, from a file of requests or texts: a line that is a request gets the model where it names none, any
 * other line becomes the question of a chat. `endpoint` tells, once the lines were read, the endpoint of the first one.
 */
function toBatchLines(source: AsyncIterable<string>, model: string) {
  let endpoint: string | undefined;
  async function* lines(): AsyncGenerator<string> {
    let number = 0;
    for await (const text of source) {
      number++;
      if (text.trim() === '') continue;
      const request = toRequest(text) ?? {
        custom_id: `line-${number}`,
        method: 'POST',
        url: chat,
        body: { messages: [{ role: 'user', content: text }] },
      };
      endpoint ??= typeof request['url'] === 'string' ? request['url'] : undefined;
      const body = typeof request['body'] === 'object' ? { model, ...request['body'] } : request['body'];
      yield `${JSON.stringify({ ...request, body })}\n`;
    }
  }
  return { lines: lines(), endpoint: () => endpoint ?? chat };
}

/** undefined: it is a text. */
function toRequest(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    return Object.hasOwn(value, 'custom_id') ? value : undefined;
  } catch {
    return undefined;
  }
}
