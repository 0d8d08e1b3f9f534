import { LlamaLogLevel, type GgufInsights } from 'node-llama-cpp';
import type { MemoryUse } from '../../../pool/memory-use.ts';
import type { ContextOptions, EmbeddingOptions } from './context.ts';
import { loadedAddonFile } from '../loaded-addon-file.ts';
import { mapsWeights, type NativeModel } from '../model.ts';
import { parametersOf } from './stepper-context.ts';
import { contextAddon } from '../stepper.ts';

type LogLevels = {
  readonly _createLogLevelOverride: (this: LogLevels, level: LlamaLogLevel) => () => void;
};

type Session = {
  readonly _getModelHandle: (
    this: Session,
    of: { source: unknown; gpuLayers: number; useMmap: boolean },
  ) => Promise<{
    readonly model: NativeModel;
    readonly disposeGuard: { createPreventDisposalHandle(): { dispose(): void } };
  }>;
};

/** The part of node-llama-cpp that estimates: it lays models out in memory without reading them. */
type Simulator = {
  readonly _resolveSimulatorSource: (this: Simulator) => Promise<unknown>;
  readonly _llama: LogLevels;
  readonly _simulationSession: Session;
};

/**
 * The memory that the stepper's context takes besides the weights: it is opened as it will be, but for a model without
 * weights, so that llama.cpp allocates none of it. Undefined where this process has no stepper, or where that fails.
 */
export async function contextMemory(
  insights: GgufInsights,
  gpuLayers: number,
  options: ContextOptions & EmbeddingOptions,
): Promise<MemoryUse | undefined> {
  const addon = contextAddon();
  if (addon === undefined) return undefined;
  const simulator = insights as unknown as Simulator;
  const { _llama: llama, _simulationSession: session } = simulator;
  const { _resolveSimulatorSource: resolveSource } = simulator;
  const { _createLogLevelOverride: overrideLogLevel } = llama;
  const { _getModelHandle: layOut } = session;
  // llama.cpp repeats its warnings when the context is opened for use.
  const showWarnings = overrideLogLevel.call(llama, LlamaLogLevel.error);
  let opened: Awaited<ReturnType<typeof addon.open>> | undefined;
  let kept: { dispose(): void } | undefined;
  try {
    const source = await resolveSource.call(simulator);
    const laidOut = await layOut.call(session, { source, gpuLayers, useMmap: mapsWeights });
    kept = laidOut.disposeGuard.createPreventDisposalHandle();
    opened = await addon.open(loadedAddonFile(), laidOut.model, parametersOf(options));
    const [ramBytes = 0, vramBytes = 0] = addon.memory(opened.handle);
    return { ramBytes, vramBytes };
  } catch {
    return undefined;
  } finally {
    if (opened !== undefined) await addon.close(opened.handle);
    kept?.dispose();
    showWarnings();
  }
}
