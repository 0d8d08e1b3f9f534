import { describe, expect, it } from 'vitest';
import { SingleFlight } from '../../../src/timing/single-flight.ts';

/** Work that ends when it is told to, or when its signal aborts; counts how often it was begun. */
class Work {
  begun = 0;
  signal = new AbortController().signal;
  tell: (progress: number) => void = () => undefined;
  #end = Promise.withResolvers<string>();

  readonly start = (signal: AbortSignal, onProgress: (progress: number) => void): Promise<string> => {
    this.begun++;
    this.signal = signal;
    this.tell = onProgress;
    this.#end = Promise.withResolvers();
    signal.addEventListener('abort', () => this.#end.reject(new Error('stopped')));
    return this.#end.promise;
  };

  succeed(result: string): void {
    this.#end.resolve(result);
  }

  fail(message: string): void {
    this.#end.reject(new Error(message));
  }
}

describe('SingleFlight', () => {
  it('does the work once for all who want the same, and tells each how far it is', async () => {
    const [flights, work] = [new SingleFlight<string, number>(), new Work()];
    const seen: number[][] = [[], []];
    const both = seen.map((list) =>
      flights.join('a', work.start, { onProgress: (progress) => list.push(progress) }),
    );
    const other = new Work();
    const elsewhere = flights.join('b', other.start, {});
    work.tell(1);
    work.succeed('done');
    other.succeed('other');
    expect(await Promise.all([...both, elsewhere])).toEqual(['done', 'done', 'other']);
    expect([work.begun, other.begun]).toEqual([1, 1]);
    expect(seen).toEqual([[1], [1]]);
  });

  it('goes on while one of them wants it, and ends when the last has left', async () => {
    const [flights, work] = [new SingleFlight<string, number>(), new Work()];
    const leaving = [new AbortController(), new AbortController()];
    const seen: number[] = [];
    const calls = leaving.map(({ signal }) =>
      flights.join('a', work.start, { signal, onProgress: (progress) => seen.push(progress) }),
    );
    leaving[0]?.abort(new Error('first left'));
    await expect(calls[0]).rejects.toThrow('first left');
    expect(work.signal.aborted).toBe(false);
    work.tell(1);
    expect(seen).toEqual([1]);
    leaving[1]?.abort(new Error('second left'));
    await expect(calls[1]).rejects.toThrow('second left');
    expect(work.signal.aborted).toBe(true);
    // Stopped work is not joined: the next caller begins anew.
    const next = flights.join('a', work.start, {});
    work.succeed('done');
    expect(await next).toBe('done');
    expect(work.begun).toBe(2);
  });

  it('fails for all of them as the work does, and for the next one only if it does again', async () => {
    const [flights, work] = [new SingleFlight<string, number>(), new Work()];
    const ends = Promise.allSettled([flights.join('a', work.start, {}), flights.join('a', work.start, {})]);
    work.fail('no such file');
    expect((await ends).map((end) => end.status)).toEqual(['rejected', 'rejected']);
    const again = flights.join('a', work.start, {});
    work.succeed('done');
    expect(await again).toBe('done');
  });

  it('begins nothing for one who has left already', async () => {
    const [flights, work] = [new SingleFlight<string, number>(), new Work()];
    const join = flights.join('a', work.start, { signal: AbortSignal.abort(new Error('gone')) });
    await expect(join).rejects.toThrow('gone');
    expect(work.begun).toBe(0);
  });
});
