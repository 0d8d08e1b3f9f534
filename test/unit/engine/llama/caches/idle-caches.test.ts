import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CacheMemory } from '../../../../../src/engine/llama/caches/cache-memory.ts';
import { IdleCaches } from '../../../../../src/engine/llama/caches/idle-caches.ts';
import { SlotMemory } from '../../../../../src/engine/llama/slots/slot-memory.ts';
import { Slot } from '../../../../../src/engine/llama/slots/slot.ts';
import { computeInto, conversationTokens } from '../../../../support/engine/conversation-caches.ts';
import { openNativeFixture, type NativeFixture } from '../../../../support/models/native-model.ts';

const contextTokens = 512;
let fixture: NativeFixture;
let slotMemory: SlotMemory;
beforeAll(async () => {
  fixture = await openNativeFixture();
  slotMemory = new SlotMemory(fixture.own);
});
afterAll(() => fixture[Symbol.asyncDispose]());

let slots: Slot[];
beforeEach(() => {
  slots = [0, 1, 2].map((index) => new Slot(index, contextTokens));
  for (const slot of slots) slotMemory.clear(slot);
});

const conversation = (seed: number, length = 200) => conversationTokens(seed, length);

const compute = (slot: Slot, accountId: string, tokens: Uint32Array) =>
  computeInto(fixture, slot, accountId, tokens);

/** Takes the slot for a prompt as the step loop does; how many of its tokens need not be computed. */
async function take(caches: IdleCaches, slot: Slot, accountId: string, prompt: Uint32Array): Promise<number> {
  await caches.exchange(slot, accountId, prompt);
  const shared = slot.accountId === accountId ? slot.sharedPrefix(prompt) : 0;
  slot.accountId = accountId;
  await slotMemory.rewind(slot, Math.min(shared, prompt.length - 1));
  return slot.length;
}

describe('a conversation whose slot was taken', () => {
  it('goes on from where it was, with the same next token, in whatever slot', async () => {
    const caches = new IdleCaches(slotMemory, new CacheMemory(2 ** 26));
    const [first, second] = [conversation(1), conversation(2)];
    const [slot, other] = slots as [Slot, Slot];
    const longer = Uint32Array.from([...first, 11, 12, 13]);
    await compute(slot, 'a', first);
    expect(await take(caches, slot, 'a', second)).toBeLessThan(64);
    await compute(slot, 'a', second);
    expect(await take(caches, other, 'a', longer)).toBe(first.length);
    const resumed = await compute(other, 'a', longer);
    slotMemory.clear(other);
    expect(await compute(other, 'a', longer)).toBe(resumed);
    caches.dispose();
  });

  it('was kept before, where copies are known to be quick', async () => {
    const caches = new IdleCaches(slotMemory, new CacheMemory(2 ** 26));
    const first = conversation(1);
    const [slot, other] = slots as [Slot, Slot];
    await compute(slot, 'a', first);
    expect(await caches.keepEarly(slot)).toBe(false);
    // The quickest of eight counts: a busy machine holds up some.
    for (let seed = 2; seed < 10; seed++) {
      await compute(other, 'a', conversation(seed));
      await caches.keep(other);
      slotMemory.clear(other);
    }
    expect(await caches.keepEarly(slot)).toBe(true);
    expect(await caches.keepEarly(slot)).toBe(false);
    slotMemory.clear(slot);
    expect(await take(caches, slot, 'a', Uint32Array.from([...first, 11]))).toBe(first.length);
    slot.isSpent = true;
    expect(await caches.keepEarly(slot)).toBe(false);
    caches.dispose();
  });

  it('is not kept where it was a line of a batch that has ended', async () => {
    const memory = new CacheMemory(2 ** 26);
    const caches = new IdleCaches(slotMemory, memory);
    const [slot] = slots as [Slot];
    await compute(slot, 'a', conversation(1));
    slot.isSpent = true;
    await take(caches, slot, 'a', conversation(2));
    expect(memory.usedBytes).toBe(0);
    caches.dispose();
  });

  it('is nobody else’s', async () => {
    const caches = new IdleCaches(slotMemory, new CacheMemory(2 ** 26));
    const [slot] = slots as [Slot];
    await compute(slot, 'a', conversation(1));
    await take(caches, slot, 'b', conversation(2));
    await compute(slot, 'b', conversation(2));
    expect(await take(caches, slot, 'b', conversation(1))).toBeLessThan(64);
    await compute(slot, 'b', conversation(1));
    expect(await take(caches, slot, 'a', conversation(1))).toBe(199);
    caches.dispose();
  });

  it('lends its beginning to others and stays whole', async () => {
    const caches = new IdleCaches(slotMemory, new CacheMemory(2 ** 26));
    const [slot, other] = slots as [Slot, Slot];
    const first = conversation(1);
    const branch = Uint32Array.from([...first.subarray(0, 120), ...conversation(5, 40)]);
    await compute(slot, 'a', first);
    await take(caches, slot, 'a', conversation(2));
    await compute(slot, 'a', conversation(2));
    expect(await take(caches, other, 'a', branch)).toBe(120);
    expect(await take(caches, other, 'a', first)).toBe(199);
    caches.dispose();
  });
});

describe('a short prompt', () => {
  it('is kept too', async () => {
    const caches = new IdleCaches(slotMemory, new CacheMemory(2 ** 26));
    const [slot] = slots as [Slot];
    const short = conversation(1, 30);
    await compute(slot, 'a', short);
    await take(caches, slot, 'a', conversation(2, 30));
    await compute(slot, 'a', conversation(2, 30));
    expect(await take(caches, slot, 'a', short)).toBe(29);
    caches.dispose();
  });

  it('is not where computing it takes no time', async () => {
    const caches = new IdleCaches(slotMemory, new CacheMemory(2 ** 26));
    const [slot] = slots as [Slot];
    await compute(slot, 'a', conversation(1));
    await caches.exchange(slot, 'a', conversation(2), 0);
    slotMemory.clear(slot);
    expect(await take(caches, slot, 'a', conversation(1))).toBe(0);
    caches.dispose();
  });
});

describe('memory', () => {
  it('holds as much as it may: what was not used for longest goes', async () => {
    const [slot] = slots as [Slot];
    await compute(slot, 'a', conversation(1));
    const size = fixture.own.states?.bytes(slot.index, false) ?? 0;
    const caches = new IdleCaches(slotMemory, new CacheMemory(size * 2.5));
    for (const seed of [2, 3, 4]) {
      await take(caches, slot, 'a', conversation(seed));
      await compute(slot, 'a', conversation(seed));
    }
    expect(await take(caches, slot, 'a', conversation(1))).toBeLessThan(64);
    expect(await take(caches, slot, 'a', conversation(3))).toBe(199);
    caches.dispose();
  });

  it('of nothing keeps nothing', async () => {
    const caches = new IdleCaches(slotMemory, new CacheMemory(0));
    const [slot] = slots as [Slot];
    await compute(slot, 'a', conversation(1));
    await take(caches, slot, 'a', conversation(2));
    await compute(slot, 'a', conversation(2));
    expect(await take(caches, slot, 'a', conversation(1))).toBeLessThan(64);
  });

  it('is shared, and freed with its owner', async () => {
    const memory = new CacheMemory(2 ** 26);
    const caches = new IdleCaches(slotMemory, memory);
    const [slot] = slots as [Slot];
    await compute(slot, 'a', conversation(1));
    await take(caches, slot, 'a', conversation(2));
    expect(memory.usedBytes).toBeGreaterThan(0);
    caches.dispose();
    expect(memory.usedBytes).toBe(0);
  });
});
