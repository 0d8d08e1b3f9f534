import { expect, it } from 'vitest';
import { addUsage, nothingComputed, type Usage } from '../../../../src/engine/generation/generation.ts';

it('what several generations took is as sure as the least sure of them, in any order', () => {
  const sources: readonly Usage['source'][] = [undefined, 'reported', 'tokenized', 'estimated'];
  for (const [a, one] of sources.entries())
    for (const [b, other] of sources.entries()) {
      const sum = addUsage(
        { ...nothingComputed, promptTokens: 2, source: one },
        { ...nothingComputed, promptTokens: 3, source: other },
      );
      expect([sum.promptTokens, sum.source]).toEqual([5, sources[Math.max(a, b)]]);
    }
});
