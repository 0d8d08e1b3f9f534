import { describe, expect, it } from 'vitest';
import { getEventListeners } from 'node:events';
import { AppError } from '../../../../src/errors/errors.ts';
import { GenerationChannel } from '../../../../src/engine/generation/generation-channel.ts';
import {
  nothingComputed,
  type GeneratedTokenLogprob,
  type Generation,
  type GenerationEnd,
  type GenerationEvent,
  type AnswerEvent,
} from '../../../../src/engine/generation/generation.ts';

const never = new AbortController().signal;
const finished: GenerationEnd = { outcome: 'finished', finishReason: 'stop', usage: nothingComputed };
const aborted: GenerationEnd = { outcome: 'aborted', usage: nothingComputed };
const logprob: GeneratedTokenLogprob = { token: 'a', logprob: -1, bytes: [97], topLogprobs: [] };

async function readAll({ events }: Generation): Promise<AnswerEvent[]> {
  const read: AnswerEvent[] = [];
  for await (const event of events) read.push(event);
  return read;
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('GenerationChannel', () => {
  it('hands events on as they come', async () => {
    const channel = new GenerationChannel(never);
    const read: AnswerEvent[] = [];
    const reading = (async () => {
      for await (const event of channel.generation.events) read.push(event);
    })();
    channel.start(7, 3);
    await nextTurn();
    expect(read).toEqual([{ type: 'started', promptTokens: 7, cachedTokens: 3 }]);
    for (const text of ['one', ' two']) {
      channel.push(text, []);
      await nextTurn();
    }
    channel.end(finished);
    await reading;
    const block = { type: 'text', text: 'one two', logprobs: [], isCutOff: false };
    expect(read.slice(1)).toEqual([
      { type: 'open', block },
      { type: 'delta', block, text: 'one', logprobs: [] },
      { type: 'delta', block, text: ' two', logprobs: [] },
      { type: 'close', block },
    ]);
    expect(channel.generation.answer.blocks).toEqual([block]);
    expect(await channel.generation.ended).toEqual(finished);
  });

  it('gives calls without arguments an empty object, save for one that was cut off', async () => {
    const call = (index: number): GenerationEvent => ({ type: 'tool-call', index, name: 'f' });
    const filled = (index: number, text: string): GenerationEvent => ({
      type: 'tool-arguments',
      index,
      text,
    });
    const given = [call(0), call(1), filled(1, ''), filled(1, '{"a":1}'), call(2), filled(2, '')];
    for (const [end, last] of [
      [finished, '{}'],
      [{ ...finished, finishReason: 'length' } satisfies GenerationEnd, ''],
      [aborted, ''],
    ] as const) {
      const channel = new GenerationChannel(never);
      for (const event of given) channel.emit(event);
      channel.end(end);
      channel.end(finished);
      const read = await readAll(channel.generation);
      const texts = read.map((event) => (event.type === 'delta' ? event.text : event.type));
      const filledLast = last === '' ? [] : [last];
      const closed = end.outcome === 'finished' ? ['close'] : [];
      const before = ['open', '{}', 'close', 'open', '{"a":1}', 'close', 'open'];
      expect(texts).toEqual([...before, ...filledLast, ...closed]);
      const { blocks } = channel.generation.answer;
      expect(blocks.map(({ text }) => text)).toEqual(['{}', '{"a":1}', last]);
      const isCutOff = end.outcome === 'finished' && end.finishReason === 'length';
      expect(blocks.map((block) => block.isCutOff)).toEqual([false, false, isCutOff]);
    }
  });

  it('joins for a slow reader what came meanwhile, in order', async () => {
    const channel = new GenerationChannel(never);
    channel.start(1, 0);
    for (let index = 0; index < 1000; index++) channel.push(`${index},`, [logprob]);
    channel.end(finished);
    const [started, opened, text, closed, ...more] = await readAll(channel.generation);
    expect([started, opened, closed].map((event) => event?.type)).toEqual(['started', 'open', 'close']);
    expect(more).toEqual([]);
    if (text?.type !== 'delta') throw new Error('no text came');
    expect(text.text).toBe(Array.from({ length: 1000 }, (_, index) => `${index},`).join(''));
    expect(text.logprobs).toHaveLength(1000);
  });

  it('tells nothing when nothing was added', async () => {
    const channel = new GenerationChannel(never);
    channel.push('', []);
    channel.end(finished);
    expect(await readAll(channel.generation)).toEqual([]);
  });

  it('throws the failure after the text that came before it', async () => {
    const channel = new GenerationChannel(never);
    const error = new AppError('engine_error', 'It broke.');
    channel.push('text', []);
    channel.end({ outcome: 'failed', error, usage: nothingComputed });
    const read: AnswerEvent[] = [];
    const reading = (async () => {
      for await (const event of channel.generation.events) read.push(event);
    })();
    await expect(reading).rejects.toBe(error);
    expect(read.map(({ type }) => type)).toEqual(['open', 'delta']);
    expect(await channel.generation.ended).toMatchObject({ outcome: 'failed', error });
  });

  it('ends without an error when the caller aborted', async () => {
    const caller = new AbortController();
    const channel = new GenerationChannel(caller.signal);
    expect(channel.signal.aborted).toBe(false);
    caller.abort();
    expect(channel.signal.aborted).toBe(true);
    channel.end(aborted);
    expect(await readAll(channel.generation)).toEqual([]);
  });

  it('is aborted from the beginning when the caller was', () => {
    expect(new GenerationChannel(AbortSignal.abort()).signal.aborted).toBe(true);
  });

  it('is not aborted by a reader that has read all of it', async () => {
    const channel = new GenerationChannel(never);
    channel.push('all', []);
    channel.end(finished);
    await readAll(channel.generation);
    expect(channel.signal.aborted).toBe(false);
  });

  it('is aborted when the reader leaves the loop', async () => {
    const channel = new GenerationChannel(never);
    channel.start(1, 0);
    for await (const event of channel.generation.events) {
      expect(event.type).toBe('started');
      break;
    }
    expect(channel.signal.aborted).toBe(true);
  });

  it('is aborted when the reader leaves before the first event', async () => {
    const channel = new GenerationChannel(never);
    await channel.generation.events[Symbol.asyncIterator]().return?.();
    expect(channel.signal.aborted).toBe(true);
  });

  it('is aborted at once when the reader leaves while it waits', async () => {
    const channel = new GenerationChannel(never);
    const events = channel.generation.events[Symbol.asyncIterator]();
    const waiting = events.next();
    void events.return?.();
    expect(channel.signal.aborted).toBe(true);
    channel.end(aborted);
    expect(await waiting).toMatchObject({ done: true });
  });

  it('gives the reader the error that the server stopped it with', async () => {
    const channel = new GenerationChannel(never);
    const error = new AppError('server_shutting_down', 'Good night.');
    channel.abort(error);
    expect(channel.signal.aborted).toBe(true);
    channel.end(aborted);
    await expect(readAll(channel.generation)).rejects.toBe(error);
    expect(await channel.generation.ended).toMatchObject({ outcome: 'failed', error });
  });

  it('stays finished when the server stopped it too late', async () => {
    const channel = new GenerationChannel(never);
    channel.abort(new AppError('server_shutting_down', 'Good night.'));
    channel.end(finished);
    expect(await channel.generation.ended).toEqual(finished);
  });

  it('hears only the first end', async () => {
    const channel = new GenerationChannel(never);
    channel.end(finished);
    channel.end(aborted);
    expect(await channel.generation.ended).toEqual(finished);
  });

  it("leaves no listener on a caller's signal that lives on", async () => {
    const caller = new AbortController();
    for (let index = 0; index < 50; index++) {
      const channel = new GenerationChannel(caller.signal);
      channel.end(finished);
      await channel.generation.ended;
    }
    await nextTurn();
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
  });
});
