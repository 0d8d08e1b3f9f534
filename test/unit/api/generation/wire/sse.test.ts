import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createEventStream } from '../../../../../src/api/generation/wire/sse.ts';

const ends = () => ({ left: vi.fn(), stalled: vi.fn() });

async function* give(...events: (string | number)[]): AsyncGenerator<string> {
  for (const event of events) {
    if (typeof event === 'number') await sleep(event);
    else yield event;
  }
}

const read = (body: ReadableStream<Uint8Array>): Promise<string> => new Response(body).text();

describe('an event stream', () => {
  it('has every event in order, then ends', async () => {
    const { left, stalled } = ends();
    expect(await read(createEventStream(give('a\n\n', 'ü\n\n'), { left, stalled }, 1_000, 1_000))).toBe(
      'a\n\nü\n\n',
    );
    expect(left).not.toHaveBeenCalled();
    expect(stalled).not.toHaveBeenCalled();
  });

  it('comments silence only', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    async function* source(): AsyncGenerator<string> {
      for (const [event, silenceMs] of [
        ['a', 75],
        ['b', 10],
        ['c', 0],
      ] as const) {
        yield event;
        for (let passedMs = 0; passedMs < silenceMs; passedMs += 5) {
          vi.advanceTimersByTime(5);
          await setImmediate();
        }
      }
    }
    const text = await read(createEventStream(source(), ends(), 30, 10_000)).finally(() =>
      vi.useRealTimers(),
    );
    expect(text).toBe('a: ping\n\n: ping\n\nbc');
  });

  it('asks for nothing before it is read, and for one event at a time', async () => {
    let given = 0;
    async function* count(): AsyncGenerator<string> {
      for (;;) yield String((given += 1));
    }
    const reader = createEventStream(count(), ends(), 1_000, 1_000).getReader();
    await sleep(5);
    expect(given).toBe(0);
    await reader.read();
    await sleep(5);
    expect(given).toBe(1);
    await reader.cancel();
  });

  it('tells at once that the reader left, even while the source waits', async () => {
    const { left, stalled } = ends();
    const reader = createEventStream(give('a', 60_000), { left, stalled }, 1_000, 1_000).getReader();
    await reader.read();
    const pending = reader.read();
    await reader.cancel();
    expect(left).toHaveBeenCalledOnce();
    expect((await pending).done).toBe(true);
  });

  it('tells that the reader takes nothing any more', async () => {
    const { left, stalled } = ends();
    const reader = createEventStream(give('a', 'b', 'c'), { left, stalled }, 10, 30).getReader();
    await reader.read();
    expect(stalled).not.toHaveBeenCalled();
    await expect.poll(() => stalled.mock.calls.length).toBe(1);
    await sleep(30);
    expect(stalled).toHaveBeenCalledOnce();
  });
});
