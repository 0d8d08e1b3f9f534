import type { GenerationChannel } from '../generation-channel.ts';
import type { PooledModel } from '../pool/loadable.ts';
import type { EmbeddingEnd, EmbeddingRequest, GenerationRequest } from '../types.ts';

/** A GGUF model in memory, whatever it can do. */
export interface ServedModel extends PooledModel {
  /** Resolves when `request` ended, however it ended. Throws AppError when it cannot be served. */
  run(request: GenerationRequest, channel: GenerationChannel): Promise<void>;
  /** Resolves when `request` ended, however it ended; never rejects. */
  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<EmbeddingEnd>;
}
