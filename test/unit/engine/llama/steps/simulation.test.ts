/** Random requests, driven through the loop without a model. */
import { expect, it } from 'vitest';
import { CacheMemory } from '../../../../../src/engine/llama/caches/cache-memory.ts';
import {
  expectedText,
  growthUpTo,
  setUpLoop,
  type Run,
} from '../../../../support/engine/step-loop-harness.ts';
import { fc } from '../../../../support/properties.ts';

/** `length` token ids that belong together. */
const tokens = (length: number, first: number) =>
  Array.from({ length }, (_, index) => 1 + ((first * 131 + index * 7) % 900));

/** The fake model never says it by itself. */
const poison = 5000;

const request = fc.record({
  account: fc.constantFrom('a', 'b'),
  shared: fc.constantFrom(0, 100, 300),
  own: fc.integer({ min: 1, max: 40 }),
  maxTokens: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 12 }) },
    fc.integer({ min: 80, max: 160 }),
  ),
  isBackground: fc.constantFrom(false, false, true),
  fate: fc.constantFrom('served', 'served', 'served', 'fails', 'leaves'),
  pauseMs: fc.constantFrom(0, 0, 0, 2),
});

const machine = fc.record({
  sequences: fc.integer({ min: 1, max: 5 }),
  forgetsOnlyAll: fc.boolean(),
  forgetsOnlyLastStep: fc.boolean(),
  /** Most cells that there is memory for; 0: each slot has all that a request may have from the beginning. */
  mostCells: fc.constantFrom(0, 512, 512, 768, 1024, 8192),
  /** Each n-th time that the context is opened anew, one sequence loses its state; 0: never. */
  losesEvery: fc.integer({ min: 0, max: 3 }),
});

it(
  'gives each of many requests the text it gets alone, whatever else happens',
  { timeout: 60_000 },
  async () => {
    const requests = fc.array(request, { minLength: 1, maxLength: 14 });
    const simulation = fc.asyncProperty(
      requests,
      machine,
      async (drawn, { mostCells, losesEvery, ...memory }) => {
        let lost = 0;
        const shape = { cells: 256, isUnified: true };
        const { loop, send } = setUpLoop(
          {
            ...memory,
            ...(mostCells > 0 && { shape }),
            losesState: () => losesEvery > 0 && ++lost % losesEvery === 0,
            decodeFailure: (batch) =>
              batch.some((item) => item.tokens.includes(poison)) ? new Error('Eval has failed') : undefined,
          },
          {
            cacheMemory: new CacheMemory(100_000),
            ...(mostCells > 0 && { growth: await growthUpTo(mostCells, shape) }),
          },
        );
        const sent: { run: Run; prompt: readonly number[]; fate: string; maxTokens: number }[] = [];
        for (const { account, shared, own, maxTokens, isBackground, fate, pauseMs } of drawn) {
          if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
          const prompt = [...tokens(shared, 5), ...tokens(own, own), ...(fate === 'fails' ? [poison] : [])];
          const run = send(prompt, { accountId: account, maxTokens, isBackground });
          if (fate === 'leaves') setTimeout(() => run.caller.abort(), own % 5);
          sent.push({ run, prompt, fate, maxTokens });
        }
        for (const { run, prompt, fate, maxTokens } of sent) {
          const { text, end } = await run.result();
          const { promptTokens, cachedTokens } = end.usage;
          expect(cachedTokens).toBeLessThanOrEqual(promptTokens);
          expect(promptTokens).toBeLessThanOrEqual(prompt.length);
          expect(expectedText(prompt, maxTokens).startsWith(text)).toBe(true);
          if (fate === 'served')
            expect({ ...end, text }).toMatchObject({
              outcome: 'finished',
              text: expectedText(prompt, maxTokens),
            });
          if (fate === 'fails') expect(end.outcome).toBe('failed');
        }
        await loop.idle();
        expect([loop.freeSlots, loop.waiting]).toEqual([memory.sequences, 0]);
      },
    );
    await fc.assert(simulation, { numRuns: 200 });
  },
);
