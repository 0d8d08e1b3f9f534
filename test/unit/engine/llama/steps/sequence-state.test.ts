import { expect, it } from 'vitest';
import { stateAfter, type SequenceState } from '../../../../../src/engine/llama/steps/sequence-state.ts';

const drawn = Uint32Array.of(9);
const drawing: SequenceState = { name: 'drawing', places: [4], passedPlace: 4 };

it('decodes what was drawn late', () => {
  const state = stateAfter(drawing, { name: 'drawn', nextTokens: drawn });
  expect(state).toEqual({ name: 'decoding', nextTokens: drawn, places: [4], passedPlace: 4 });
});

it('computes all again where its slot was emptied while it drew', () => {
  const computed = Uint32Array.of(1, 2, 3);
  const cut = stateAfter(drawing, { name: 'cut', computed: computed.subarray() });
  computed.fill(0);
  const state = stateAfter(cut, { name: 'drawn', nextTokens: drawn });
  expect(state).toEqual({ name: 'prefilling', tokens: Uint32Array.of(1, 2, 3, 9), places: [4] });
});

it('does nothing once it has ended, and draws nothing without a slot', () => {
  const ended = stateAfter(drawing, { name: 'ended' });
  expect(() => stateAfter(ended, { name: 'placed' })).toThrow('ended cannot be placed');
  const resting: SequenceState = { name: 'resting', tokens: drawn, isResumed: true };
  expect(() => stateAfter(resting, { name: 'drawn', nextTokens: drawn })).toThrow('resting cannot be drawn');
});
