import type { EngineFileSpec } from '../file-engines.ts';
import type { MemoryBudget } from '../pool/memory-use.ts';
import type { ModelNeeds } from '../pool/model-status.ts';
import type { ProcessSettings } from './messages.ts';
import { startProcess, type ModelProcess } from './model-process.ts';

/** How long a plan may take; most take a tenth of a second. */
const timeoutMs = 60_000;
/** How long the process waits for the next plan. */
const idleMs = 5000;

/** Plans loads that do not come, one after the other, in a process that a damaged file may end. */
export class LoadPlanner {
  readonly #settings: ProcessSettings;
  readonly #budget: MemoryBudget;
  #process: ModelProcess | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #end: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(settings: ProcessSettings, budget: MemoryBudget) {
    this.#settings = settings;
    this.#budget = budget;
  }

  /** The needs of the model if it were loaded. Throws where it cannot be planned. */
  needsOf(spec: EngineFileSpec): Promise<ModelNeeds | undefined> {
    const planned = this.#last.then(() => this.#plan(spec));
    this.#last = planned.catch(() => undefined);
    return planned;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#process?.kill();
    await this.#last;
  }

  async #plan(spec: EngineFileSpec): Promise<ModelNeeds | undefined> {
    if (this.#isClosed) return undefined;
    clearTimeout(this.#end);
    const process = (this.#process ??= this.#start());
    const endIn = (ms: number) => setTimeout(() => void process.kill(), ms).unref();
    this.#end = endIn(timeoutMs);
    try {
      return (await process.call({ method: 'plan', spec, budget: this.#budget })) as ModelNeeds;
    } finally {
      clearTimeout(this.#end);
      this.#end = endIn(idleMs);
    }
  }

  #start(): ModelProcess {
    const process = startProcess(this.#settings);
    void process.ended.then(() => {
      if (this.#process === process) this.#process = undefined;
    });
    return process;
  }
}
