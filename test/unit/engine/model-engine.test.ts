import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RequestBatch } from '../../../src/engine/queue/request-batch.ts';
import { nothingComputed } from '../../../src/engine/generation/generation.ts';
import type { GenerationEnd } from '../../../src/engine/generation/generation.ts';
import type { GenerationRequest } from '../../../src/engine/types.ts';
import { contextTokens, openEngine, type OpenedEngine } from '../../support/engine/open-model-engine.ts';
import { greedy } from '../../support/engine/step-loop-harness.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';

const never = new AbortController().signal;
const requestOf = (content: string, more: Partial<GenerationRequest> = {}): GenerationRequest => ({
  modelId: 'endless',
  accountId: 'account',
  keyId: 'key',
  prompt: { kind: 'messages', messages: [{ role: 'user', content }] },
  sampling: greedy,
  stop: [],
  maxTokens: 24,
  minTokens: 0,
  ignoreEos: false,
  topLogprobs: undefined,
  ...more,
});

/** The whole text, and the end; an error is told by the end. */
async function run(
  engine: OpenedEngine,
  request: GenerationRequest,
  signal = never,
): Promise<{ readonly text: string; readonly end: GenerationEnd; readonly logprobs: number }> {
  const generation = engine.generate(request, signal);
  let text = '';
  let logprobs = 0;
  try {
    for await (const event of generation.events) {
      if (event.type !== 'delta') continue;
      text += event.text;
      logprobs += event.logprobs.length;
    }
  } catch {
    // Told by the end.
  }
  return { text, end: await generation.ended, logprobs };
}

const story = 'Once upon a time there was a fox who lived at the end of the road. ';

/** For tests that only ask: one of their own takes more than a second, most of it for processes that render templates. */
let shared: OpenedEngine;
beforeAll(async () => {
  shared = await openEngine();
  await shared.preload('endless');
});
afterAll(() => shared.close(0));

describe('generating', () => {
  it('computes nothing of a batch in which one is refused', async () => {
    const batch = new RequestBatch(2);
    const group = new AbortController();
    const good = run(shared, requestOf('Hello', { batch }), group.signal);
    await sleep(50);
    const prompt = { kind: 'tokens', tokens: [100_000] } as const;
    const { end: refused } = await run(shared, requestOf('', { batch, prompt }), group.signal);
    expect(refused).toMatchObject({ outcome: 'failed', error: { code: 'invalid_value' } });
    group.abort();
    expect((await good).end).toEqual({ outcome: 'aborted', usage: nothingComputed });
  });

  it('gives each of 16 at once the greedy text that it gets alone', async () => {
    const questions = Array.from({ length: 16 }, (_, index) => `${index} ${story.repeat(1 + (index % 4))}`);
    const alone: string[] = [];
    for (const question of questions) alone.push((await run(shared, requestOf(question))).text);
    expect(new Set(alone).size).toBeGreaterThan(4);
    const together = await Promise.all(questions.map((question) => run(shared, requestOf(question))));
    expect(together.map(({ text }) => text)).toEqual(alone);
  });

  it('counts the tokens of a prompt as it computes them', async () => {
    const { end } = await run(shared, requestOf(story));
    const counted = await shared.countTokens(requestOf(story), never);
    expect(counted).toBe(end.usage.promptTokens);
    await expect(shared.countTokens(requestOf(story), AbortSignal.abort())).rejects.toThrow('aborted');
    const wrong = requestOf('', { prompt: { kind: 'tokens', tokens: [100_000] } });
    await expect(shared.countTokens(wrong, never)).rejects.toMatchObject({ code: 'invalid_value' });
  });

  it('tells which stop sequence ended an answer', async () => {
    const { text } = await run(shared, requestOf(story));
    const stop = text.slice(4, 6);
    const { end } = await run(shared, requestOf(story, { stop: ['never written', stop] }));
    expect(end).toMatchObject({ finishReason: 'stop', stopSequence: stop });
  });

  it('gives the same seed the same text, beside others too', async () => {
    const request = requestOf('A story', { sampling: { ...greedy, temperature: 1, seed: 7 } });
    const { text } = await run(shared, request);
    const others = Array.from({ length: 3 }, (_, seed) =>
      run(shared, requestOf('Another', { sampling: { ...greedy, temperature: 1, seed } })),
    );
    expect((await run(shared, request)).text).toBe(text);
    await Promise.all(others);
  });

  it('ends at the most tokens, and counts them', async () => {
    const { end, logprobs } = await run(shared, requestOf('Hi', { maxTokens: 7, topLogprobs: 2 }));
    expect(end).toMatchObject({
      outcome: 'finished',
      finishReason: 'length',
      usage: { completionTokens: 7 },
    });
    expect(logprobs).toBe(7);
  });

  it('ends when the context is full', async () => {
    const { end } = await run(shared, requestOf(story.repeat(20), { maxTokens: undefined }));
    expect(end).toMatchObject({ outcome: 'finished', finishReason: 'length' });
    expect(end.usage.promptTokens + end.usage.completionTokens).toBe(contextTokens);
  });

  it('ends before a stop sequence', async () => {
    const { text } = await run(shared, requestOf(story));
    const stop = text.slice(10, 16);
    const { text: stopped, end } = await run(shared, requestOf(story, { stop: [stop] }));
    expect(stopped).toBe(text.slice(0, text.indexOf(stop)));
    expect(end).toMatchObject({ outcome: 'finished', finishReason: 'stop' });
  });

  it('fails only the request whose prompt is too long, with both numbers', async () => {
    const [tooLong, other] = await Promise.all([
      run(shared, requestOf(story.repeat(400))),
      run(shared, requestOf(story)),
    ]);
    expect(tooLong.end).toMatchObject({
      outcome: 'failed',
      error: {
        code: 'context_length_exceeded',
        message: expect.stringMatching(/length is 1024 tokens.* has \d+:/),
      },
      usage: { promptTokens: 0, completionTokens: 0 },
    });
    expect(other.end.outcome).toBe('finished');
  });

  it.each([
    ['a token bias beyond the vocabulary', { sampling: { ...greedy, logitBias: new Map([[1e6, 1]]) } }],
    ['a token beyond the vocabulary', { prompt: { kind: 'tokens', tokens: [1e6] } as const }],
  ])('refuses %s', async (_what, more) => {
    const { end } = await run(shared, requestOf(story, more));
    expect(end).toMatchObject({ outcome: 'failed', error: { code: 'invalid_value' } });
  });
});

describe('the end of the turn', () => {
  it('comes by itself, but not before the least number of tokens, and not at all when ignored', async () => {
    const sampling = { ...greedy, temperature: 1, seed: 3 };
    const tokensOf = async (more: Partial<GenerationRequest>) => {
      const request = requestOf(story, { modelId: 'tiny', sampling, maxTokens: 400, ...more });
      const { end } = await run(shared, request);
      return end.usage.completionTokens;
    };
    const byItself = await tokensOf({});
    expect(byItself).toBeLessThan(400);
    expect(await tokensOf({ minTokens: byItself + 20 })).toBeGreaterThan(byItself + 20);
    expect(await tokensOf({ ignoreEos: true })).toBe(400);
  });
});

describe('prefix reuse', () => {
  const first = `${story.repeat(10)} What did it do?`;
  const second = `${story.repeat(10)} And where did it go?`;

  it('counts what the cache of the same account held, and never what that of another did', async () => {
    const cached = async (content: string, accountId: string) => {
      const { end } = await run(shared, requestOf(content, { accountId }));
      return { prompt: end.usage.promptTokens, cached: end.usage.cachedTokens };
    };
    const initial = await cached(first, 'a');
    expect(initial.cached).toBe(0);
    expect(await cached(first, 'b')).toEqual(initial);
    const again = await cached(first, 'a');
    expect(again.cached).toBe(initial.prompt - 1);
    const continued = await cached(second, 'a');
    expect(continued.cached).toBeGreaterThan(100);
    expect(continued.cached).toBeLessThan(continued.prompt);
  });

  it('does not change the text, whoever computed the prefix', async () => {
    const alone = await openEngine({ parallel: 1 });
    const questions = Array.from({ length: 8 }, (_, index) => `${story.repeat(12)} ${index}?`);
    const together = await Promise.all(questions.map((question) => run(shared, requestOf(question))));
    const reused = together.filter(({ end }) => end.usage.cachedTokens > 100);
    expect(reused.length).toBeGreaterThanOrEqual(7);
    for (const [index, question] of questions.entries()) {
      const request = requestOf(question, { accountId: `${index}` });
      const { text, end } = await run(alone, request);
      expect(end.usage.cachedTokens).toBe(0);
      expect(together[index]?.text).toBe(text);
    }
    await alone.close(0);
  });
});

describe('aborting', () => {
  it('frees the slot for the next, and tells what was computed', async () => {
    const engine = await openEngine({ parallel: 1 });
    const caller = new AbortController();
    const generation = engine.generate(requestOf(story, { maxTokens: undefined }), caller.signal);
    for await (const event of generation.events) if (event.type === 'delta') caller.abort();
    const end = await generation.ended;
    expect(end.outcome).toBe('aborted');
    expect(end.usage.promptTokens).toBeGreaterThan(10);
    expect(end.usage.completionTokens).toBeGreaterThan(0);
    expect((await run(engine, requestOf(story))).end.outcome).toBe('finished');
    await engine.close(0);
  });

  it('takes a request out of the queue', async () => {
    const engine = await openEngine({ parallel: 1 });
    const busy = engine.generate(requestOf(story, { maxTokens: undefined }), never);
    for await (const event of busy.events) {
      // The slot is taken from the first event on.
      if (event.type !== 'started') break;
      const caller = new AbortController();
      const waiting = run(engine, requestOf('other'), caller.signal);
      await sleep(5);
      caller.abort();
      expect((await waiting).end).toMatchObject({ outcome: 'aborted', usage: { promptTokens: 0 } });
    }
    expect((await busy.ended).outcome).toBe('aborted');
    await engine.close(0);
  });

  it('is heard when it came before the request', async () => {
    const engine = await openEngine();
    const { end } = await run(engine, requestOf(story), AbortSignal.abort());
    expect(end.outcome).toBe('aborted');
    expect(engine.modelState('endless')).toBe('available');
    await engine.preload('endless');
    expect((await run(engine, requestOf(story), AbortSignal.abort())).end.outcome).toBe('aborted');
    await engine.close(0);
  });

  it('leaves no listener behind on a signal that many requests share', async () => {
    const caller = new AbortController();
    for (let index = 0; index < 12; index++)
      await run(shared, requestOf(story, { maxTokens: 2 }), caller.signal);
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
  });
});

describe('the queue', () => {
  it('takes as many as there are slots and places, and refuses the rest', async () => {
    const engine = await openEngine({ parallel: 2 }, { queueLimit: 3 });
    await engine.preload('endless');
    const results = await Promise.all(Array.from({ length: 8 }, () => run(engine, requestOf(story))));
    const refused = results.filter(({ end }) => end.outcome === 'failed');
    expect(refused).toHaveLength(3);
    for (const { end } of refused)
      expect(end).toMatchObject({
        error: { code: 'server_overloaded', retryAfterSeconds: expect.any(Number) },
      });
    await engine.close(0);
  });

  it.each([
    ['whose prompt is not ready yet', 0],
    ['that waits for a slot', 50],
  ])('gives way from the key that has most, to one %s too', async (_, waitMs) => {
    const engine = await openEngine({ parallel: 1 }, { queueLimit: 3 });
    await engine.preload('endless');
    const first = engine.generate(requestOf(story, { maxTokens: 600 }), never);
    // The slot is taken from the first event on.
    await first.events[Symbol.asyncIterator]().next();
    const busy = Array.from({ length: 3 }, () => run(engine, requestOf(story)));
    await sleep(waitMs);
    const quiet = { accountId: 'other', keyId: 'other' };
    const others = [1, 2].map(() => run(engine, requestOf(story, quiet)));
    expect((await busy[2])?.end).toMatchObject({
      outcome: 'failed',
      error: { code: 'server_overloaded', retryAfterSeconds: expect.any(Number) },
      usage: nothingComputed,
    });
    expect((await Promise.all(busy)).slice(0, 2).map(({ end }) => end.outcome)).not.toContain('failed');
    // Two of the busy key wait and one of the other: a second one would be no fairer.
    expect((await Promise.all(others)).map(({ end }) => end.outcome)).toEqual(['finished', 'failed']);
    await engine.close(0);
  });
});

describe('models', () => {
  it('are loaded on first use, shared, and freed when idle', async () => {
    const checkFile = vi.fn(async () => ({ loadable: true }) as const);
    const engine = await openEngine({ keepAliveMs: 50 }, { checkFile });
    expect(engine.modelState('endless')).toBe('available');
    const runs = [1, 2, 3].map(() => run(engine, requestOf(story)));
    expect(engine.modelState('endless')).toBe('loading');
    for (const { end } of await Promise.all(runs)) expect(end.outcome).toBe('finished');
    expect(checkFile).toHaveBeenCalledTimes(1);
    expect(engine.modelState('endless')).toBe('loaded');
    await vi.waitFor(() => expect(engine.modelState('endless')).toBe('available'), 5000);
    expect((await run(engine, requestOf(story))).end.outcome).toBe('finished');
    await engine.close(0);
  });

  it('that must not be loaded fail the request and nothing else', async () => {
    const tinyPath = await tinyModel();
    const checkFile = async (path: string) =>
      path === tinyPath
        ? ({ loadable: false, reason: 'it kills its process' } as const)
        : ({ loadable: true } as const);
    const engine = await openEngine({}, { checkFile });
    const [bad, good] = await Promise.all([
      run(engine, requestOf(story, { modelId: 'tiny' })),
      run(engine, requestOf(story)),
    ]);
    expect(bad.end).toMatchObject({
      error: { code: 'model_load_failed', message: expect.stringContaining('it kills its process') },
    });
    expect(good.end.outcome).toBe('finished');
    expect(engine.modelState('tiny')).toBe('failed');
    await engine.close(0);
  });
});

describe('close', () => {
  it('lets running work finish within the grace, and takes nothing in meanwhile', async () => {
    const engine = await openEngine();
    const running = run(engine, requestOf(story, { maxTokens: 100 }));
    const closing = engine.close(60_000);
    expect((await run(engine, requestOf(story))).end).toMatchObject({
      error: { code: 'server_shutting_down' },
    });
    await closing;
    expect((await running).end).toMatchObject({ outcome: 'finished', usage: { completionTokens: 100 } });
  });

  it('stops what runs, waits, is being prepared or being loaded once the grace is over', async () => {
    const engine = await openEngine({ parallel: 1 });
    await engine.preload('endless');
    const runs = [
      run(engine, requestOf(story, { maxTokens: undefined, ignoreEos: true })),
      run(engine, requestOf(story, { maxTokens: undefined })),
      run(engine, requestOf(story.repeat(2000))),
      run(engine, requestOf(story, { modelId: 'tiny' })),
    ];
    await engine.close(0);
    for (const { end } of await Promise.all(runs)) {
      if (end.outcome !== 'failed') throw new Error(`ended as ${end.outcome}`);
      expect(end.error).toMatchObject({
        code: expect.stringMatching(/^(server_shutting_down|context_length_exceeded)$/),
      });
    }
  });

  it('may be asked for twice', async () => {
    const engine = await openEngine();
    await engine.preload('endless');
    await Promise.all([engine.close(0), engine.close(0)]);
  });
});
