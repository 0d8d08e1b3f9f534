import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { messageOf } from '../../words/describe-error.ts';
import type { GenerationTimes } from '../observer.ts';
import { ModelLostError, type ClaimMemory } from '../pool/loadable.ts';
import { childEnvironment, programBeside, watchChild } from '../processes/watch-child.ts';
import {
  fromSentError,
  type Call,
  type FromProcess,
  type ProcessSettings,
  type ProcessStatus,
  type Report,
  type ToProcess,
} from './messages.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told of each report before the result. */
  readonly onReport?: ((report: Report) => void) | undefined;
  /** Sent ahead in pieces. */
  readonly samples?: Float32Array | undefined;
}

interface RunningCall {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onReport: ((report: Report) => void) | undefined;
}

const programPath = programBeside(import.meta.url, 'model-program');
const startTimeoutMs = 60_000;
const pingEveryMs = 1000;
/** A process that misses eight pings in a row is killed. Pings are counted, not seconds: a machine may sleep. */
const mostMissedPings = 8;
const samplesPerMessage = 2 ** 20;

/** A process that runs one model. */
export class ModelProcess {
  /** Resolves when the process has ended, however that came. */
  readonly ended: Promise<ModelLostError>;
  readonly #child: ChildProcess;
  readonly #onTimed: ((times: GenerationTimes) => void) | undefined;
  readonly #calls = new Map<number, RunningCall>();
  readonly #claims = new Map<number, () => void>();
  /** Asks for memory for the model; undefined until it is loaded. */
  claim: ClaimMemory | undefined;
  #nextId = 0;
  #end: ModelLostError | undefined;
  #status: ProcessStatus | undefined;
  #missedPings = 0;
  #isSilent = false;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(settings: ProcessSettings, onTimed?: (times: GenerationTimes) => void) {
    this.#onTimed = onTimed;
    this.#child = fork(programPath, [JSON.stringify(settings)], {
      execArgv: [],
      env: childEnvironment(),
      serialization: 'advanced',
      // Its log goes where this process's log goes.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child.on('message', (message) => this.#receive(message as FromProcess));
    this.ended = this.#follow();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** How its model was a moment ago; undefined before it is loaded. */
  get status(): ProcessStatus | undefined {
    return this.#status;
  }

  /**
   * The result of `call`. When `signal` aborts, the process is told, and its result is waited for. Throws the errors of
   * the process, or ModelLostError when the process ends.
   */
  async call(call: Call, { signal, onReport, samples }: CallOptions = {}): Promise<unknown> {
    if (this.#end !== undefined) throw this.#end;
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    // The process may end while the samples are being sent.
    promise.catch(() => undefined);
    this.#calls.set(id, { resolve, reject, onReport });
    const abort = (): void => void this.#send({ kind: 'abort', id });
    try {
      if (samples !== undefined) await this.#sendSamples(id, samples);
      void this.#send({ kind: 'call', id, call });
      if (signal?.aborted === true) abort();
      signal?.addEventListener('abort', abort, { once: true });
      return await promise;
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#calls.delete(id);
    }
  }

  /** Tells the process its share of the memory for caches. */
  setCacheBytes(bytes: number): void {
    void this.#send({ kind: 'cache', bytes });
  }

  /** Resolves when the process has been ended. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  /** Resolves when the message is on its way, or in vain. One that is lost is noticed when the process ends. */
  #send(message: ToProcess): Promise<void> {
    return new Promise((resolve) => {
      if (this.#child.connected) this.#child.send(message, () => resolve());
      else resolve();
    });
  }

  /** In pieces: to write an hour of audio at once would hold up everything else. */
  async #sendSamples(id: number, samples: Float32Array): Promise<void> {
    let start = 0;
    do {
      const end = start + samplesPerMessage;
      await this.#send({ kind: 'samples', id, samples: samples.slice(start, end) });
      start = end;
    } while (start < samples.length);
  }

  async #follow(): Promise<ModelLostError> {
    const startTimer = setTimeout(() => this.#child.kill('SIGKILL'), startTimeoutMs);
    this.#child.once('message', () => {
      clearTimeout(startTimer);
      this.#heartbeat = setInterval(() => this.#ping(), pingEveryMs).unref();
    });
    let how: string;
    try {
      // Messages that it sent before its end are read until the channel closes.
      const [end] = await Promise.all([watchChild(this.#child), once(this.#child, 'disconnect')]);
      how = end.exitSignal ?? `exit code ${end.exitCode}`;
    } catch (error) {
      how = messageOf(error);
    }
    clearTimeout(startTimer);
    clearInterval(this.#heartbeat);
    const isSilent = this.#missedPings >= mostMissedPings;
    this.#end = new ModelLostError(
      isSilent ? 'its process did not answer any more' : `its process has ended with ${how}`,
    );
    for (const { reject } of this.#calls.values()) reject(this.#end);
    return this.#end;
  }

  #ping(): void {
    this.#missedPings = this.#isSilent ? this.#missedPings + 1 : 0;
    this.#isSilent = true;
    if (this.#missedPings >= mostMissedPings) this.#child.kill('SIGKILL');
    else void this.#send({ kind: 'ping' });
  }

  #receive({ reports, status }: FromProcess): void {
    this.#isSilent = false;
    this.#status = status;
    for (const report of reports) {
      if (report.kind === 'timed') this.#onTimed?.(report.times);
      else if (report.kind === 'claim') void this.#claim(report);
      else if (report.kind === 'settled') {
        this.#claims.get(report.id)?.();
        this.#claims.delete(report.id);
      } else this.#settle(report, this.#calls.get(report.id));
    }
  }

  async #claim({ id, more, unloadsOthers }: Extract<Report, { kind: 'claim' }>): Promise<void> {
    const settle = await this.claim?.(more, unloadsOthers);
    if (settle !== undefined) this.#claims.set(id, settle);
    // The memory of a process that has ended is free with it.
    if (this.#end !== undefined) settle?.();
    else void this.#send({ kind: 'claimed', id, isGranted: settle !== undefined });
  }

  #settle(report: Report, call: RunningCall | undefined): void {
    if (report.kind === 'result') call?.resolve(report.result);
    else if (report.kind === 'failed') call?.reject(fromSentError(report.error));
    else call?.onReport?.(report);
  }
}

/** A process with those of `settings` that it needs. */
export function startProcess(
  { logLevel, gpu, mathCores, targetGapMs, queueLimit, queueTimeoutMs }: ProcessSettings,
  onTimed?: (times: GenerationTimes) => void,
): ModelProcess {
  return new ModelProcess({ logLevel, gpu, mathCores, targetGapMs, queueLimit, queueTimeoutMs }, onTimed);
}
