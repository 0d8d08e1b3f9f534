import type { EngineFileSpec } from '../file-engines.ts';
import type { LoadPlan, PooledModel } from '../pool/loadable.ts';
import type { MemoryBudget } from '../pool/memory-use.ts';
import type { ProcessSettings } from './messages.ts';
import { startProcess, type ModelProcess } from './model-process.ts';

/** How long a plan may take; most take a tenth of a second. */
const timeoutMs = 60_000;
/** How long the process waits for the next plan. */
const idleMs = 5000;

/** Plans loads that do not come, one after the other, in a process that a damaged file may end. */
export class ContextPlanner {
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

  /** The tokens that one request to the model could have. Throws where it cannot be planned. */
  contextOf(spec: EngineFileSpec): Promise<number | undefined> {
    const planned = this.#last.then(() => this.#plan(spec));
    this.#last = planned.catch(() => undefined);
    return planned;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#process?.kill();
    await this.#last;
  }

  async #plan(spec: EngineFileSpec): Promise<number | undefined> {
    if (this.#isClosed) return undefined;
    clearTimeout(this.#end);
    const process = (this.#process ??= this.#start());
    const endIn = (ms: number) => setTimeout(() => void process.kill(), ms).unref();
    this.#end = endIn(timeoutMs);
    try {
      const plan = await process.call({ method: 'plan', spec, budget: this.#budget });
      return (plan as LoadPlan<PooledModel>).contextTokens;
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
