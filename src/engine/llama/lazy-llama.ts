import os from 'node:os';
import type { Log } from '../../telemetry/log.ts';
import { inspectDevices, openLlama, type ComputeDevices, type Llama } from './open-llama.ts';

/** llama.cpp in this process. Its library is loaded when it is first needed. */
export class LazyLlama {
  readonly #log: Log;
  readonly #gpu: 'auto' | false;
  #opened: Promise<Llama> | undefined;

  /** `gpu`: false where it is known that the machine has none, which takes a while to find out. */
  constructor(log: Log, gpu: 'auto' | false = 'auto') {
    this.#log = log;
    this.#gpu = gpu;
  }

  open(): Promise<Llama> {
    return (this.#opened ??= openLlama({
      gpu: this.#gpu,
      maxThreads: os.availableParallelism(),
      log: this.#log,
    }));
  }

  /** The processors that llama.cpp can use on this machine. */
  async devices(): Promise<ComputeDevices> {
    return await inspectDevices(await this.open());
  }

  async dispose(): Promise<void> {
    await (await this.#opened)?.dispose();
  }
}
