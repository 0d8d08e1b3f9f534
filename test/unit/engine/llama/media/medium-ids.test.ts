import { describe, expect, it } from 'vitest';
import {
  isMediumId,
  mediumIds,
  stillCells,
  tokensOnly,
  tokensUntilMedium,
  wholeMedia,
} from '../../../../../src/engine/llama/media/medium-ids.ts';
import { commonPrefix } from '../../../../../src/engine/llama/slots/common-prefix.ts';
import { Slot } from '../../../../../src/engine/llama/slots/slot.ts';

const list = (...parts: readonly (readonly number[] | Uint32Array)[]) =>
  Uint32Array.from(parts.flatMap((part) => [...part]));

describe('the ids of a medium', () => {
  const medium = mediumIds(7, 6, 3);
  const prompt = list([1, 2], medium, [3], medium, [4]);

  it('are no tokens, and move what follows by its positions', () => {
    expect(medium).toHaveLength(6);
    expect([...medium].every(isMediumId)).toBe(true);
    expect(stillCells(medium)).toBe(3);
    expect([...tokensOnly(prompt)]).toEqual([1, 2, 3, 4]);
    expect(tokensUntilMedium(prompt, 0)).toBe(2);
    expect(tokensUntilMedium(prompt, 15)).toBe(1);
  });

  it('are cut off as a whole', () => {
    const cuts = Array.from({ length: prompt.length + 1 }, (_, length) => wholeMedia(prompt, length));
    expect(cuts).toEqual([0, 1, 2, 2, 2, 2, 2, 2, 8, 9, 9, 9, 9, 9, 9, 15, 16]);
  });

  it('are shared as a whole, and only with the same content', () => {
    expect(commonPrefix(prompt.subarray(0, 5), prompt)).toBe(2);
    expect(commonPrefix(list([1, 2], mediumIds(8, 6, 3)), prompt)).toBe(2);
    expect(commonPrefix(list([1, 2], medium, [9]), prompt)).toBe(8);
  });

  it('tell a slot where what follows stands', () => {
    const slot = new Slot(0, 64);
    slot.append(prompt);
    expect(slot.length).toBe(16);
    expect(slot.position).toBe(10);
    expect(slot.positionAt(9)).toBe(6);
    slot.truncate(8);
    expect(slot.position).toBe(5);
  });
});
