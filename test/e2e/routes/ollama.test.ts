import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ollama } from 'ollama';
import type { ChatResponse } from 'ollama';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChatModelsDir } from '../../support/models/chat-models.ts';
import { oneThread } from '../../support/server/chat-fixture.ts';
import { makeAccount, makeKey } from '../../support/server/make-accounts.ts';
import { startServer } from '../../support/server/start-server.ts';
import type { RunningServer } from '../../support/server/start-server.ts';
import { tinyEncoder, tinyModel } from '../../support/models/tiny-model.ts';

const stack = new AsyncDisposableStack();
let server: RunningServer;
let keyed: Ollama;
let keyless: Ollama;

beforeAll(async () => {
  const encoder = await tinyEncoder({ contextTokens: 64 });
  const modelsDir = stack.use(
    await openChatModelsDir({ encoder, 'tiny-long': await tinyModel({ contextTokens: 4096 }) }),
  );
  const models = Array.from(modelsDir.ids, (id) => ({ id, ...oneThread }));
  const dataDir = await mkdtemp(join(tmpdir(), 'hearth-ollama-'));
  stack.defer(() => rm(dataDir, { recursive: true }));
  makeAccount({ dataDir }, 'programs');
  const key = makeKey({ dataDir }, 'programs');
  const config = { models, ollamaKey: key.id };
  server = await startServer({ modelsDirs: [modelsDir.path], dataDir, config });
  stack.defer(() => server.stop().then(() => undefined));
  const host = server.baseUrl.replace('/v1', '');
  keyless = new Ollama({ host });
  keyed = new Ollama({ host, headers: { authorization: `Bearer ${key.secret}` } });
});
afterAll(() => stack.disposeAsync());

const model = 'tiny-long';
const messages = [{ role: 'user', content: 'Hello' }];
const options = { num_predict: 8, temperature: 0 };

describe('the ollama client', () => {
  it('streams a chat, and gets the same in one piece', async () => {
    const parts: ChatResponse[] = [];
    for await (const part of await keyed.chat({ model, messages, options, stream: true })) parts.push(part);
    const last = parts.at(-1);
    expect(last).toMatchObject({ done: true, eval_count: 8, done_reason: 'length' });
    expect(last?.prompt_eval_count).toBeGreaterThan(1);
    expect(last?.total_duration).toBeGreaterThan((last?.eval_duration ?? 0) - 1);
    const whole = await keyed.chat({ model: `${model}:latest`, messages, options });
    expect(whole.message.content).toBe(parts.map(({ message }) => message.content).join(''));
  });

  it('calls a tool, and sends back what came of it', async () => {
    const parameters = { type: 'object', properties: { city: { type: 'string', enum: ['Bonn'] } }, required: ['city'] };
    const tools = [{ type: 'function', function: { name: 'weather', description: 'Tells it.', parameters } }];
    const call = { function: { name: 'weather', arguments: { city: 'Bonn' } } };
    const conversation = [
      ...messages,
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', content: 'rain', tool_name: 'weather' },
    ];
    const answer = await keyed.chat({ model, messages: conversation, tools, options });
    expect(answer).toMatchObject({ done: true, message: { role: 'assistant' } });
  }); // prettier-ignore

  it('gets JSON that fits a schema', async () => {
    const format = { type: 'object', properties: { a: { enum: [1, 2] } }, required: ['a'], additionalProperties: false };
    const { response } = await keyed.generate({ model, prompt: 'A number?', format, options: { num_predict: 200 } });
    expect(JSON.parse(response ?? '')).toEqual({ a: expect.any(Number) as number });
  }); // prettier-ignore

  it('continues a raw prompt, and stops where it is told', async () => {
    const ask = (stop: string[]) =>
      keyed.generate({ model, prompt: 'Once', raw: true, options: { ...options, stop } });
    const { response = '', prompt_eval_count: tokens } = await ask([]);
    expect(tokens).toBeLessThan(6);
    const [char = ''] = response.slice(1);
    expect((await ask([char])).response).toBe(response.slice(0, response.indexOf(char)));
  });

  it('embeds texts, cut off where they are too long', async () => {
    const { embeddings } = await keyed.embed({ model: 'encoder', input: ['fox', 'word '.repeat(500)] });
    expect(embeddings).toHaveLength(2);
    const { embedding } = await keyed.embeddings({ model: 'encoder', prompt: 'fox' });
    expect(embedding).toEqual(embeddings[0]);
    await expect(
      keyed.embed({ model: 'encoder', input: 'word '.repeat(500), truncate: false }),
    ).rejects.toThrow('tokens');
  });

  it('lists, shows, loads and frees models', async () => {
    const { models } = await keyed.list();
    expect(models.map(({ name }) => name)).toContain(`${model}:latest`);
    expect(await keyed.show({ model })).toMatchObject({ details: { family: 'llama' } });
    await keyed.generate({ model, prompt: '', keep_alive: '10m' });
    const running = async () => (await keyed.ps()).models.map(({ name }) => name);
    expect(await running()).toContain(`${model}:latest`);
    await keyed.generate({ model, prompt: '', keep_alive: 0 });
    await expect.poll(running).not.toContain(`${model}:latest`);
  });

  it('hears of errors in words', async () => {
    await expect(keyed.chat({ model: 'nothing', messages })).rejects.toMatchObject({
      status_code: 404,
      message: expect.stringContaining("'nothing'") as string,
    });
    await expect(keyed.pull({ model: 'tiny' })).rejects.toMatchObject({ status_code: 403 });
  });

  it('needs no key on this machine where the file names one', async () => {
    const answer = await keyless.chat({ model, messages, options });
    expect(answer.eval_count).toBe(8);
    expect((await fetch(`${server.baseUrl}/models`)).status).toBe(401);
  });
});
