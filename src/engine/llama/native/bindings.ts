import type { Llama } from 'node-llama-cpp';

/**
 * The classes of llama.cpp's addon as `Bindings` describes them. Only this folder touches node-llama-cpp's internals,
 * which is pinned to an exact version; test/unit/engine/llama/native.test.ts fails when an upgrade changes them.
 */
export const bindingsOf = <Bindings>(llama: Llama): Bindings =>
  (llama as unknown as { _bindings: Bindings })._bindings;
