import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../accounts/types.ts';
import { AppError } from '../errors/errors.ts';
import { toStorageTrouble } from '../errors/storage-trouble.ts';
import type { FileLibrary } from '../files/file-library.ts';
import type { DeferredCharge } from '../limits/types.ts';
import type { Store } from '../store/store.ts';
import type { BatchLineRow } from '../store/tables/batches/batch-line-table.ts';
import type { BatchProgress, BatchRow, BatchTokens } from '../store/tables/batches/batch-table.ts';
import type { Log } from '../telemetry/log.ts';
import { parseBatchLine } from './batch-lines.ts';
import type { BatchWait } from './batch-types.ts';
import { codeOf, failureOf, ResultFile, isSuccess, resultLine, type LineResult } from './result-file.ts';

/** Lines that are read from the store at once. */
const readAhead = 64;
/** Kinds of failures of a batch that are told apart by their models, too. */
const mostFailures = 20;
/** Pause before results are written again that could not be. */
const fullDiskMs = 3000;
const unwritable = 'The server cannot write results now.';

export interface RunningBatchDeps {
  readonly store: Store;
  readonly files: FileLibrary;
  readonly now: Clock;
  readonly log: Log;
  /** Called when it may go on: a result was written, or could not be. */
  readonly onWritten: () => void;
}

interface LineInFlight {
  readonly modelId: string;
  /** Ends its computing. */
  readonly stop: AbortController;
}

interface Computed {
  readonly line: BatchLineRow;
  readonly result: LineResult;
  readonly charges: readonly DeferredCharge[];
}

/**
 * A batch that has not ended: hands out its lines, and keeps their results. A result counts from the transaction on that
 * takes its line out of the store, charges it and says how long the file of results is, which is on the disk by then.
 * So each line has one result and one charge, whenever the process dies.
 */
export class RunningBatch {
  /** As the store has it. */
  row: BatchRow;
  lastBegunMs = 0;
  wait: BatchWait | undefined;
  /** Lines that were answered since a limit refused one, or its model had no room; infinite: neither was so. */
  answeredSinceLimit = Number.POSITIVE_INFINITY;
  /** All that is left to do is to write its end. */
  isEnding = false;
  readonly inFlight = new Map<BatchLineRow, LineInFlight>();
  /** How often lines have failed by a fault of the server, by their positions. */
  readonly failures = new Map<number, number>();
  readonly #deps: RunningBatchDeps;
  readonly #output: ResultFile;
  readonly #errors: ResultFile;
  #input: Promise<FileHandle> | undefined;
  /** Lines to be computed next, and the last one that was read from the store. */
  readonly #ready: BatchLineRow[] = [];
  #lastRead: BatchLineRow | undefined;
  readonly #computed: Computed[] = [];
  #writing: Promise<void> | undefined;
  readonly #stopping = new AbortController();

  constructor(row: BatchRow, deps: RunningBatchDeps) {
    this.row = row;
    this.#deps = deps;
    this.#output = new ResultFile(deps.files.pathOf(row.outputFileId), row.outputBytes);
    this.#errors = new ResultFile(deps.files.pathOf(row.errorFileId), row.errorBytes);
  }

  /** The line that comes next; undefined: none is left that nobody computes. */
  get next(): BatchLineRow | undefined {
    if (this.#ready.length === 0) {
      this.#ready.push(...this.#deps.store.batchLines.next(this.row.id, this.#lastRead, readAhead));
      this.#lastRead = this.#ready.at(-1) ?? this.#lastRead;
    }
    return this.#ready[0];
  }

  /** How many lines may be computed at once: one after it waited, and one more with every second answer. */
  get mostAtOnce(): number {
    return 1 + Math.floor(this.answeredSinceLimit / 2);
  }

  /** True when all its lines have results that count. */
  get isDone(): boolean {
    const isIdle = this.inFlight.size === 0 && this.#computed.length === 0 && this.#writing === undefined;
    return isIdle && this.next === undefined;
  }

  /** Takes the line that comes next. */
  begin(line: BatchLineRow, flight: LineInFlight): void {
    this.#ready.shift();
    this.inFlight.set(line, flight);
    this.lastBegunMs = performance.now();
  }

  /** The line was computed in vain: it comes again. */
  putBack(line: BatchLineRow): void {
    this.inFlight.delete(line);
    this.#ready.unshift(line);
  }

  /** The JSON value of a line as it was uploaded. */
  async read({ byteOffset, bytes }: BatchLineRow): Promise<unknown> {
    const opened = (this.#input ??= open(this.#deps.files.pathOf(this.row.inputFileId), 'r'));
    // The next line tries again.
    opened.catch(() => (this.#input = undefined));
    const { bytesRead, buffer } = await (await opened).read(Buffer.alloc(bytes), 0, bytes, byteOffset);
    return parseBatchLine(buffer.subarray(0, bytesRead));
  }

  /** The line has a result, which counts soon. */
  finish(line: BatchLineRow, result: LineResult, charges: readonly DeferredCharge[]): void {
    this.inFlight.delete(line);
    this.failures.delete(line.position);
    this.#computed.push({ line, result, charges });
    // The next start of the server computes the lines again whose results are not written when it ends.
    this.#writing ??= this.#write()
      .catch(() => undefined)
      .finally(() => {
        this.#writing = undefined;
        this.#deps.onWritten();
      });
  }

  /** Does `work` until it succeeds: a full disk has room some time. Throws its error where `isFinal`, or at the end. */
  async untilWritten(work: () => Promise<void>, isFinal = (_error: unknown) => false): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        await work();
        if (!isFirst) this.wait = undefined;
        return;
      } catch (error) {
        if (isFinal(error) || this.#stopping.signal.aborted) throw error;
        const full = error instanceof AppError ? error : toStorageTrouble(error);
        const { message = unwritable } = full ?? {};
        this.#deps.log.warn({ batch: this.row.id, err: error }, 'a batch cannot be written now');
        this.wait = { untilMs: this.#deps.now() + fullDiskMs, reason: message };
        const { signal } = this.#stopping;
        await setTimeout(fullDiskMs, undefined, { ref: false, signal }).catch(() => undefined);
      }
    }
  }

  /** Ends the waits between attempts to write, and the attempts: the server ends. */
  stopWaiting(): void {
    this.#stopping.abort();
  }

  /** Gives all lines that are left the same result. None may be in flight. Resolves when they count. */
  async finishRest(result: LineResult): Promise<void> {
    await this.#writing;
    for (let line = this.next; line !== undefined; line = this.next) {
      for (const left of this.#ready.splice(0)) this.#computed.push({ line: left, result, charges: [] });
      await this.#write();
    }
  }

  /** Its results become files of the account, and its end counts. */
  async end(status: BatchRow['status']): Promise<void> {
    const { store, now } = this.#deps;
    await this.#output.finish();
    await this.#errors.finish();
    const { id, accountId, dialect, keptMs, outputFileId, errorFileId } = this.row;
    const nowMs = now();
    const purpose = dialect === 'openai' ? 'batch_output' : 'message_batch_output';
    const ofAccount = { accountId, purpose, createdAtMs: nowMs, expiresAtMs: nowMs + keptMs };
    store.immediate(() => {
      for (const [fileId, name, { bytes }] of [
        [outputFileId, 'output', this.#output],
        [errorFileId, 'error', this.#errors],
      ] as const)
        if (bytes > 0)
          store.files.insert({ id: fileId, filename: `${id}_${name}.jsonl`, bytes, ...ofAccount });
      store.batches.end(id, status, nowMs);
    });
    await this.close();
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#output.close();
    await this.#errors.close();
    await (await this.#input)?.close();
    this.#input = undefined;
  }

  async #write(): Promise<void> {
    while (this.#computed.length > 0) {
      const part = this.#computed.slice(0, readAhead);
      await this.untilWritten(() => this.#writePart(part));
      this.#computed.splice(0, part.length);
    }
  }

  async #writePart(part: readonly Computed[]): Promise<void> {
    const { dialect } = this.row;
    const [good, bad] = [part.filter(isGood), part.filter((computed) => !isGood(computed))];
    const linesOf = (computed: readonly Computed[]) =>
      computed.map(({ line, result }) => resultLine(dialect, line.customId, result)).join('');
    // Anthropic's results of all kinds are in one file.
    const isOneFile = dialect === 'anthropic';
    const [output, errors] = isOneFile ? [linesOf(part), ''] : [linesOf(good), linesOf(bad)];
    const release = this.#reserve(Buffer.byteLength(output) + Buffer.byteLength(errors));
    try {
      const outputBytes = await this.#output.write(output);
      const errorBytes = await this.#errors.write(errors);
      this.#count(part, good.length, bad, { outputBytes, errorBytes });
    } finally {
      release();
    }
  }

  /** Keeps room for results. A batch that is to end gets the room that it needs to say so. Throws invalid_value. */
  #reserve(bytes: number): () => void {
    const { accountId, status } = this.row;
    return status === 'in_progress' ? this.#deps.files.reserve(accountId, bytes) : () => undefined;
  }

  /** From now on the results of `part` count, which are on the disk. */
  #count(
    part: readonly Computed[],
    goodLines: number,
    bad: readonly Computed[],
    { outputBytes, errorBytes }: Pick<BatchProgress, 'outputBytes' | 'errorBytes'>,
  ): void {
    const { store } = this.#deps;
    const { id, succeeded, errored, failures } = this.row;
    const used = part.flatMap(({ charges }) => charges.map((charge) => charge.used));
    const sum = (measure: keyof BatchTokens) =>
      used.reduce((tokens, one) => tokens + (one[measure] ?? 0), this.row[measure]);
    const failed = bad.flatMap(({ line, result }) => failureOf(result, line.model) ?? []);
    const progress = {
      outputBytes,
      errorBytes,
      succeeded: succeeded + goodLines,
      errored: errored + failed.length,
      failures: addFailures(failures, failed),
      promptTokens: sum('promptTokens'),
      cachedTokens: sum('cachedTokens'),
      completionTokens: sum('completionTokens'),
      reasoningTokens: sum('reasoningTokens'),
    };
    store.immediate(() => {
      for (const { line, charges } of part) {
        for (const charge of charges) charge.charge();
        store.batchLines.delete(id, line);
      }
      store.batches.progress(id, progress);
    });
    this.#output.count(outputBytes);
    this.#errors.count(errorBytes);
    this.row = { ...this.row, ...progress };
  }
}

const isGood = ({ result }: Computed) => isSuccess(result);

/** The counts of `json` and one more for each of `failures`. Codes are few; names of models may be many. */
function addFailures(json: string, failures: readonly string[]): string {
  if (failures.length === 0) return json;
  const counts = new Map(Object.entries(JSON.parse(json) as Record<string, number>));
  for (const failure of failures) {
    const name = counts.has(failure) || counts.size < mostFailures ? failure : codeOf(failure);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return JSON.stringify(Object.fromEntries(counts));
}
