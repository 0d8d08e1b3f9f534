import { expect, it } from 'vitest';
import { RequestBatch } from '../../../../src/engine/queue/request-batch.ts';

const never = new AbortController().signal;
const settled = async (promise: Promise<void>) =>
  Promise.race([promise.then(() => true), new Promise<false>((resolve) => setTimeout(resolve, 5, false))]);

it('lets nobody go before all have come', async () => {
  const batch = new RequestBatch(3);
  const first = batch.join(never);
  const second = batch.join(never);
  expect(await settled(first)).toBe(false);
  await batch.join(never);
  await Promise.all([first, second]);
});

it('lets go whoever leaves, and those who come late, without the rest', async () => {
  const batch = new RequestBatch(3);
  const leaving = new AbortController();
  const first = batch.join(leaving.signal);
  const second = batch.join(never);
  leaving.abort();
  await first;
  await batch.join(leaving.signal);
  await second;
});

it('lets several prompts be judged for ten seconds together, and one alone for as long as it takes', () => {
  const several = new RequestBatch(2);
  several.spendOnScoring(6_000);
  several.spendOnScoring(4_000);
  expect(() => several.spendOnScoring(1)).toThrow(
    expect.objectContaining({
      code: 'invalid_value',
      param: 'logprobs',
      message: expect.stringContaining('10 s'),
    }),
  );
  const alone = new RequestBatch(1);
  for (let step = 0; step < 100; step++) alone.spendOnScoring(1_000);
});
