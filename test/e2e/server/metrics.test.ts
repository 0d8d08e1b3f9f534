import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completeChat, openClient, postChat, streamChat } from '../../support/server/chat-client.ts';
import { oneThread } from '../../support/server/chat-fixture.ts';
import { hearthCli } from '../../support/server/hearth-cli.ts';
import { makeAccount, makeKey } from '../../support/server/make-accounts.ts';
import { readMetrics } from '../../support/watch/metrics.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';
import { createModelsDir, tinyModel } from '../../support/models/tiny-model.ts';

let server: RunningServer;
let modelsDir: string;
beforeAll(async () => {
  modelsDir = await createModelsDir({ tiny: await tinyModel({ contextTokens: 32_768 }) });
  server = await startServer({
    modelsDirs: [modelsDir],
    config: {
      models: [{ id: 'tiny', context: 32_768, parallel: 2, ...oneThread }],
      plans: { tight: { limits: { requests: { hour: 1 } } } },
    },
  });
});
afterAll(async () => {
  await server.stop();
  await rm(modelsDir, { recursive: true, force: true });
});

const chat = 'route="/v1/chat/completions",model="tiny"';
const options = { ignore_eos: true, max_tokens: 20 };

describe('the metrics of a server that has served', { timeout: 120_000 }, () => {
  it('are what was done', async () => {
    const client = openClient(server);
    const conversation = 'Tell me something long enough for a cache to be worth it, please.';
    await completeChat(client, 'tiny', conversation, options);
    await streamChat(client, 'tiny', conversation, options);
    await leaveEarly();
    const refused = refusedKey();
    expect((await postChat({ ...server, apiKey: refused }, body({}))).status).toBe(200);
    expect((await postChat({ ...server, apiKey: refused }, body({}))).status).toBe(429);
    expect((await postChat(server, body({ model: 'nobody' }))).status).toBe(404);
    expect((await postChat(server, body({ temperature: 3 }))).status).toBe(400);

    // The client that left is counted once its generation has ended.
    await expect.poll(async () => (await readMetrics(server)).get('hearth_requests_in_flight')).toBe(1);
    const metrics = await readMetrics(server);
    const valueOf = (series: string) => metrics.get(series) ?? 0;
    expect(valueOf(`hearth_requests_total{${chat},status="200"}`)).toBe(4);
    expect(valueOf(`hearth_requests_total{${chat},status="429"}`)).toBe(1);
    expect(valueOf('hearth_errors_total{code="model_not_found"}')).toBe(1);
    expect(valueOf('hearth_errors_total{code="invalid_value"}')).toBe(1);
    expect(valueOf('hearth_errors_total{code="rate_limit_exceeded"}')).toBe(1);
    expect(valueOf('hearth_limit_refusals_total{model="tiny",measure="requests",window="hour"}')).toBe(1);
    expect(valueOf('hearth_model_loads_total{model="tiny",outcome="loaded"}')).toBe(1);
    expect(valueOf('hearth_models{state="loaded"}')).toBe(1);
    expect(valueOf('hearth_slots{model="tiny"}')).toBe(2);
    expect(valueOf('hearth_slots_busy{model="tiny"}')).toBe(0);
    expect(valueOf('hearth_queue_depth{model="tiny"}')).toBe(0);
    expect(valueOf('hearth_time_to_first_token_seconds_count{model="tiny"}')).toBe(4);
    expect(valueOf('hearth_inter_token_seconds_count{model="tiny"}')).toBe(4);
    expect(valueOf('hearth_queue_wait_seconds_count{model="tiny"}')).toBe(4);
    expect(valueOf('hearth_memory_used_bytes{device="ram"}')).toBeGreaterThan(0);
    expect(valueOf('hearth_memory_used_bytes{device="ram"}')).toBeLessThanOrEqual(
      valueOf('hearth_memory_budget_bytes{device="ram"}'),
    );

    // The ledger was written by somebody else than the metrics.
    const [used = {}] = await hearthCli<Record<string, number>[]>(server, 'usage', '--by', 'model');
    expect(valueOf('hearth_prompt_tokens_total{model="tiny"}')).toBe(used['promptTokens']);
    expect(valueOf('hearth_cached_prompt_tokens_total{model="tiny"}')).toBe(used['cachedTokens']);
    expect(valueOf('hearth_completion_tokens_total{model="tiny"}')).toBe(used['completionTokens']);
    expect(used['cachedTokens']).toBeGreaterThan(0);
  });

  it('tell no key, no account and nothing that was written', async () => {
    const text = [...(await readMetrics(server)).keys()].join('\n');
    expect(text).not.toMatch(/hk-|key_|acct_|local|something long/);
    expect(text).not.toContain('nobody');
  });

  it('count a model that is freed', async () => {
    const { secret } = makeKey(server, 'local', { kind: 'admin' });
    const available = async () => (await readMetrics(server)).get('hearth_models{state="available"}') ?? 0;
    const before = await available();
    const unload = new URL('/admin/v1/models/tiny/unload', server.baseUrl);
    const headers = { authorization: `Bearer ${secret}` };
    expect((await fetch(unload, { method: 'POST', headers })).status).toBe(200);
    await expect.poll(available).toBe(before + 1);
    const metrics = await readMetrics(server);
    expect(metrics.get('hearth_model_unloads_total{model="tiny",reason="requested"}')).toBe(1);
    expect(metrics.has('hearth_slots{model="tiny"}')).toBe(false);
    expect(metrics.get('hearth_memory_used_bytes{device="ram"}')).toBe(0);
  });
});

const body = (changes: object): object => ({
  model: 'tiny',
  messages: [{ role: 'user', content: 'Hi' }],
  ...options,
  ...changes,
});

async function leaveEarly(): Promise<void> {
  const response = await postChat(server, body({ stream: true, max_tokens: 30_000 }));
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.read();
  await reader?.cancel();
}

function refusedKey(): string {
  makeAccount(server, 'bob', 'tight');
  return makeKey(server, 'bob').secret;
}
