import { describe, expect, it } from 'vitest';
import { KeptStream } from '../../../../src/api/streams/kept-stream.ts';

async function readAll(stream: KeptStream, fromByte: number): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream.read(fromByte, new AbortController().signal)) parts.push(part);
  return Buffer.concat(parts).toString();
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

describe('KeptStream', () => {
  it('gives every reader the whole, whenever it comes', async () => {
    const stream = new KeptStream('');
    const more = Promise.withResolvers<void>();
    async function* source() {
      yield 'one ';
      await more.promise;
      yield 'zwölf ';
      yield 'end';
    }
    const run = stream.run(source());
    const early = readAll(stream, 0);
    more.resolve();
    await run;
    expect(await early).toBe('one zwölf end');
    expect(await readAll(stream, 4)).toBe('zwölf end');
    expect(await readAll(stream, Buffer.byteLength('one zwölf end'))).toBe('');
    expect(stream.has(100)).toBe(false);
  });

  it('stops what nobody reads for a while, and not what somebody reads again', async () => {
    const stream = new KeptStream('', 20);
    const first = new AbortController();
    const second = new AbortController();
    stream.attach(first.signal);
    first.abort();
    stream.attach(second.signal);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(stream.leaving.signal.aborted).toBe(false);
    second.abort();
    await aborted(stream.leaving.signal);
  });

  it('is stopped without its readers at once when the server ends', async () => {
    const read = new KeptStream('');
    const reader = new AbortController();
    read.attach(reader.signal);
    const unread = new KeptStream('');
    const gone = new AbortController();
    unread.attach(gone.signal);
    gone.abort();
    for (const stream of [read, unread]) stream.needReader();
    expect(unread.leaving.signal.aborted).toBe(true);
    expect(read.leaving.signal.aborted).toBe(false);
    reader.abort();
    await aborted(read.leaving.signal);
  });

  it('drops the beginning of what is too long', async () => {
    const stream = new KeptStream('');
    const part = 'x'.repeat(1_000_000);
    async function* source() {
      for (let count = 0; count < 20; count++) yield part;
    }
    await stream.run(source());
    expect(stream.heldBytes).toBeLessThanOrEqual(16_000_000);
    expect(stream.heldBytes).toBeGreaterThan(15_900_000);
    expect(stream.has(0)).toBe(false);
    expect((await readAll(stream, 19_000_000)).length).toBe(1_000_000);
  });

  it('gives all readers views of one copy, a small piece at a time', async () => {
    const stream = new KeptStream('');
    async function* source() {
      for (let count = 0; count < 20_000; count++) yield `data: ${count}\n\n`;
    }
    await stream.run(source());
    const readers = Array.from({ length: 10 }, () => stream.read(1000, new AbortController().signal));
    const memory = new Set<ArrayBuffer>();
    for (let piece = 0; piece < 3; piece++)
      for (const reader of readers) {
        const { value } = await reader.next();
        expect(value?.length).toBeLessThanOrEqual(65_536);
        if (value) memory.add(value.buffer);
      }
    expect(memory.size).toBe(3);
  });
});
