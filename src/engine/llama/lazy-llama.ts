import os from 'node:os';
import type { Log } from '../../telemetry/log.ts';
import type { ComputeDevices, Llama } from './open-llama.ts';

/** llama.cpp in this process. Its library is loaded when it is first needed. */
export class LazyLlama {
  readonly #log: Log;
  #opened: Promise<Llama> | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  open(): Promise<Llama> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  /** What it can use on this machine. */
  async devices(): Promise<ComputeDevices> {
    const { inspectDevices } = await import('./open-llama.ts');
    return await inspectDevices(await this.open());
  }

  async dispose(): Promise<void> {
    await (await this.#opened)?.dispose();
  }

  async #open(): Promise<Llama> {
    const { openLlama } = await import('./open-llama.ts');
    return await openLlama({ gpu: 'auto', maxThreads: os.availableParallelism(), log: this.#log });
  }
}
