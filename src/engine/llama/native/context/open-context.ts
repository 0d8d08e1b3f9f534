import { GgmlType, type LlamaModel } from 'node-llama-cpp';
import type { ContextOptions, EmbeddingOptions, NativeContext, NativeEmbeddingContext } from './context.ts';
import { openLibraryContext, openLibraryEmbeddingContext } from './library-context.ts';
import { openStepperContext } from './stepper-context.ts';

/**
 * A context for text: the stepper's, or node-llama-cpp's where this process has no stepper. Throws DeviceFullError or
 * InsufficientMemoryError where there is no memory for it, or the reason of the signal.
 */
export async function openContext(model: LlamaModel, options: ContextOptions): Promise<NativeContext> {
  return (await openStepperContext(model, options)) ?? (await openLibraryContext(model, options));
}

/** A context for vectors, or for scores where it `ranks`. Throws as `openContext`. */
export async function openEmbeddingContext(
  model: LlamaModel,
  options: Omit<ContextOptions, 'sequences' | 'cacheType'> & Pick<EmbeddingOptions, 'ranks'>,
): Promise<NativeEmbeddingContext> {
  const own = await openStepperContext(model, {
    ...options,
    sequences: 1,
    cacheType: GgmlType.F16,
    embeds: true,
  });
  return own ?? (await openLibraryEmbeddingContext(model, options));
}
