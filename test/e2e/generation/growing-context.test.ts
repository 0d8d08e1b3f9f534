/** A context that begins small, grows, is shared and parks answers: no text and no charge differs from a large fixed one. */
import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Architecture } from '../../../scripts/make/tiny-model/architectures.ts';
import { openClient } from '../../support/server/chat-client.ts';
import { oneThread } from '../../support/server/chat-fixture.ts';
import { makeKey } from '../../support/server/make-accounts.ts';
import { hasStepper } from '../../support/engine/draw-tokens.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';

/** Layers: all kinds of them are there. */
const kinds: Readonly<Record<string, { architecture: Architecture; layers: number }>> = {
  plain: { architecture: 'llama', layers: 2 },
  window: { architecture: 'gemma3', layers: 6 },
  'shared-window': { architecture: 'gemma4', layers: 4 },
  hybrid: { architecture: 'granitehybrid', layers: 2 },
  'delta-net': { architecture: 'qwen35', layers: 2 },
  recurrent: { architecture: 'mamba', layers: 2 },
};
const ids = Object.keys(kinds);
const contextTokens = 6144;
const words = 'the sea was calm and small boats came home late with fish for an old town by a hill'.split(
  ' ',
);

interface Opened {
  readonly server: RunningServer;
  readonly client: OpenAI;
  /** Bytes that the model is counted with. */
  memoryOf(id: string): Promise<number>;
}

const stack = new AsyncDisposableStack();
const cacheBytes = 64 * 2 ** 20;
let fixed: Opened;

interface Settings {
  readonly id: string;
  readonly kind: string;
  readonly reserve?: boolean;
  readonly context?: number;
}

async function open(settings: readonly Settings[], memory = 2 ** 30): Promise<Opened> {
  const models = await Promise.all(
    settings.map(async ({ kind, ...own }) => {
      const options = { ...kinds[kind], contextTokens, seed: 5, mergeCount: 60, endOfTurnGain: 0 };
      return { ...own, source: await tinyModel(options), ...oneThread };
    }),
  );
  const config = { demo: false, cacheMemory: `${cacheBytes}`, memory: `${memory + cacheBytes}`, models };
  const server = await startServer({ modelsDirs: [], config });
  stack.defer(async () => void (await server.stop()));
  const { secret } = makeKey(server, 'local', { kind: 'admin' });
  return {
    server,
    client: openClient(server),
    async memoryOf(id) {
      const response = await fetch(new URL('/admin/v1/models', server.baseUrl), {
        headers: { authorization: `Bearer ${secret}` },
      });
      const { data } = (await response.json()) as {
        data: readonly { readonly id: string; readonly memory: { readonly ram_bytes: number } | null }[];
      };
      return data.find((model) => model.id === id)?.memory?.ram_bytes ?? 0;
    },
  };
}

beforeAll(async () => {
  const [large, small] = [contextTokens, 512].map((context) =>
    ids.map((kind) => ({ id: `${kind}-${context}`, kind, reserve: true, context })),
  );
  fixed = await open([...(large ?? []), ...(small ?? [])]);
});
afterAll(() => stack.disposeAsync());

/** A server whose memory has room for the model with this number of cells. */
async function openGrowing(kind: string, cells: number): Promise<Opened> {
  const [most = 0, least = 0] = await Promise.all(
    [contextTokens, 512].map(async (context) => {
      await ask(fixed, `${kind}-${context}`, { words: 1, max: 1, seed: 1 });
      return await fixed.memoryOf(`${kind}-${context}`);
    }),
  );
  const cellBytes = (most - least) / (contextTokens - 512) / 4;
  return await open([{ id: kind, kind }], Math.ceil(least + (cells - 4 * 512) * cellBytes));
}

interface Asked {
  readonly words: number;
  readonly max: number;
  readonly seed: number;
}

async function ask({ client }: Opened, model: string, { words: count, max, seed }: Asked) {
  const content = Array.from(
    { length: count },
    (_, at) => words[(at * (seed + 2) + seed * 5) % words.length],
  );
  const options = { max_tokens: max, temperature: 0, ignore_eos: true };
  const messages = [{ role: 'user' as const, content: content.join(' ') }];
  const { choices, usage } = await client.chat.completions.create({ ...options, model, messages });
  return {
    text: choices[0]?.message.content ?? '',
    prompt: usage?.prompt_tokens,
    written: usage?.completion_tokens,
  };
}

/** Requests with which a context grows twice, and is then shared. */
const mix: readonly Asked[] = [
  { words: 20, max: 40, seed: 1 },
  { words: 500, max: 30, seed: 2 },
  { words: 700, max: 40, seed: 3 },
  { words: 100, max: 250, seed: 4 },
  { words: 100, max: 250, seed: 5 },
  { words: 300, max: 200, seed: 6 },
  { words: 700, max: 20, seed: 3 },
  { words: 20, max: 250, seed: 7 },
];

describe.runIf(hasStepper)('a context that grows', () => {
  it.each(ids)('writes and charges what a large one does: %s', { timeout: 120_000 }, async (kind) => {
    const growing = await openGrowing(kind, 14_000);
    const expected: Awaited<ReturnType<typeof ask>>[] = [];
    for (const asked of mix) expected.push(await ask(fixed, `${kind}-${contextTokens}`, asked));
    for (const asked of mix.slice(0, 1)) expect(await ask(growing, kind, asked)).toEqual(expected[0]);
    const small = await growing.memoryOf(kind);
    const together = await Promise.all(mix.map((asked) => ask(growing, kind, asked)));
    expect(together.map(usageOf)).toEqual(expected.map(usageOf));
    // In a pool llama.cpp adds up the same numbers in another order, upon which random models, whose likeliest tokens are
    // nearly equally likely, write another token once in some hundred. Wrong cells would show in the first few.
    for (const [at, { text }] of together.entries())
      expect(text.slice(0, 20)).toBe(expected[at]?.text.slice(0, 20));
    expect(together.filter(({ text }, at) => text === expected[at]?.text).length).toBeGreaterThanOrEqual(4);
    if (kind !== 'recurrent') expect(await growing.memoryOf(kind)).toBeGreaterThan(small);
  });
});

describe.runIf(hasStepper)('a prefix of several requests', () => {
  it('is held once where memory has no room for all of them otherwise', { timeout: 120_000 }, async () => {
    const { server, client } = await openGrowing('plain', 8 * 512);
    const shared = Array.from({ length: 350 }, (_, at) => words[(at * 3) % words.length]).join(' ');
    const askOne = async (at: number) => {
      const messages = [{ role: 'user' as const, content: `${shared} ${words[at]}` }];
      const options = { max_tokens: 40, temperature: 0, ignore_eos: true };
      const { usage } = await client.chat.completions.create({ ...options, model: 'plain', messages });
      return usage;
    };
    const usages = await Promise.all([0, 1, 2, 3].map(askOne));
    const prompt = usages[0]?.prompt_tokens ?? 0;
    expect(4 * prompt).toBeGreaterThan(8 * 512);
    const cached = usages.map((usage) => usage?.prompt_tokens_details?.cached_tokens ?? 0);
    expect(cached.filter((tokens) => tokens > prompt - 100)).toHaveLength(3);
    const lastChange = () =>
      JSON.parse(
        server
          .stderr()
          .split('\n')
          .findLast((line) => line.includes('"context changed"')) ?? 'null',
      ) as { model: string; cells: number; isUnified: boolean } | null;
    await expect.poll(lastChange).toMatchObject({ model: 'plain', isUnified: true });
    expect(lastChange()?.cells).toBeLessThan(2 * prompt);
  });
});

describe.runIf(hasStepper)('the context that clients are told', () => {
  it.each(['plain', 'hybrid'])('is known before the load, and what a request gets: %s', async (kind) => {
    const opened = await openGrowing(kind, 3000);
    const told = async () =>
      (await opened.client.models.retrieve(kind)) as { context_window?: number; state?: string };
    // The file is read first, which takes a while on a busy machine.
    await expect.poll(async () => (await told()).context_window).toBeLessThan(contextTokens);
    const before = await told();
    expect(before.state).toBe('available');
    const content = words.join(' ').repeat(4);
    const messages = [{ role: 'user' as const, content }];
    const { usage } = (await opened.client.chat.completions.create({
      model: kind,
      messages,
      ignore_eos: true,
    } as never)) as OpenAI.ChatCompletion;
    expect(usage?.total_tokens).toBe(before.context_window);
    expect(await told()).toMatchObject({ state: 'loaded', context_window: before.context_window });
  });
});

const usageOf = ({ prompt, written }: Awaited<ReturnType<typeof ask>>) => ({ prompt, written });
