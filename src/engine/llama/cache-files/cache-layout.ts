import { createHash } from 'node:crypto';
import type { FileModelSpec } from '../../model-backend.ts';
import { fileFingerprint } from '../../model-check/file-fingerprint.ts';

/** To be raised when files of earlier versions cannot be read any more. */
const formatVersion = 3;

/**
 * A hash of all that a cache depends upon, besides its tokens: the files of the model and of its adapters, how the context
 * is laid out, and the release of llama.cpp. A cache fits where this is the same. Throws the system's error.
 */
export function cacheLayout(spec: FileModelSpec, contextTokens: number, llamaRelease: unknown): string {
  const { lora = [], path, parallel, cacheType, flashAttention } = spec;
  const facts = {
    formatVersion,
    llama: llamaRelease,
    model: stateOf(path),
    adapters: lora.map((adapter) => [stateOf(adapter.path), adapter.scale]),
    contextTokens,
    parallel,
    cacheType: cacheType ?? null,
    flashAttention: flashAttention ?? null,
  };
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

function stateOf(file: string) {
  const { sizeBytes, mtimeMs, fingerprint } = fileFingerprint(file);
  return { sizeBytes, mtimeMs, fingerprint };
}
