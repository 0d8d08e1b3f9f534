import { LlamaLogLevel, type Llama } from 'node-llama-cpp';
import { DeviceFullError } from '../../../pool/loadable.ts';
import type { MemoryUse } from '../../../pool/memory-use.ts';
import { messageOf } from '../../../../words/describe-error.ts';
import type { ContextAddon } from '../../native/context-addon.ts';
import type { ContextOptions, EmbeddingOptions } from '../../native/context/context.ts';
import { parametersOf } from '../../native/context/stepper-context.ts';
import { loadedAddonFile } from '../../native/loaded-addon-file.ts';
import type { LayoutHandle, Placement } from '../../native/model.ts';
import { contextAddon } from '../../native/stepper.ts';
import { gpuNames } from '../../open-llama.ts';

/** How a context is opened, as far as that decides upon its memory. */
export type ContextSize = Omit<ContextOptions, 'threads' | 'adapters' | 'signal'> & EmbeddingOptions;

type LogLevels = {
  readonly _createLogLevelOverride: (this: LogLevels, level: LlamaLogLevel) => () => void;
};

/** The exact memory of a model that is not loaded: llama.cpp lays the model of a file out without its weights. */
export class Layouts {
  readonly #addon: ContextAddon;
  readonly #path: string;
  readonly #gpuNames: readonly string[];
  /** The model's own draft heads are laid out, too. */
  readonly withHeads: boolean;
  readonly #showWarnings: () => void;
  readonly #opened = new Map<string, Promise<LayoutHandle>>();

  private constructor(
    addon: ContextAddon,
    llama: Llama,
    { path, names, withHeads }: { path: string; names: readonly string[]; withHeads: boolean },
  ) {
    this.withHeads = withHeads;
    this.#addon = addon;
    this.#path = path;
    this.#gpuNames = names;
    // llama.cpp repeats its warnings when the model is loaded.
    const levels = llama as unknown as LogLevels;
    const { _createLogLevelOverride: overrideLogLevel } = levels;
    this.#showWarnings = overrideLogLevel.call(levels, LlamaLogLevel.error);
  }

  /** Undefined where this process has no stepper. To be closed. */
  static async open(llama: Llama, path: string, withHeads = false): Promise<Layouts | undefined> {
    const addon = contextAddon();
    return addon && new Layouts(addon, llama, { path, names: await gpuNames(llama), withHeads });
  }

  /**
   * The memory of a context and of the model's weights. Throws DeviceFullError where llama.cpp opens no such context, and
   * another error where it cannot read the file.
   */
  async measure(placement: Placement, size: ContextSize) {
    const layout = await this.#layOut(placement);
    const opening = this.#addon.open(loadedAddonFile(), layout, parametersOf({ ...size, threads: 1 }));
    const { handle } = await opening.catch((cause: unknown) => {
      throw new DeviceFullError(messageOf(cause), { cause });
    });
    try {
      const bytes = this.#addon.memory(handle);
      const [context, weights] = [bytes.subarray(0, bytes.length / 2), bytes.subarray(bytes.length / 2)];
      return { context: this.#toMemory(context), weights: this.#toMemory(weights) };
    } finally {
      await this.#addon.close(handle);
    }
  }

  #toMemory([ramBytes = 0, ...each]: Float64Array): MemoryUse {
    const vramBytes = each.reduce((sum, bytes) => sum + bytes, 0);
    const gpus = Object.fromEntries(each.map((bytes, at) => [this.#gpuNames[at] ?? `GPU ${at + 1}`, bytes]));
    return { ramBytes, vramBytes, ...(each.length > 0 && { gpus }) };
  }

  #layOut(placement: Placement): Promise<LayoutHandle> {
    const { usesGpu, gpuLayers, expertLayers } = placement;
    const key = `${usesGpu} ${gpuLayers} ${expertLayers}`;
    const layout = this.#opened.get(key) ?? this.#layOutAnew(placement);
    this.#opened.set(key, layout);
    return layout;
  }

  #layOutAnew(placement: Placement): Promise<LayoutHandle> {
    const { withHeads } = this;
    return this.#addon.layOut(loadedAddonFile(), this.#path, { ...placement, withHeads });
  }

  async close(): Promise<void> {
    for (const opened of await Promise.allSettled(this.#opened.values()))
      if (opened.status === 'fulfilled') await this.#addon.closeLayout(opened.value);
    this.#showWarnings();
  }
}
