import { readFile } from 'node:fs/promises';
import { APIError } from 'openai';
import { expect, describe, it } from 'vitest';
import { completeChat, openClient, postChat, toErrorAnswer } from '../../support/server/chat-client.ts';
import { processTree } from '../../../scripts/bench/figures/proc.ts';
import { canTranscribe, demoSpeech } from '../../support/models/demo-speech.ts';
import { engineErrorCases } from '../../support/wire/engine-errors.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { useIsolated } from '../../support/server/isolated-fixture.ts';
import type { IsolatedServer } from '../../support/server/isolated-server.ts';
import { ledgerOf } from '../../support/watch/ledger.ts';
import { sharedModel } from '../../support/models/shared-models.ts';
import { tinyEncoder, tinyModel } from '../../support/models/tiny-model.ts';
import { tone, writeWav } from '../../support/audio/wav.ts';

const hostile = sharedModel('hostile-aborts-on-load.gguf');
const endless = { endOfTurnGain: 0, contextTokens: 65_536 } as const;
const goOn = { ignore_eos: true };
const messages = [{ role: 'user' as const, content: 'Hello' }];

const isolated = useIsolated({
  models: async () => ({
    victim: await tinyModel(endless),
    other: await tinyModel(endless),
    fragile: await tinyModel(),
    warm: await tinyModel(),
    tiny: await tinyModel(),
    encoder: await tinyEncoder(),
    ...(canTranscribe && { ears: await demoSpeech() }),
    ...(hostile !== undefined && { hostile }),
  }),
  settings: {
    victim: { context: 16_384 },
    other: { context: 16_384 },
    warm: { preload: true },
  },
});

/** One streamed answer: the tokens that came, and the code of the error that ended it. */
async function stream({ server }: IsolatedServer, model: string, options: object, onToken?: () => void) {
  let tokens = 0;
  try {
    const chunks = await openClient(server).chat.completions.create({
      model,
      messages,
      stream: true,
      logprobs: true,
      ...options,
    });
    for await (const { choices } of chunks) {
      tokens += choices[0]?.logprobs?.content?.length ?? 0;
      if (tokens > 0) onToken?.();
    }
    return { tokens, code: undefined };
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    return { tokens, code: error.code };
  }
}

describe('models in processes of their own', () => {
  it.each(['SIGKILL', 'SIGABRT', 'SIGSTOP'] as const)(
    'a process that gets %s ends the answers of its model and no others, and is there again',
    { timeout: 120_000 },
    async (signal) => {
      const fixture = isolated();
      const charged = ledgerOf(fixture.server).length;
      const answering = Promise.withResolvers<void>();
      let begun = 0;
      const begin = (): (() => void) => {
        let isNew = true;
        return () => {
          if (isNew && ++begun === 6) answering.resolve();
          isNew = false;
        };
      };
      const victims = [1, 2, 3].map(() =>
        stream(fixture, 'victim', { max_tokens: 16_000, ...goOn }, begin()),
      );
      const others = [1, 2, 3].map(() => stream(fixture, 'other', { max_tokens: 1000, ...goOn }, begin()));
      await answering.promise;
      const pid = await fixture.pidOf('victim');
      process.kill(pid, signal);
      for (const { code } of await Promise.all(victims)) expect(code).toBe('model_unavailable');
      for (const { code, tokens } of await Promise.all(others)) {
        expect(code).toBeUndefined();
        expect(tokens).toBe(1000);
      }
      const rows = ledgerOf(fixture.server).slice(charged);
      expect(rows).toHaveLength(6);
      const paid = (model: string) =>
        rows.filter((row) => row.modelId === model).map((row) => row.completionTokens);
      expect(paid('other')).toEqual([1000, 1000, 1000]);
      const got = (await Promise.all(victims)).map(({ tokens }) => tokens).toSorted((a, b) => a - b);
      for (const [index, tokens] of paid('victim')
        .toSorted((a, b) => a - b)
        .entries()) {
        // Up to three computed tokens may be the beginning of a character that never became whole.
        expect(tokens - (got[index] ?? 0)).toBeGreaterThanOrEqual(0);
        expect(tokens - (got[index] ?? 0)).toBeLessThanOrEqual(3);
      }
      const answer = await completeChat(openClient(fixture.server), 'victim', 'Again', { max_tokens: 4 });
      expect(answer.usage?.completion_tokens).toBeGreaterThan(0);
      expect(await fixture.pidOf('victim')).not.toBe(pid);
    },
  );

  it('tells a client that waits for its whole answer when to come back', async () => {
    const fixture = isolated();
    const waiting = postChat(fixture.server, {
      model: 'victim',
      messages,
      max_tokens: 16_000,
      ...goOn,
    });
    await expect.poll(async () => (await fixture.statusOf('victim')).busy).toBe(1);
    process.kill(await fixture.pidOf('victim'), 'SIGKILL');
    const answer = await toErrorAnswer(await waiting);
    expect(answer).toMatchObject({ status: 503, error: { code: 'model_unavailable' } });
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  it('loads a preloaded model again at once', async () => {
    const fixture = isolated();
    await expect.poll(async () => (await fixture.statusOf('warm')).state, { timeout: 30_000 }).toBe('loaded');
    const pid = await fixture.pidOf('warm');
    process.kill(pid, 'SIGKILL');
    const newPid = async () => {
      const { state, pid: now } = await fixture.statusOf('warm');
      return state === 'loaded' && now !== pid;
    };
    await expect.poll(newPid, { timeout: 30_000 }).toBe(true);
  });

  it('parks a model that keeps crashing, and says why', { timeout: 60_000 }, async () => {
    const fixture = isolated();
    for (let crash = 0; crash < 3; crash++) {
      await completeChat(openClient(fixture.server), 'fragile', 'Hello', { max_tokens: 2 });
      process.kill(await fixture.pidOf('fragile'), 'SIGABRT');
      await expect.poll(async () => (await fixture.statusOf('fragile')).state).not.toBe('loaded');
    }
    const answer = await toErrorAnswer(await postChat(fixture.server, { model: 'fragile', messages }));
    expect(answer).toMatchObject({ status: 503, error: { code: 'model_load_failed' } });
    expect(answer.error.message).toContain('SIGABRT');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(5);
    expect(await fixture.statusOf('fragile')).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('SIGABRT'),
    });
  });

  it('gives the memory back by ending the process', async () => {
    const fixture = isolated();
    await completeChat(openClient(fixture.server), 'other', 'Hello', { max_tokens: 2 });
    const pid = await fixture.pidOf('other');
    await fixture.admin('/other/unload', 'POST');
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it.runIf(process.platform === 'linux')('keeps llama.cpp out of the process that serves HTTP', async () => {
    const maps = async (pid: number) => await readFile(`/proc/${pid}/maps`, 'utf8');
    const fixture = isolated();
    await completeChat(openClient(fixture.server), 'other', 'Hello', { max_tokens: 2 });
    expect(await maps(await fixture.pidOf('other'))).toContain('llama-addon.node');
    expect(await maps(fixture.server.pid)).not.toContain('llama-addon.node');
  });

  it('computes embeddings, counts prompts and answers several prompts at once', async () => {
    const client = openClient(isolated().server);
    const { data, usage } = await client.embeddings.create({ model: 'encoder', input: ['one', 'two'] });
    expect(data.map(({ embedding }) => embedding.length > 8)).toEqual([true, true]);
    expect(usage.prompt_tokens).toBeGreaterThan(1);
    const { choices } = await client.completions.create({
      model: 'other',
      prompt: ['one', 'two'],
      max_tokens: 3,
      logit_bias: { 5: -100 },
      logprobs: 1,
    });
    expect(choices).toHaveLength(2);
  });

  it.runIf(canTranscribe)('transcribes audio longer than one message holds', async () => {
    const file = new File([writeWav(tone(440, 80))], 'tone.wav');
    const answer = await openClient(isolated().server).audio.transcriptions.create({
      model: 'ears',
      file,
      response_format: 'verbose_json',
    });
    expect(answer.duration).toBeCloseTo(80, 0);
    expect(answer.text).not.toBe('');
  });

  it.skipIf(hostile === undefined)('refuses the file that aborts while it is loaded', async () => {
    const answer = await toErrorAnswer(await postChat(isolated().server, { model: 'hostile', messages }));
    expect(answer).toMatchObject({ status: 503, error: { code: 'model_load_failed' } });
  });

  it.each(engineErrorCases)('$name', async ({ path, body, code, wireParam }) => {
    const { baseUrl, apiKey } = isolated().server;
    const response = await fetch(new URL(path, baseUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'tiny', stream: true, ...body }),
    });
    await expectError(response, code, wireParam);
  });

  it('leaves no process behind when the server is killed', async () => {
    const fixture = isolated();
    await completeChat(openClient(fixture.server), 'victim', 'Hello', { max_tokens: 2 });
    const busy = stream(fixture, 'victim', { max_tokens: 16_000, ...goOn }).catch(() => undefined);
    // Those of the models, and on Linux those for templates too.
    const pids = [...(await fixture.pids()), ...processTree(fixture.server.pid)];
    expect(pids.length).toBeGreaterThan(2);
    await fixture.server.kill();
    await busy;
    await expect.poll(() => pids.filter((pid) => isAlive(pid))).toEqual([]);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
