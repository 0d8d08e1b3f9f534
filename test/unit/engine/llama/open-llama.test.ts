import { expect, it } from 'vitest';
import { tellsOfAbort } from '../../../../src/engine/llama/open-llama.ts';

it.each([
  ['llama_decode: failed to decode, ret = 2', true],
  ['process_ubatch: failed to compute graph, compute status: 1', true],
  ['llama_decode: failed to decode, ret = -3', false],
  ['llama_decode: failed to decode, ret = 21', false],
  ['process_ubatch: failed to compute graph, compute status: -1', false],
])('a step that was stopped is no error of llama.cpp: %s', (line, isAbort) => {
  expect(tellsOfAbort(line)).toBe(isAbort);
});
