import { describe, expect, it } from 'vitest';
import { ChatThreads } from '../../../../src/engine/llama/chat-threads.ts';
import { ThreadBudget } from '../../../../src/engine/queue/thread-budget.ts';

/** The lease if it is there at once. */
async function atOnce<T>(promise: Promise<T>): Promise<T | undefined> {
  return await Promise.race([promise, new Promise<undefined>((resolve) => setImmediate(resolve, undefined))]);
}

describe('ThreadBudget', () => {
  it('gives speech all cores while there is no chat, and half while there is', async () => {
    const budget = new ThreadBudget(8);
    const alone = await budget.lease(99);
    expect(alone.threads).toBe(8);
    alone.release();
    const end = budget.beginChat();
    const beside = await budget.lease(99);
    expect(beside.threads).toBe(4);
    expect([alone.yields, beside.yields]).toEqual([false, true]);
    expect(budget.chatThreads(8)).toBe(4);
    beside.release();
    expect(budget.chatThreads(8)).toBe(8);
    end();
    expect((await budget.lease(99)).threads).toBe(8);
  });

  it('never leases more threads than there are, and shares what becomes free', async () => {
    const budget = new ThreadBudget(4);
    const first = await budget.lease(3);
    const second = await budget.lease(3);
    expect([first.threads, second.threads]).toEqual([3, 1]);
    const third = budget.lease(4);
    const fourth = budget.lease(4);
    expect(await atOnce(third)).toBeUndefined();
    first.release();
    first.release();
    expect((await third).threads).toBe(2);
    expect((await fourth).threads).toBe(1);
  });

  it('leaves both one thread where there is one core only', async () => {
    const budget = new ThreadBudget(1);
    budget.beginChat();
    expect((await budget.lease(4)).threads).toBe(1);
    expect(budget.chatThreads(1)).toBe(1);
  });
});

describe('ChatThreads', () => {
  it('changes the context only when its share has changed', async () => {
    const budget = new ThreadBudget(4);
    const set: number[] = [];
    const chat = new ChatThreads({ setThreads: (threads) => set.push(threads) }, budget, 4);
    const sleep = chat.begin();
    chat.adapt();
    expect(set).toEqual([]);
    const lease = await budget.lease(4);
    chat.adapt();
    chat.adapt();
    expect(set).toEqual([2]);
    lease.release();
    chat.adapt();
    expect(set).toEqual([2, 4]);
    sleep();
    expect((await budget.lease(4)).threads).toBe(4);
  });
});
