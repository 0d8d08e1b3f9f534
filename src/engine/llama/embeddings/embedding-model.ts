import type { LlamaModel } from 'node-llama-cpp';
import type { ServedModel } from '../../model-backend.ts';
import type { MemoryUse } from '../../pool/memory-use.ts';
import type { EmbeddingEnd, EmbeddingRequest, TokenizedText, TokenizeRequest } from '../../types.ts';
import { readTokens } from '../tokens/read-tokens.ts';
import type { Embedder } from './embedder.ts';

/** A model in memory that computes embeddings and nothing else. */
export class EmbeddingModel implements ServedModel {
  readonly memory: MemoryUse;
  readonly #model: LlamaModel;
  readonly #embedder: Embedder;

  constructor(model: LlamaModel, embedder: Embedder, memory: MemoryUse) {
    this.#model = model;
    this.#embedder = embedder;
    this.memory = memory;
  }

  get contextTokens(): number {
    return this.#embedder.contextTokens;
  }

  tokenize(request: TokenizeRequest, signal: AbortSignal): Promise<TokenizedText> {
    return readTokens(request, this.#embedder, signal);
  }

  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<EmbeddingEnd> {
    return this.#embedder.embed(request, signal);
  }

  async dispose(): Promise<void> {
    await this.#embedder.dispose();
    await this.#model.dispose();
  }
}
