import type { Llama } from 'node-llama-cpp';

/**
 * The classes of llama.cpp's addon, of which each caller says which ones it uses. Only this folder touches the internals
 * of node-llama-cpp, which is pinned to an exact version; test/unit/engine/llama/native.test.ts fails when an upgrade
 * changes them.
 */
export const bindingsOf = (llama: Llama): unknown => (llama as unknown as { _bindings: unknown })._bindings;
