/** Which part of a model is computed by GPUs; the processor computes the rest. */
export interface ModelPlace {
  /** All of its layers; the output is one of them. */
  readonly layers: number;
  readonly gpuLayers: number;
  /** Of the layers on GPUs, those whose experts are in main memory. */
  readonly expertLayers: number;
  /** Undefined: it has no projector. */
  readonly projectorOnGpu?: boolean | undefined;
  /** It guesses tokens with heads that it has for that. */
  readonly draftHeads?: boolean | undefined;
}

/** Such as `12 of 29 layers on the GPU, the experts of 4 in main memory`. */
export function formatPlace({ layers, gpuLayers, expertLayers, projectorOnGpu }: ModelPlace): string {
  const ofAll = gpuLayers === layers ? `all ${layers}` : `${gpuLayers} of ${layers}`;
  const where = gpuLayers === 0 ? 'on the processor' : `${ofAll} layers on the GPU`;
  const experts = expertLayers === 0 ? '' : `, the experts of ${expertLayers} in main memory`;
  const isApart = projectorOnGpu !== undefined && projectorOnGpu !== gpuLayers > 0;
  return `${where}${experts}${isApart ? `, its projector on the ${projectorOnGpu ? 'GPU' : 'processor'}` : ''}`;
}
