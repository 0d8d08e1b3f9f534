import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itemsOf, listenWithAccounts, type AdminService } from '../../support/fakes/admin-service.ts';
import { expectError } from '../../support/wire/error-envelope.ts';

let service: AdminService;
beforeEach(async () => {
  service = await listenWithAccounts();
});
afterEach(() => service.close());

const statusOf = async (id: string) =>
  itemsOf(await service.ask('GET', '/admin/v1/models')).find((model) => model['id'] === id);

describe('GET /admin/v1/models', () => {
  it('lists every model, in memory or not, and what models may take', async () => {
    const answer = await service.ask('GET', '/admin/v1/models');
    expect(itemsOf(answer).map(({ id }) => id)).toEqual(service.http.catalog.list().map(({ id }) => id));
    expect(answer['memory']).toEqual({
      budget: { ram_bytes: 1000, vram_bytes: 0 },
      used: { ram_bytes: 0, vram_bytes: 0 },
    });
    const untouched = { deletable: false, source: null };
    expect(answer['unserved']).toEqual(
      service.http.catalog.unserved().map((one) => ({ ...one, ...untouched })),
    );
    expect(await statusOf('tiny')).toEqual({
      id: 'tiny',
      object: 'model_status',
      kind: 'chat',
      path: '/models/tiny.gguf',
      parameters: 135_000_000,
      quantization: 'Q8_0',
      size_bytes: 1_000_000,
      capabilities: [],
      state: 'available',
      memory: null,
      runs_on: null,
      context_window: 2048,
      parallel: null,
      requests: 0,
      busy: 0,
      waiting: 0,
      last_used_at: null,
      unloads_at: null,
      error: null,
      addresses: null,
      upstream_label: null,
      last_answer_failed: false,
      pid: null,
      deletable: false,
    });
  });
});

describe('POST /admin/v1/models/{id}/load', () => {
  it('answers when the model is in memory, slashes and aliases understood', async () => {
    const loaded = await service.ask('POST', '/admin/v1/models/org/slashed/load');
    expect(loaded).toMatchObject({
      id: 'org/slashed',
      state: 'loaded',
      memory: { ram_bytes: 400, vram_bytes: 0 },
      runs_on: {
        ram_bytes: 400,
        gpus: [],
        layers: null,
        gpu_layers: null,
        expert_layers: null,
        draft_heads: null,
      },
      context_window: 512,
      parallel: 4,
      last_used_at: expect.any(Number),
    });
    expect(await service.ask('POST', '/admin/v1/models/gpt-4o-mini/load')).toMatchObject({ id: 'tiny' });
    const { memory } = await service.ask('GET', '/admin/v1/models');
    expect(memory).toMatchObject({ used: { ram_bytes: 800 } });
  });

  it('makes room by the model that was not used for longest', async () => {
    for (const id of ['org/slashed', 'tiny', 'thinker'])
      await service.ask('POST', `/admin/v1/models/${id}/load`);
    const states = await Promise.all(['org/slashed', 'tiny', 'thinker'].map(statusOf));
    expect(states.map((status) => status?.['state'])).toEqual(['available', 'loaded', 'loaded']);
  });

  it('fails as a request would, and the list says why', async () => {
    const response = await service.send('POST', '/admin/v1/models/native-r/load');
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    const message = await expectError(response, 'model_load_failed');
    expect(await statusOf('native-r')).toMatchObject({ state: 'failed', error: message });
  });
});

describe('POST /admin/v1/models/{id}/unload', () => {
  it('frees a model; one that is not there stays as it is', async () => {
    await service.ask('POST', '/admin/v1/models/tiny/load');
    await service.ask('POST', '/admin/v1/models/tiny/unload');
    await expect.poll(async () => (await statusOf('tiny'))?.['state']).toBe('available');
    expect(await service.ask('POST', '/admin/v1/models/tiny/unload')).toMatchObject({ state: 'available' });
  });
});

describe('what is not there', () => {
  it.each(['load', 'unload'])('is told for %s', async (action) => {
    const response = await service.send('POST', `/admin/v1/models/nobody/${action}`);
    expect(await expectError(response, 'model_not_found', 'model')).toContain("'nobody'");
  });

  it('is another method', async () => {
    await expectError(await service.send('DELETE', '/admin/v1/models/tiny/load'), 'method_not_allowed');
    await expectError(await service.send('POST', '/admin/v1/models'), 'method_not_allowed');
  });
});
