import { nothingAllowed } from '../../../../../src/engine/llama/native/stepper.ts';
import { describe, expect, it, vi } from 'vitest';
import { CacheMemory } from '../../../../../src/engine/llama/caches/cache-memory.ts';
import { RequestBatch } from '../../../../../src/engine/queue/request-batch.ts';
import {
  expectedText,
  growthUpTo,
  setUpLoop,
  type Run,
} from '../../../../support/engine/step-loop-harness.ts';
import type { FakeContextOptions, FakeNativeContext } from '../../../../support/fakes/fake-native-context.ts';

/** `length` token ids that belong together. */
const tokens = (length: number, first: number) =>
  Array.from({ length }, (_, index) => 1 + ((first * 131 + index * 7) % 900));

const finished = { outcome: 'finished', finishReason: 'length' };
const failed = { outcome: 'failed', error: { code: 'engine_error' } };
/** The fake model never says it by itself. */
const poison = 5000;
const poisonFails = (batch: readonly { readonly tokens: readonly number[] }[]) =>
  batch.some((item) => item.tokens.includes(poison)) ? new Error('Eval has failed') : undefined;

async function expectServed(run: Run, prompt: readonly number[], maxTokens = 5): Promise<void> {
  const { text, end } = await run.result();
  expect(end).toMatchObject(finished);
  expect(text).toBe(expectedText(prompt, maxTokens));
}

describe('a sequence that cannot be decoded', () => {
  it('fails alone; its neighbours go on and its slot serves the next', async () => {
    const { loop, context, send } = setUpLoop({ sequences: 3, decodeFailure: poisonFails });
    const prompts = [tokens(40, 1), [...tokens(40, 2), poison], tokens(40, 3), tokens(40, 4)];
    const runs = prompts.map((prompt) => send(prompt));
    for (const [index, prompt] of prompts.entries()) {
      const run = runs[index];
      if (run === undefined) continue;
      if (prompt.includes(poison)) {
        const { text, end } = await run.result();
        expect(text).toBe('');
        expect(end).toMatchObject({ ...failed, usage: { completionTokens: 0 } });
      } else await expectServed(run, prompt);
    }
    await loop.idle();
    expect(context.held).toHaveLength(3);
  });

  it('leaves nothing behind that a later request is built upon', async () => {
    const { send } = setUpLoop({ sequences: 1, decodeFailure: poisonFails });
    const prompt = tokens(600, 1);
    expect((await send([...prompt, poison]).result()).end).toMatchObject(failed);
    const run = send(prompt);
    await expectServed(run, prompt);
    expect((await run.result()).end.usage.cachedTokens).toBe(0);
  });

  it('takes with it only those whose state is lost, where no state can be rewound', async () => {
    let decodes = 0;
    const { loop, send } = setUpLoop({
      sequences: 3,
      forgetsOnlyAll: true,
      failsLate: true,
      decodeFailure: () => (++decodes === 4 ? new Error('Eval has failed') : undefined),
    });
    const prompts = [tokens(40, 1), tokens(40, 2), tokens(40, 3)];
    const runs = prompts.map((prompt) => send(prompt));
    for (const run of runs) expect((await run.result()).end).toMatchObject(failed);
    await loop.idle();
    for (const prompt of prompts) await expectServed(send(prompt), prompt);
  });

  it('is begun anew where only its first tokens are lost', async () => {
    const { promise: beginning, resolve } = Promise.withResolvers<Run>();
    let [decodes, hasFailed] = [0, false];
    const { send } = setUpLoop({
      sequences: 2,
      forgetsOnlyAll: true,
      failsLate: true,
      decodeFailure: (batch) => {
        if (++decodes === 1) resolve(send(tokens(40, 2)));
        if (hasFailed || batch.length < 2) return undefined;
        hasFailed = true;
        return new Error('Eval has failed');
      },
    });
    // The end of the one is computed together with the beginning of the other.
    const ending = send(tokens(140, 1));
    await expectServed(await beginning, tokens(40, 2));
    expect((await ending.result()).end).toMatchObject(failed);
  });
});

describe('a sequence that cannot be sampled', () => {
  it('fails alone', async () => {
    const { loop, send } = setUpLoop({
      sequences: 2,
      draw: (cells) => (cells.includes(poison) && cells.length > 42 ? nothingAllowed : undefined),
    });
    const good = tokens(40, 1);
    const bad = [...tokens(40, 2), poison];
    const [goodRun, badRun] = [send(good), send(bad)];
    await expectServed(goodRun, good);
    const { text, end } = await badRun.result();
    expect(end).toMatchObject({ ...failed, usage: { promptTokens: 41, completionTokens: 2 } });
    expect(text).toBe(expectedText(bad, 2));
    await loop.idle();
  });

  it('fails alone when it gets no sampler', async () => {
    const { loop, send } = setUpLoop(
      { sequences: 1 },
      {
        createSampler: () => {
          throw new Error('out of memory');
        },
      },
    );
    for (const first of [1, 2, 3]) expect((await send(tokens(10, first)).result()).end).toMatchObject(failed);
    await loop.idle();
    expect([loop.freeSlots, loop.waiting]).toEqual([1, 0]);
  });
});

describe('the checkpoint before an answer', () => {
  const prompt = tokens(100, 1);
  const setUp = (options: Omit<FakeContextOptions, 'sequences'>) =>
    setUpLoop({ sequences: 1, ...options }, { cacheMemory: new CacheMemory(100_000) });
  const stepsOf = ({ decoded }: FakeNativeContext) =>
    decoded.map((items) => items.reduce((total, item) => total + item.tokens.length, 0));

  it('is saved after the first token where the last step can be taken back', async () => {
    const { context, send } = setUp({ forgetsOnlyLastStep: true });
    await expectServed(send(prompt), prompt);
    expect(stepsOf(context)).toEqual([100, 9, 1, 1, 1]);
    const next = [...prompt.slice(0, 95), ...tokens(30, 2)];
    const run = send(next);
    await expectServed(run, next);
    expect((await run.result()).end.usage.cachedTokens).toBe(92);
  });

  it('is not saved for an answer of one token', async () => {
    const { context, send } = setUp({ forgetsOnlyLastStep: true });
    await expectServed(send(prompt, { maxTokens: 1 }), prompt, 1);
    expect(stepsOf(context)).toEqual([100]);
  });

  it('is where a step of the prompt ends where nothing can be taken back', async () => {
    const { context, send } = setUp({ forgetsOnlyAll: true });
    await expectServed(send(prompt), prompt);
    expect(stepsOf(context)).toEqual([92, 8, 1, 1, 1, 1]);
  });
});

describe('the prefix cache', () => {
  const system = tokens(400, 9);
  const question = (index: number) => [...system, ...tokens(20, 20 + index)];

  it('has one compute a shared prefix while the others wait for it', async () => {
    const { context, send } = setUpLoop({ sequences: 4 });
    const prompts = [0, 1, 2, 3].map(question);
    const runs = prompts.map((prompt) => send(prompt));
    for (const [index, prompt] of prompts.entries()) {
      const run = runs[index];
      if (run !== undefined) await expectServed(run, prompt);
    }
    expect(context.copies).toBe(3);
    expect(context.decodedTokens).toBeLessThan(400 + 4 * (20 + 64 + 5));
  });

  it('is held once by all in a pool, which grows and holds it once still', async () => {
    const shape = { cells: 256, isUnified: true };
    // As many cells as all have tokens, and a few more: without sharing they need 2,000.
    const growth = await growthUpTo(1536, shape);
    const { context, loop, send } = setUpLoop({ sequences: 5, shape, decodeMs: 2 }, { growth });
    const prompts = [0, 1, 2, 3].map(question);
    const runs = prompts.map((prompt) => send(prompt, { maxTokens: 60 }));
    await vi.waitFor(() => expect(context.decoded.at(-1)).toHaveLength(4), { interval: 1, timeout: 30_000 });
    expect(context.cells.shape.cells).toBe(1024);
    const other = tokens(300, 77);
    const last = send(other, { accountId: 'another', maxTokens: 3 });
    expect(await last.result()).toMatchObject({ text: expectedText(other, 3) });
    expect(context.cells.shape).toEqual({ cells: 1536, isUnified: true });
    for (const [index, prompt] of prompts.entries())
      expect(await runs[index]?.result()).toMatchObject({ text: expectedText(prompt, 60) });
    expect(context.decoded.some((batch) => batch.length === 5)).toBe(true);
    expect(context.decodedTokens).toBeLessThan(400 + 4 * (20 + 64 + 60) + 303);
    expect(loop.waiting).toBe(0);
  });

  it('computes itself what cannot be copied', async () => {
    const { send } = setUpLoop({ sequences: 2, copyFailure: new Error('no room') });
    const prompts = [0, 1].map(question);
    const runs = prompts.map((prompt) => send(prompt));
    for (const [index, prompt] of prompts.entries()) {
      const run = runs[index];
      if (run !== undefined) await expectServed(run, prompt);
    }
  });

  it('computes itself what cannot be cut to the part that is shared', async () => {
    const { send } = setUpLoop({ sequences: 2, forgetsOnlyAll: true });
    for (const index of [0, 1, 0]) await expectServed(send(question(index)), question(index));
  });

  it('does not charge one who leaves while it waits for the prefix of another', async () => {
    const { loop, send } = setUpLoop({ sequences: 2, decodeMs: 20 });
    await Promise.all([0, 1].map((index) => send(question(index)).result()));
    // Both slots hold the beginning; the first computes the rest, the second waits for it.
    const prompt = [...system.slice(0, 50), ...tokens(900, 3)];
    const first = send(prompt);
    const second = send([...prompt, 7]);
    await vi.waitFor(() => expect(loop.freeSlots).toBe(0), { interval: 1, timeout: 30_000 });
    second.caller.abort();
    expect((await second.result()).end).toMatchObject({
      outcome: 'aborted',
      usage: { promptTokens: 0, cachedTokens: 0, completionTokens: 0 },
    });
    await expectServed(first, prompt);
  });

  it('shares within an account only', async () => {
    const { context, send } = setUpLoop({ sequences: 2 });
    await send(question(0), { accountId: 'a' }).result();
    const [theirs, own] = [send(question(1), { accountId: 'b' }), send(question(2), { accountId: 'a' })];
    expect((await theirs.result()).end.usage.cachedTokens).toBe(0);
    // Its own slot still holds the prefix.
    expect((await own.result()).end.usage.cachedTokens).toBe(400);
    expect(context.copies).toBe(0);
    const again = send(question(1), { accountId: 'b' });
    expect((await again.result()).end.usage.cachedTokens).toBe(419);
  });
});

describe('leaving', () => {
  it('takes in nobody who left while waiting, or before', async () => {
    const { loop, context, send } = setUpLoop({ sequences: 1, decodeMs: 1 });
    const busy = send(tokens(10, 1), { maxTokens: 20 });
    const waiting = send(tokens(10, 2));
    const gone = send(tokens(10, 3), {}, AbortSignal.abort());
    waiting.caller.abort();
    for (const run of [waiting, gone])
      expect(await run.result()).toMatchObject({ text: '', end: { outcome: 'aborted' } });
    expect(loop.waiting).toBe(0);
    await busy.result();
    await loop.idle();
    expect(context.decodedTokens).toBe(10 + 19);
  });

  it('frees the slot within a step and tells what was computed', async () => {
    const { loop, context, send } = setUpLoop({ sequences: 1, decodeMs: 1 });
    const run = send(tokens(30, 1), { maxTokens: 900 });
    await vi.waitFor(() => expect(context.decoded.length).toBeGreaterThan(3), {
      interval: 1,
      timeout: 30_000,
    });
    run.caller.abort();
    const { end } = await run.result();
    expect(end.outcome).toBe('aborted');
    expect(end.usage.promptTokens).toBe(30);
    expect(end.usage.completionTokens).toBeGreaterThan(0);
    await loop.idle();
    expect(loop.freeSlots).toBe(1);
  });

  it('is told to those who waited too long for a slot', async () => {
    const { send } = setUpLoop({ sequences: 1, decodeMs: 1 }, { queueTimeoutMs: 30 });
    const busy = send(tokens(10, 1), { maxTokens: 900 });
    const { end } = await send(tokens(10, 2)).result();
    expect(end).toMatchObject({ outcome: 'failed', error: { code: 'server_overloaded' } });
    busy.caller.abort();
    await busy.result();
  });

  it('is not told to those who wait for others of their batch', async () => {
    const { send } = setUpLoop({ sequences: 1, decodeMs: 1 }, { queueTimeoutMs: 30 });
    const batch = new RequestBatch(4);
    const runs = Array.from({ length: 4 }, (_, index) => send(tokens(10, index), { maxTokens: 60, batch }));
    const alone = send(tokens(10, 9), { batch: new RequestBatch(1) });
    expect((await alone.result()).end.outcome).toBe('failed');
    for (const run of runs) expect((await run.result()).end.outcome).toBe('finished');
  });
});

it('gives every decoder tokens while a long prompt is computed in pieces', async () => {
  const { context, send } = setUpLoop({ sequences: 2, decodeMs: 40 });
  const stream = send(tokens(10, 1), { maxTokens: 900 });
  await vi.waitFor(() => expect(context.decoded.length).toBeGreaterThan(3), { interval: 1, timeout: 30_000 });
  const before = context.decoded.length;
  const long = send(tokens(900, 2), { maxTokens: 1 });
  await long.result();
  stream.caller.abort();
  await stream.result();
  const steps = context.decoded.slice(before).map((batch) => batch.map((item) => item.tokens.length));
  const prompts = steps.filter((parts) => parts.some((length) => length > 1));
  expect(prompts.length).toBeGreaterThan(1);
  // A step is for prompts or for those who decode, never for both.
  for (const parts of prompts) expect(parts).toHaveLength(1);
  const longest = Math.max(...steps.map((_, at) => steps.slice(at).findIndex((parts) => parts.includes(1))));
  // 100 ms are two steps of 40 ms, besides the one of those who decode.
  expect(longest).toBeLessThanOrEqual(3);
});

it('computes a long prompt though shorter ones keep coming', async () => {
  const { send } = setUpLoop({ sequences: 7, decodeMs: 2 });
  const long = send(tokens(900, 1), { maxTokens: 1 });
  const most = 200;
  let shorts = 0;
  const over = new AbortController();
  const sendShorts = async () => {
    while (!over.signal.aborted && shorts < most)
      await send(tokens(400, 2 + shorts++), { maxTokens: 1 }).result();
  };
  const clients = Array.from({ length: 6 }, sendShorts);
  await long.result();
  over.abort();
  await Promise.all(clients);
  expect(shorts).toBeLessThan(most / 2);
});

it('begins a second prompt in the same step only with whole tiles', async () => {
  const { context, send } = setUpLoop({ sequences: 3 });
  const runs = [1, 2, 3].map((first) => send(tokens(700, first), { maxTokens: 1 }));
  for (const run of runs) await run.result();
  const steps = context.decoded.map((batch) => batch.map((item) => item.tokens.length));
  expect(steps.flat().reduce((total, length) => total + length)).toBe(3 * 700);
  expect(steps.some((parts) => parts.length > 1)).toBe(true);
  for (const parts of steps) if (parts.length > 1) expect(Math.min(...parts)).toBeGreaterThanOrEqual(60);
});

describe('work that needs a pause', () => {
  it('waits for running requests, and those that come meanwhile wait for it', async () => {
    const { loop, context, send } = setUpLoop({ sequences: 2 });
    const [first, second] = [tokens(40, 1), tokens(40, 2)];
    const running = send(first);
    let waiting: Run | undefined;
    await loop.whileIdle(async (slots, isAwaited) => {
      expect(slots.map((slot) => [slot.running, slot.length])).toEqual([
        [undefined, 44],
        [undefined, 0],
      ]);
      expect(isAwaited()).toBe(false);
      const decoded = context.decoded.length;
      waiting = send(second);
      for (let turns = 5; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
      expect(isAwaited()).toBe(true);
      expect(context.decoded).toHaveLength(decoded);
    });
    await expectServed(running, first);
    if (waiting !== undefined) await expectServed(waiting, second);
    expect.assertions(8);
  });

  it('may fail, and requests are served after it', async () => {
    const { loop, send } = setUpLoop({ sequences: 1 });
    const failing = loop.whileIdle(() => Promise.reject(new Error('no')));
    const run = send(tokens(40, 1));
    await expect(failing).rejects.toThrow('no');
    await expectServed(run, tokens(40, 1));
    await loop.idle();
  });
});
