/** Conversations with models of all kinds of memory: computed cells are used again, and change no text. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Architecture } from '../../../scripts/make/tiny-model/architectures.ts';
import { openClient } from '../../support/server/chat-client.ts';
import { oneThread } from '../../support/server/chat-fixture.ts';
import { makeKey } from '../../support/server/make-accounts.ts';
import { hasStepper } from '../../support/engine/draw-tokens.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';

type Messages = OpenAI.Chat.Completions.ChatCompletionMessageParam[];

/** ChatML that begins each answer with a thought, and leaves the thoughts of earlier turns out. */
const chatTemplate = [
  "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' }}",
  "{{ m.content.split('</think>')[-1] if m.role == 'assistant' else m.content }}{{ '<|im_end|>\\n' }}{% endfor %}",
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n<think>\\n' }}{% endif %}",
].join('');

/** Layers: all kinds of them are there. */
const kinds: Readonly<Record<string, { architecture: Architecture; layers: number }>> = {
  plain: { architecture: 'llama', layers: 2 },
  window: { architecture: 'gemma3', layers: 6 },
  'experts-window': { architecture: 'gpt-oss', layers: 2 },
  'shared-window': { architecture: 'gemma4', layers: 4 },
  convolution: { architecture: 'lfm2', layers: 2 },
  hybrid: { architecture: 'granitehybrid', layers: 2 },
  'delta-net': { architecture: 'qwen35', layers: 2 },
  recurrent: { architecture: 'mamba', layers: 2 },
};

const folder = await mkdtemp(join(tmpdir(), 'hearth-conversations-'));
const words = 'the sea was calm and small boats came home late with fish for an old town by a hill'.split(
  ' ',
);

/** A text of this number of words, another one for each seed. */
const textOf = (seed: number, count = 60): string =>
  Array.from({ length: count }, (_, at) => words[(at * (seed + 2) + seed * 5) % words.length]).join(' ');

let server: RunningServer;
let adminKey = '';
let keptKey = '';

async function startKept(): Promise<void> {
  const models = await Promise.all(
    Object.entries(kinds).map(async ([id, kind]) => {
      const options = {
        ...kind,
        chatTemplate,
        contextTokens: 8192,
        asciiOnly: true,
        seed: 5,
        mergeCount: 60,
      };
      const settings = { context: 4096, parallel: 3, cacheFile: true, ...oneThread };
      return { id, source: await tinyModel(options), ...settings };
    }),
  );
  const config = { demo: false, cacheMemory: '512MiB', models };
  server = await startServer({ modelsDirs: [], dataDir: folder, config });
}

async function post<Answer>(path: string, apiKey: string, body: object): Promise<Answer> {
  const response = await fetch(new URL(path, server.baseUrl), {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Answer;
}

let accounts = 0;

/** The key of another account, for which nothing is kept. */
async function createKey(): Promise<string> {
  const account = `account-${accounts++}`;
  await post('/admin/v1/accounts', adminKey, { name: account });
  return (await post<{ value: string }>('/admin/v1/keys', adminKey, { account })).value;
}

beforeAll(async () => {
  await startKept();
  adminKey = makeKey(server, 'local', { kind: 'admin' }).secret;
  keptKey = await createKey();
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function ask(apiKey: string, model: string, messages: Messages) {
  const options = { max_tokens: 12, temperature: 0, ignore_eos: true };
  const { choices, usage } = await openClient({ ...server, apiKey }).chat.completions.create({
    model,
    messages,
    ...options,
  });
  const message = choices[0]?.message as { content: string | null; reasoning_content?: string };
  return {
    text: `${message.reasoning_content ?? ''}|${message.content ?? ''}`,
    cached: usage?.prompt_tokens_details?.cached_tokens ?? 0,
  };
}

async function tokensOf(model: string, messages: Messages): Promise<number[]> {
  return (await post<{ tokens: number[] }>('/tokenize', keptKey, { model, messages })).tokens;
}

const commonTokens = (a: readonly number[], b: readonly number[]): number => {
  const end = a.findIndex((token, at) => token !== b[at]);
  return end === -1 ? a.length : end;
};

/** Asks for the messages and expects the text that another account gets, and most of the common tokens from caches. */
class Conversation {
  readonly #model: string;
  readonly #seen: number[][] = [];

  constructor(model: string) {
    this.#model = model;
  }

  async ask(messages: Messages): Promise<void> {
    const tokens = await tokensOf(this.#model, messages);
    const common = Math.max(0, ...this.#seen.map((earlier) => commonTokens(earlier, tokens)));
    const kept = await ask(keptKey, this.#model, messages);
    expect(kept.cached).toBeGreaterThanOrEqual(0.9 * Math.min(common, tokens.length - 1));
    this.#seen.push(tokens);
    const reference = await ask(await createKey(), this.#model, messages);
    expect(reference.cached).toBe(0);
    expect(kept.text).toBe(reference.text);
  }
}

/** The messages of this number of turns, the last of them not answered. */
const turns = (seed: number, count: number): Messages =>
  Array.from({ length: 2 * count - 1 }, (_, at) => ({
    role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: textOf(seed * 100 + at),
  }));

describe.runIf(hasStepper).each(Object.keys(kinds))(
  'a conversation with a model whose memory is: %s',
  (model) => {
    const conversation = new Conversation(model);

    it('grows while thoughts are left out', { timeout: 180_000 }, async () => {
      for (let count = 1; count <= 5; count++) await conversation.ask(turns(1, count));
    });

    it('has an answer written anew, and its second message edited', { timeout: 180_000 }, async () => {
      await conversation.ask(turns(1, 5));
      await conversation.ask([...turns(1, 5).slice(0, 2), { role: 'user', content: textOf(7) }]);
    });

    it('goes on in two branches in turns', { timeout: 180_000 }, async () => {
      const branch = (seed: number, count: number) => [...turns(1, 3).slice(0, -1), ...turns(seed, count)];
      for (let count = 1; count <= 2; count++)
        for (const seed of [2, 3]) await conversation.ask(branch(seed, count));
    });

    it('waits while others have all slots', { timeout: 180_000 }, async () => {
      for (const seed of [4, 5, 6]) await new Conversation(model).ask(turns(seed, 2));
      await conversation.ask(turns(1, 5));
    });
  },
);

describe.runIf(hasStepper)('conversations with models of all kinds', () => {
  it('go on after a restart', { timeout: 300_000 }, async () => {
    const before = new Map<string, string>();
    for (const model of Object.keys(kinds)) before.set(model, (await ask(keptKey, model, turns(8, 3))).text);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    await startKept();
    for (const model of Object.keys(kinds)) {
      const { text, cached } = await ask(keptKey, model, turns(8, 3));
      expect({ model, text }).toEqual({ model, text: before.get(model) });
      const tokens = await tokensOf(model, turns(8, 3));
      expect(cached).toBeGreaterThanOrEqual(0.9 * (tokens.length - 1));
      // The thought after the last message is left out now.
      const longer = await ask(keptKey, model, turns(8, 4));
      expect(longer.cached).toBeGreaterThanOrEqual(0.9 * tokens.length);
    }
  });
});
