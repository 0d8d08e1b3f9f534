import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { waitFor } from '../../../src/timing/wait-for.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = () => new Promise<never>(() => undefined);

describe('waitFor', () => {
  test('brings the result or the error of the work', async () => {
    await expect(waitFor(Promise.resolve('there'), { timeoutMs: 10 })).resolves.toBe('there');
    await expect(waitFor(Promise.reject(new Error('broken')), {})).rejects.toThrow('broken');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('throws the reason of a signal that aborts, or had aborted', async () => {
    const caller = new AbortController();
    const waiting = waitFor(never(), { signal: caller.signal, timeoutMs: 10 });
    caller.abort('gone');
    await expect(waiting).rejects.toBe('gone');
    await expect(waitFor(never(), { signal: AbortSignal.abort('left') })).rejects.toBe('left');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('throws the error of the caller when the time is up, and begins anew where there is none', async () => {
    const errors = [undefined, new Error('too late')];
    const waiting = waitFor(never(), { timeoutMs: 10, timeoutError: () => errors.shift() });
    const seen = expect(waiting).rejects.toThrow('too late');
    await vi.advanceTimersByTimeAsync(19);
    expect(errors).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await seen;
  });

  test('goes on waiting where the result has been handed out already', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const caller = new AbortController();
    const waiting = waitFor(promise, {
      signal: caller.signal,
      timeoutMs: 10,
      timeoutError: () => new Error('too late'),
      leave: () => false,
    });
    caller.abort();
    await vi.advanceTimersByTimeAsync(10);
    resolve('there');
    await expect(waiting).resolves.toBe('there');
  });
});
