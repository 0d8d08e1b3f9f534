import type { Llama } from 'node-llama-cpp';

export type { Llama } from 'node-llama-cpp';

/** What llama.cpp can use on this machine. */
export interface ComputeDevices {
  /** `cuda`, `vulkan`, `metal`; undefined: the CPU only. */
  readonly gpu: string | undefined;
  readonly gpuNames: readonly string[];
  readonly vramBytes: number;
  readonly mathCores: number;
  /** Such as `AVX2`, `AVX512`. */
  readonly cpuFeatures: readonly string[];
}

export async function inspectDevices(llama: Llama): Promise<ComputeDevices> {
  const { gpu, cpuMathCores, systemInfo } = llama;
  return {
    gpu: gpu === false ? undefined : gpu,
    gpuNames: gpu === false ? [] : await llama.getGpuDeviceNames(),
    vramBytes: gpu === false ? 0 : (await llama.getVramState()).total,
    mathCores: cpuMathCores,
    cpuFeatures: [...systemInfo.matchAll(/([A-Z][A-Z0-9_]+) = 1\b/g)].map(([, name = '']) => name),
  };
}
