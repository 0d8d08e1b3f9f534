import { toStorageTrouble } from '../errors/storage-trouble.ts';
import type { BatchLineRow } from '../store/tables/batches/batch-line-table.ts';
import type { BatchRow } from '../store/tables/batches/batch-table.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { LineError } from './batch-lines.ts';
import type { BatchWait, LineAnswer, SendLine } from './batch-types.ts';
import { isInterrupted, isOverloaded } from './line-retries.ts';
import { RunningBatch, type RunningBatchDeps } from './running-batch.ts';
import { takeLines } from './take-lines.ts';

/** Most attempts at a line that fails by a fault of the server. */
const mostTries = 3;
/** Waits where a route does not say for how long. */
const shortWaitMs = 1000;
/** Longest wait for anything but a limit, which alone can say when it is over: a full disk, memory for a model. */
const longestWaitMs = 5000;
/** Time between two looks whether a model is to leave. */
const lookMs = 1000;
/** Most lines of all models that are computed at a time. */
const mostInFlight = 128;

export interface ModelCapacity {
  readonly modelId: string;
  readonly lines: number;
  /** Why there are none, where there are none; without a time it is looked at again soon. */
  readonly wait?: Omit<BatchWait, 'untilMs'> & Partial<Pick<BatchWait, 'untilMs'>>;
}

export interface BatchRunnerDeps extends Omit<RunningBatchDeps, 'onWritten'> {
  readonly metrics: Pick<Metrics, 'batchLineEnded' | 'batchesRun'>;
  readonly isKeyValid: (keyId: string) => boolean;
  /** The model of a name, and how many lines it should have at a time. */
  readonly capacityOf: (modelName: string) => ModelCapacity;
  /** The model is to leave the memory, as another one is wanted there. */
  readonly isLeaving: (modelId: string) => boolean;
}

/** Computes the batches of all accounts, as many lines at a time as the models have slots. */
export class BatchRunner {
  readonly #deps: BatchRunnerDeps;
  readonly #batches = new Map<string, RunningBatch>();
  readonly #load = new Map<string, number>();
  /** Work under way, to be waited for at the end. */
  readonly #work = new Set<Promise<unknown>>();
  #send: SendLine | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(deps: BatchRunnerDeps) {
    this.#deps = deps;
  }

  /** Goes on with the batches that were left when the server ended. */
  start(send: SendLine): void {
    this.#send = send;
    for (const row of this.#deps.store.batches.unfinished()) this.adopt(row);
  }

  /** Ends the running lines, which are not charged; resolves when nothing is written any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    for (const batch of this.#batches.values()) {
      stopLines(batch);
      batch.stopWaiting();
    }
    await Promise.all(this.#work);
    await Promise.all([...this.#batches.values()].map((batch) => batch.close()));
  }

  /** Begins with a batch that is in the store. */
  adopt(row: BatchRow): void {
    const batch = new RunningBatch(row, { ...this.#deps, onWritten: () => this.#goOn(batch) });
    this.#batches.set(row.id, batch);
    this.#deps.metrics.batchesRun(this.#batches.size);
    this.#track(this.#prepare(batch));
  }

  /** Notes the state of the batch in the store, such as that it was cancelled. */
  refresh(id: string): void {
    const batch = this.#batches.get(id);
    const row = this.#deps.store.batches.get(id);
    if (batch === undefined || row === undefined) return;
    const { outputBytes, errorBytes, succeeded, errored, failures } = batch.row;
    const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = batch.row;
    const tokens = { promptTokens, cachedTokens, completionTokens, reasoningTokens };
    batch.row = { ...row, ...tokens, outputBytes, errorBytes, succeeded, errored, failures };
    this.#goOn(batch);
  }

  waitOf(id: string): BatchWait | undefined {
    const wait = this.#batches.get(id)?.wait;
    return wait !== undefined && wait.untilMs > this.#deps.now() ? wait : undefined;
  }

  #track(work: Promise<unknown>): void {
    const tracked = work.finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
  }

  async #prepare(batch: RunningBatch): Promise<void> {
    const { store, files, now, log } = this.#deps;
    const { id, begunAtMs, endpoint, inputFileId } = batch.row;
    const take = async () => {
      const isStopped = () => this.#isStopped;
      const total = await takeLines(store, id, files.pathOf(inputFileId), endpoint, isStopped);
      if (total !== undefined) store.batches.begin(id, total, now());
    };
    try {
      if (begunAtMs === null) await batch.untilWritten(take, isNoStorageTrouble);
      this.refresh(id);
    } catch (error) {
      if (this.#isStopped) return;
      if (!(error instanceof LineError)) log.error({ batch: id, err: error }, 'a batch cannot be read');
      const { line = null, message } = error instanceof LineError ? error : { message: unreadable };
      this.#track(
        this.#end(batch, async () => {
          store.batchLines.deleteAllOf(id);
          store.batches.end(id, 'failed', now(), JSON.stringify([{ line, message }]));
        }),
      );
    }
  }

  /** Ends the batch where it is to end, and begins the lines that can begin. */
  #goOn(batch: RunningBatch): void {
    const { id, begunAtMs, expiresAtMs, keyId } = batch.row;
    // The lines of a batch that has no time of beginning are still being read.
    if (this.#isStopped || begunAtMs === null || batch.isEnding || !this.#batches.has(id)) return;
    if (batch.row.status === 'in_progress' && !this.#deps.isKeyValid(keyId)) {
      this.#deps.log.info({ batch: id }, 'a batch is cancelled because its key is no longer valid');
      batch.row = { ...batch.row, status: 'cancelling' };
    }
    if (batch.row.status === 'in_progress' && (batch.isDone || expiresAtMs <= this.#deps.now()))
      batch.row = { ...batch.row, status: 'finalizing' };
    if (batch.row.status !== 'in_progress') {
      stopLines(batch);
      if (batch.inFlight.size === 0) this.#track(this.#end(batch, () => this.#finish(batch)));
    }
    this.#fill();
  }

  /** Has `work` write that the batch has ended, and forgets it. */
  async #end(batch: RunningBatch, work: () => Promise<void>): Promise<void> {
    const { id } = batch.row;
    batch.isEnding = true;
    try {
      await batch.untilWritten(work);
      this.#batches.delete(id);
      this.#deps.metrics.batchesRun(this.#batches.size);
    } catch (err) {
      this.#deps.log.error({ batch: id, err }, 'a batch could not be ended; the next start tries again');
    }
  }

  /** Gives each line that is left a result that says why it has none. */
  async #finish(batch: RunningBatch): Promise<void> {
    const { store, now, log } = this.#deps;
    const { id, status } = batch.row;
    const isCancelled = status === 'cancelling';
    if (isCancelled) store.batches.cancel(id, now());
    else store.batches.finalize(id, now());
    await batch.finishRest({ kind: isCancelled ? 'cancelled' : 'expired' });
    // An earlier try may have given all lines their results, so only computed ones count.
    const { succeeded, errored, total } = batch.row;
    const end = isCancelled ? 'cancelled' : succeeded + errored < total ? 'expired' : 'completed';
    await batch.end(end);
    log.info({ batch: id, status: end }, 'batch ended');
  }

  /** Begins lines while models have room: of the account with fewest in flight, then whose last one began first. */
  #fill(): void {
    let soonestMs = Number.POSITIVE_INFINITY;
    while (!this.#isStopped && this.#send !== undefined) {
      const choice = this.#choose((untilMs) => (soonestMs = Math.min(soonestMs, untilMs)));
      if (choice === undefined) break;
      this.#track(this.#compute(...choice));
    }
    clearTimeout(this.#timer);
    if (!Number.isFinite(soonestMs) || this.#isStopped) return;
    const longestMs = this.#load.size > 0 ? lookMs : 60_000;
    const delayMs = Math.min(Math.max(soonestMs - this.#deps.now(), 10), longestMs);
    this.#timer = setTimeout(() => this.#look(), delayMs).unref();
  }

  #look(): void {
    for (const batch of this.#batches.values()) {
      for (const { modelId, stop } of batch.inFlight.values())
        if (this.#deps.isLeaving(modelId)) stop.abort();
      this.#goOn(batch);
    }
  }

  /** `later` is told when something may be begun that cannot be now. */
  #choose(later: (untilMs: number) => void): [RunningBatch, BatchLineRow, modelId: string] | undefined {
    const nowMs = this.#deps.now();
    const inFlight = new Map<string, number>();
    let all = 0;
    for (const { row, inFlight: lines } of this.#batches.values()) {
      inFlight.set(row.accountId, (inFlight.get(row.accountId) ?? 0) + lines.size);
      all += lines.size;
    }
    const candidates = [...this.#batches.values()]
      .filter(({ row }) => row.status === 'in_progress')
      .toSorted(
        (a, b) =>
          (inFlight.get(a.row.accountId) ?? 0) - (inFlight.get(b.row.accountId) ?? 0) ||
          a.lastBegunMs - b.lastBegunMs,
      );
    for (const batch of candidates) {
      later(batch.row.expiresAtMs);
      if (batch.wait !== undefined && batch.wait.untilMs > nowMs && batch.wait.mayEndBefore !== true) {
        later(batch.wait.untilMs);
        continue;
      }
      batch.wait = undefined;
      const line = all < mostInFlight && batch.inFlight.size < batch.mostAtOnce ? batch.next : undefined;
      if (line === undefined) continue;
      const { modelId, lines, wait } = this.#deps.capacityOf(line.model);
      if (wait !== undefined) {
        batch.answeredSinceLimit = 0;
        batch.wait = { untilMs: nowMs + longestWaitMs, ...wait };
        later(wait.mayEndBefore === true ? nowMs + lookMs : batch.wait.untilMs);
      } else if ((this.#load.get(modelId) ?? 0) < lines) return [batch, line, modelId];
    }
    return undefined;
  }

  async #compute(batch: RunningBatch, line: BatchLineRow, modelId: string): Promise<void> {
    const stop = new AbortController();
    batch.begin(line, { modelId, stop });
    this.#load.set(modelId, (this.#load.get(modelId) ?? 0) + 1);
    try {
      const answer = await this.#ask(batch, line, stop.signal);
      this.#settle(batch, line, answer);
    } catch (err) {
      this.#deps.log.error({ batch: batch.row.id, err }, 'a line of a batch could not be computed');
      const trouble = toStorageTrouble(err);
      if (trouble === undefined && this.#countFailure(batch, line) >= mostTries) {
        this.#deps.metrics.batchLineEnded('refused');
        batch.finish(line, { kind: 'failed' }, []);
      } else {
        const reason = trouble?.message ?? 'The server failed; it tries again.';
        const waitMs = trouble === undefined ? shortWaitMs : longestWaitMs;
        batch.wait = { untilMs: this.#deps.now() + waitMs, reason };
        batch.putBack(line);
      }
    } finally {
      const left = (this.#load.get(modelId) ?? 1) - 1;
      if (left > 0) this.#load.set(modelId, left);
      else this.#load.delete(modelId);
    }
    this.#goOn(batch);
  }

  async #ask(batch: RunningBatch, line: BatchLineRow, signal: AbortSignal): Promise<LineAnswer> {
    const { id: batchId, keyId, endpoint } = batch.row;
    const { body } = (await batch.read(line)) as { readonly body: object };
    if (this.#send === undefined) throw new Error('a batch was begun before its server');
    const isLastTry = triesOf(batch, line) + 1 >= mostTries;
    return this.#send({ batchId, keyId, endpoint, body: JSON.stringify(body), isLastTry }, signal);
  }

  /** Keeps the answer, or gives back its cost and has the line come again. */
  #settle(batch: RunningBatch, line: BatchLineRow, answer: LineAnswer): void {
    const { status, requestId, json, ignored, charges } = answer;
    const again = answer.isPutOff ? this.#putOff(batch, line, answer) : undefined;
    const outcome = again === undefined ? (status < 400 ? 'answered' : 'refused') : 'again';
    this.#deps.metrics.batchLineEnded(outcome);
    // One line finds out whether the limit, or the server that was away, takes more.
    if (status === 429 || status === 503) batch.answeredSinceLimit = 0;
    if (again === undefined) {
      batch.answeredSinceLimit++;
      batch.finish(line, { kind: 'answered', status, requestId, json, ignored }, charges);
      return;
    }
    for (const charge of charges) charge.giveBack();
    // Where its model has no room, that tells better how long it waits.
    if (again !== 'now' && this.#deps.capacityOf(line.model).wait === undefined) batch.wait = again;
    batch.putBack(line);
  }

  /** When the line comes again. */
  #putOff(batch: RunningBatch, line: BatchLineRow, answer: LineAnswer): BatchWait | 'now' {
    const { status, json, retryAfterSeconds } = answer;
    if (isInterrupted(status)) return 'now';
    if (!isOverloaded(status)) this.#countFailure(batch, line);
    const namedMs = retryAfterSeconds === undefined ? shortWaitMs : retryAfterSeconds * 1000;
    const waitMs = status === 429 ? namedMs : Math.min(namedMs, longestWaitMs);
    return { untilMs: this.#deps.now() + waitMs, ...reasonIn(json) };
  }

  /** How often the line has failed by a fault of the server, this time too. */
  #countFailure(batch: RunningBatch, line: BatchLineRow): number {
    const tries = triesOf(batch, line) + 1;
    batch.failures.set(line.position, tries);
    return tries;
  }
}

const unreadable = 'The input file cannot be read.';
const isNoStorageTrouble = (error: unknown) => toStorageTrouble(error) === undefined;

/** How often the line has failed by a fault of the server. */
const triesOf = ({ failures }: RunningBatch, { position }: BatchLineRow) => failures.get(position) ?? 0;

function stopLines({ inFlight }: RunningBatch): void {
  for (const { stop } of inFlight.values()) stop.abort();
}

function reasonIn(json: string): Pick<BatchWait, 'reason' | 'code'> {
  const { error } = JSON.parse(json) as { error?: { message?: string; code?: string; type?: string } };
  return { reason: error?.message ?? 'The server is busy.', code: error?.code ?? error?.type };
}
