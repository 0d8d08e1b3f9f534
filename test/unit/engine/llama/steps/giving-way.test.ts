import { expect, it } from 'vitest';
import { expectedText, setUpLoop } from '../../../../support/engine/step-loop-harness.ts';

/** `length` token ids that belong together. */
const tokens = (length: number, first: number) =>
  Array.from({ length }, (_, index) => 1 + ((first * 131 + index * 7) % 900));
const inBackground = { isBackground: true, keyId: 'batch', maxTokens: 40 };

/** Resolves when the context has computed something. */
async function begun(context: { readonly decodes: number }, least: number): Promise<void> {
  await expect.poll(() => context.decodes, { interval: 1 }).toBeGreaterThanOrEqual(least);
}

it('leaves its slot while it writes, and goes on where it was', async () => {
  let decodes = 0;
  const count = { get decodes() { return decodes; } }; // prettier-ignore
  const { loop, send } = setUpLoop({
    sequences: 1,
    decodeFailure: () => {
      decodes++;
      return undefined;
    },
  });
  const [long, short] = [tokens(100, 1), tokens(50, 2)];
  const background = send(long, inBackground);
  await begun(count, 10);
  const order: string[] = [];
  const awaited = send(short);
  await Promise.all([
    awaited.result().then(() => order.push('awaited')),
    background.result().then(() => order.push('background')),
  ]);
  expect(order).toEqual(['awaited', 'background']);
  expect((await awaited.result()).text).toBe(expectedText(short, 5));
  const { text, end } = await background.result();
  expect(text).toBe(expectedText(long, 40));
  expect(end.usage).toMatchObject({ promptTokens: 100, cachedTokens: 0, completionTokens: 40 });
  await loop.idle();
});

it('gives up the step that it is in, and computes it again', async () => {
  const { context, send } = setUpLoop({ sequences: 2, decodeMs: 5, failsLate: true });
  const background = [1, 2].map((first) => send(tokens(300, first), inBackground));
  for (const [at, least] of [0, 10].entries()) {
    // The first in its prompts, the second while it writes.
    const isInStep = () => context.decoded.length >= least && context.isDecoding;
    await expect.poll(isInStep, { interval: 1 }).toBe(true);
    const short = tokens(50, 5 + at);
    expect((await send(short).result()).text).toBe(expectedText(short, 5));
    expect(context.interruptions).toBe(at + 1);
  }
  for (const [at, run] of background.entries())
    expect((await run.result()).text).toBe(expectedText(tokens(300, 1 + at), 40));
});

it('is left alone where its slot could not be brought back', async () => {
  const { context, send } = setUpLoop({ sequences: 1, decodeMs: 5, forgetsOnlyAll: true });
  const long = tokens(100, 1);
  const background = send(long, inBackground);
  await expect.poll(() => context.decoded.length, { interval: 1 }).toBeGreaterThanOrEqual(10);
  await send(tokens(50, 2)).result();
  expect((await background.result()).text).toBe(expectedText(long, 40));
  expect(context.interruptions).toBe(0);
});

it('rests in its slot while another one is used, and keeps nobody who shares its beginning waiting', async () => {
  let decodes = 0;
  const count = { get decodes() { return decodes; } }; // prettier-ignore
  const computed: number[] = [];
  const { send } = setUpLoop({
    sequences: 2,
    decodeFailure: (batch) => {
      decodes++;
      computed.push(batch.length);
      return undefined;
    },
  });
  const shared = tokens(900, 1);
  const background = send(shared, inBackground);
  await begun(count, 1);
  const awaited = send([...shared, 7], { maxTokens: 20 });
  expect((await awaited.result()).text).toBe(expectedText([...shared, 7], 20));
  expect((await background.result()).text).toBe(expectedText(shared, 40));
  expect(Math.max(...computed)).toBe(1);
});

it('ends when nobody wants it any more while it has no slot', async () => {
  let decodes = 0;
  const count = { get decodes() { return decodes; } }; // prettier-ignore
  const { loop, send } = setUpLoop({
    sequences: 1,
    decodeFailure: () => {
      decodes++;
      return undefined;
    },
  });
  const background = send(tokens(100, 1), inBackground);
  await begun(count, 10);
  const awaited = send(tokens(50, 2), { maxTokens: 400 });
  await begun(count, decodes + 20);
  background.caller.abort();
  expect((await background.result()).end).toMatchObject({ outcome: 'aborted' });
  expect((await awaited.result()).end).toMatchObject({ outcome: 'finished' });
  await loop.idle();
});
